// The corpus as calls: what `tests/corpus/cases` says of deepfs, asked of deepagents, too.

import { readdirSync, readFileSync } from "node:fs";

const BYTES = ["hex", "base64", "repeat"];
/** What is there to be answered in time by the matcher of the core says nothing about how patterns are read. */
const LONG_PATTERN = /([*{].*){10}|\d{4}/s;
const CASES = new URL("../corpus/cases/", import.meta.url);

/**
 * Files and calls of each case that needs no option (those are of deepfs alone), and the name of the intended
 * difference that it is about.
 */
export function corpus() {
  return readdirSync(CASES)
    .toSorted()
    .flatMap((name) => JSON.parse(readFileSync(new URL(name, CASES), "utf8")))
    .filter(({ options }) => options === undefined)
    .map(({ files, steps, differs = null }) => ({
      differs,
      files: new Map(Object.entries(files).map(([path, content]) => [path, bytesOf(content)])),
      calls: steps
        .map(({ call, args }) => ({ method: call, args: args.map((arg) => decoded(arg)) }))
        .filter(({ method, args }) => method !== "glob" || !LONG_PATTERN.test(args[0])),
    }));
}

/** An argument with its bytes: `{ hex }`, `{ base64 }` and `{ repeat, times }` stand for them, in lists, too. */
function decoded(value) {
  if (Array.isArray(value)) return value.map((item) => decoded(item));
  const stands = typeof value === "object" && value !== null && BYTES.some((key) => key in value);
  return stands ? bytesOf(value) : value;
}

function bytesOf(content) {
  if (typeof content === "string") return new TextEncoder().encode(content);
  if ("repeat" in content) return new TextEncoder().encode(content.repeat.repeat(content.times));
  const { hex, base64 } = content;
  return new Uint8Array(
    hex === undefined ? Buffer.from(base64, "base64") : Buffer.from(hex.replaceAll(/\s/g, ""), "hex"),
  );
}
