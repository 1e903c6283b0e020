/** The threat model promises nothing without a test: what it names exists. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const MODEL = readFileSync("docs/THREAT_MODEL.md", "utf8");

test("every file that the threat model names exists", () => {
  const named = [...MODEL.matchAll(/`([\w./-]+\.(?:rs|test\.ts|mjs))`/g)].map(([, file]) => file as string);
  const missing = named.filter((file) => !["", "crates", "tests"].some((folder) => existsSync(join(folder, file))));
  expect(missing).toEqual([]);
  expect(named.length).toBeGreaterThan(40);
});

test("every Rust test that it names exists", () => {
  const sources = ["crates/core/src", "crates/host/tests"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".rs"))
      .map((file) => readFileSync(join(folder, file), "utf8")),
  );
  // Behind the file, between colon and the end of the cell or the next file.
  const named = [...MODEL.matchAll(/\.rs`: ((?:`\w+`(?:, )?)+)/g)].flatMap(([, list]) =>
    [...(list as string).matchAll(/`(\w+)`/g)].map(([, name]) => name as string),
  );
  const missing = named.filter((name) => !sources.some((source) => source.includes(`fn ${name}(`)));
  expect(missing).toEqual([]);
  expect(named.length).toBeGreaterThan(8);
});
