/** The shortcuts off: the same corpus, and the same answers to calls that nobody chose. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as fast from "deepfs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeRecords } from "../bench/records.mjs";
import { inGraph } from "../bench/run-in-graph.mjs";
import { CASES } from "../support/cases.js";
import { applies, runCase } from "../support/corpus.js";
import { testFolder } from "../support/folder.js";
import { diskTargets, stateTargets } from "./targets.js";

const slow = await loadSlow();

/** The package once more, loaded while the environment says that it takes no shortcut. */
async function loadSlow(): Promise<typeof fast> {
  process.env["DEEPFS_FAST_PATHS"] = "off";
  try {
    // Another query is another module, which looks at the environment for itself.
    const bundle = new URL("../../npm/deepfs/dist/node.js?fast-paths=off", import.meta.url);
    return (await import(/* @vite-ignore */ bundle.href)) as typeof fast;
  } finally {
    delete process.env["DEEPFS_FAST_PATHS"];
  }
}

it("is another copy of the package, one of which takes shortcuts", () => {
  expect(slow.StateBackend).not.toBe(fast.StateBackend);
});

describe("without the shortcuts, the corpus holds", () => {
  for (const target of [...diskTargets(slow), ...stateTargets(slow, "native")]) {
    const applicable = CASES.filter((one) => applies(one, target));
    it(`${target.name}: ${applicable.length} cases`, async () => {
      const failed = [];
      for (const one of applicable) {
        const failure = await runCase(one, target);
        if (failure !== null) failed.push(`${one.key}: ${failure}`);
      }
      expect(failed).toEqual([]);
      expect(applicable.length).toBeGreaterThan(50);
    });
  }
});

const WORDS = ["zq_rare_marker", "handleRequest", "const ", "\n", "é", "  ", "query", "no such text", "}\r"];
const GLOBS = ["**/*.md", "*", "**/*", "src/**/e{1,2}/*", "*.{ts,py}", "!**/*.ts", "[", "a\0b"];
const FOLDERS = ["/", "/src", "/src/d1", "/src/d1/e1", "/nowhere", "src//d2/", "/src/../x", "/é"];
const anyOf = (list: readonly string[]) => fc.constantFrom(...list);
const cap = fc.oneof(fc.constant(null), fc.integer({ min: -1, max: 30 }));
const line = fc.oneof(fc.integer({ min: -2, max: 90 }), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY));

type Call = [method: "ls" | "glob" | "grep" | "read" | "write" | "edit" | "delete", ...args: unknown[]];

/** Calls that change nothing. */
const looking = (paths: readonly string[]): fc.Arbitrary<Call> =>
  fc.oneof(
    fc.tuple(fc.constant("ls" as const), anyOf(FOLDERS)),
    fc.tuple(fc.constant("glob" as const), anyOf(GLOBS), anyOf(FOLDERS)),
    fc.tuple(
      fc.constant("grep" as const),
      anyOf(WORDS),
      anyOf(FOLDERS),
      fc.oneof(fc.constant(null), anyOf(GLOBS)),
      cap,
    ),
    fc.tuple(fc.constant("read" as const), fc.oneof(anyOf(paths), anyOf(FOLDERS)), line, line),
  );

type Asked = Record<Call[0], (...args: unknown[]) => unknown>;

describe("with them and without, a state gives the same answers", () => {
  const records: Record<string, unknown> = {
    ...makeRecords(300, 900),
    "notes.txt": { content: "odd key\nhandleRequest", mimeType: "text/plain", created_at: "", modified_at: "" },
    "/crlf.txt": { content: "one\r\ntwo\r\nconst \r\n", mimeType: "text/plain", created_at: "", modified_at: "2026" },
    "/v1.ts": { content: ["const a", "", "const b"], created_at: "", modified_at: "2026" },
    "/empty.md": { content: "", mimeType: "text/markdown", created_at: "", modified_at: "2025" },
    "/blank.md": { content: "\n\n", mimeType: "text/markdown", created_at: "", modified_at: "2025" },
    "/é.md": { content: "é\n\ud83d\ude00 \ud800 lone", mimeType: "text/markdown", created_at: "", modified_at: "2025" },
    "/damaged": { content: 7 },
    "/picture.png": {
      content: new Uint8Array([137, 80, 78, 71]),
      mimeType: "image/png",
      created_at: "",
      modified_at: "",
    },
  };
  const paths = [
    ...Object.keys(records).filter((_, at) => at % 37 === 0 || at >= 300),
    "/src",
    "/new/file.md",
    "/crlf.txt/x",
  ];
  const changing: fc.Arbitrary<Call> = fc.oneof(
    fc.tuple(fc.constant("write" as const), anyOf([...paths, "/a/b.txt", "/a"]), anyOf(WORDS)),
    fc.tuple(fc.constant("edit" as const), anyOf(paths), anyOf(WORDS), anyOf(["", "x", "x\ny"]), fc.boolean()),
    fc.tuple(fc.constant("delete" as const), anyOf([...paths, "/src/d1"])),
  );

  it("whatever is asked, in the middle of a step too", () => {
    let step = 0;
    const call = fc.oneof({ weight: 3, arbitrary: looking(paths) }, { weight: 1, arbitrary: changing });
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 12 }), (calls) => {
        const answersOf = (deepfs: typeof fast) => {
          step += 1;
          const backend = new deepfs.StateBackend() as unknown as Asked;
          // Each side with an object of its own: what a step has changed is remembered with the object.
          const files = { ...records };
          return calls.map(([method, ...args]) => inGraph(files, step, () => backend[method](...args)));
        };
        expect(answersOf(fast)).toEqual(answersOf(slow));
      }),
      { numRuns: 400 },
    );
  });
});

describe("with them and without, the steps of a graph give the same answers", () => {
  it("whichever files a step brings again, and whatever has become of them", () => {
    const paths = Object.keys(makeRecords(120, 300));
    const anyPath = anyOf(paths.slice(0, 8));
    const change = fc.oneof(
      fc.tuple(fc.constant("other record" as const), anyPath, anyOf(WORDS)),
      fc.tuple(fc.constant("changed in place" as const), anyPath, anyOf(WORDS)),
      fc.tuple(fc.constant("same records in a new object" as const), anyPath, anyOf(WORDS)),
      fc.tuple(fc.constant("removed" as const), anyPath, anyOf(WORDS)),
      fc.tuple(fc.constant("the step before again" as const), anyPath, anyOf(WORDS)),
    );
    let step = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(change, looking(paths)), { minLength: 2, maxLength: 10 }), (steps) => {
        const backends = [fast, slow].map((deepfs) => new deepfs.StateBackend() as unknown as Asked);
        let files = makeRecords(120, 300) as Record<string, { content: unknown }>;
        let before = files;
        for (const [[what, path, word], [method, ...args]] of steps) {
          [files, before] = [what === "the step before again" ? before : { ...files }, files];
          const record = files[path];
          if (what === "removed") {
            delete files[path];
          } else if (what === "other record") {
            files[path] = { ...record, content: `${word} here\n` };
          } else if (what === "changed in place" && record !== undefined) {
            record.content = `${word} there\n`;
          }
          step += 1;
          const [one, other] = backends.map((backend) => inGraph(files, step, () => backend[method](...args)));
          expect(one).toEqual(other);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("with them and without, a disk gives the same answers", () => {
  it("to reads inside the call, remembered lines, and walks on several threads", { timeout: 120_000 }, async () => {
    const folder = testFolder();
    const files = makeRecords(700, 700);
    for (const [path, { content }] of Object.entries(files)) {
      const place = join(folder.ws, path);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, content);
    }
    folder.file("ws/long.txt", `${"a line of a long text\n".repeat(20_000)}end`);
    folder.file("ws/latin1.txt", Buffer.from("caf\u00e9 handleRequest\nzwei\n", "latin1"));
    folder.file("ws/empty.txt", "");
    // What changed a moment ago is not remembered.
    await sleep(2_100);
    const paths = [
      ...Object.keys(files).filter((_, at) => at % 70 === 0),
      "/long.txt",
      "/latin1.txt",
      "/empty.txt",
      "/none",
    ];
    const backends = [fast, slow].map((deepfs) => deepfs.FilesystemBackend.createSafe(folder.ws) as unknown as Asked);
    const far = fc.tuple(
      fc.constant("read" as const),
      fc.constant("/long.txt"),
      fc.integer({ min: 0, max: 20_010 }),
      fc.nat(50),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 3, arbitrary: looking(paths) }, { weight: 1, arbitrary: far as fc.Arbitrary<Call> }),
        async ([method, ...args]) => {
          const [one, other] = await Promise.all(backends.map((backend) => backend[method](...args)));
          expect(one).toEqual(other);
        },
      ),
      { numRuns: 400 },
    );
  });
});
