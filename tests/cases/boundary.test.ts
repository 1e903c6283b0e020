/** What crosses from JavaScript into the core: half characters, times, and inputs that break things, in every build. */

import { InMemoryStore } from "@langchain/langgraph-checkpoint";
import type { BackendProtocolV2 } from "deepfs";
import * as native from "deepfs";
import * as wasm from "deepfs/wasm";
import { describe, expect } from "vitest";
import { diskTargets, stateTargets } from "../conformance/targets.js";
import type { CorpusTarget } from "../support/corpus.js";
import { fault } from "../support/fault.js";

const inStore = (build: string, { StoreBackend }: Pick<typeof native, "StoreBackend">): CorpusTarget => ({
  name: `StoreBackend, InMemoryStore, ${build}`,
  groups: ["store"],
  dialect: "state",
  open: async () => ({ backend: new StoreBackend({ store: new InMemoryStore(), namespace: ["boundary"] }) }),
});

const targets = [
  ...diskTargets(native).filter(({ groups }) => groups.includes("contained")),
  ...stateTargets(native, "native"),
  ...stateTargets(wasm as unknown as typeof native, "wasm in Node"),
  inStore("native", native),
  inStore("wasm in Node", wasm),
];

describe.each(targets)("$name", ({ name: target, open }) => {
  const counted = (key: string, kind: string, body: (backend: BackendProtocolV2) => Promise<void>): void => {
    fault(key, { kind, target }, async () => {
      const { backend, close } = await open({});
      try {
        await body(backend as BackendProtocolV2);
      } finally {
        await close?.();
      }
    });
  };

  counted("write-surrogate, wasm-surrogate", "encodings", async (backend) => {
    const half = { error: expect.stringContaining("position 1"), code: "invalid_content" };
    expect(await backend.write("/a.txt", "a\uD83Db")).toEqual(half);
    expect(await backend.read("/a.txt")).toMatchObject({ code: "file_not_found" });
    expect(await backend.write("/a.txt", "whole 😀 text")).not.toHaveProperty("error");
    expect(await backend.edit("/a.txt", "\uD83D", "x")).toMatchObject({ code: "invalid_content" });
    expect(await backend.edit("/a.txt", "e\uDE00", "x")).toEqual(half);
    expect(await backend.edit("/a.txt", "whole", "x\uD83D")).toEqual(half);
    expect(await backend.grep("\uDE00", "/")).toMatchObject({ code: "invalid_content" });
    expect(await backend.glob("\uDE00*", "/")).toMatchObject({ code: expect.any(String) });
    expect(await backend.write("/\uD83D", "x")).toMatchObject({ code: "invalid_path" });
    expect(await backend.read("/a.txt")).toMatchObject({ content: "whole 😀 text" });
  });

  counted("wasm-time", "times", async (backend) => {
    const before = Date.now() - 1_000;
    expect(await backend.write("/a.txt", "x")).not.toHaveProperty("error");
    const row = (await backend.ls("/")).files?.find(({ path }) => path === "/a.txt");
    const modified = Date.parse(row?.modified_at ?? "");
    expect([modified >= before, modified <= Date.now() + 1_000]).toEqual([true, true]);
  });

  counted("wasm-poison", "hostile input", async (backend) => {
    await backend.write("/a.txt", "one\ntwo\n");
    const answers = [
      await backend.glob("["),
      await backend.glob("{".repeat(5_000)),
      await backend.glob("{1..999999999}"),
      await backend.glob("**/".repeat(3_000)),
      await backend.read("/a.txt", 2 ** 53, 2 ** 53),
      await backend.read("/a.txt", -(2 ** 53), Number.NaN),
      await backend.read("/a.txt", Number.MAX_VALUE, Number.MIN_VALUE),
      await backend.grep("x".repeat(1_000_000), "/"),
      await backend.grep("o", "/", "[z-a]", 2 ** 40),
      await backend.edit("/a.txt", "o".repeat(100_000), "x"),
      await backend.write("/i.png", "=".repeat(10_000)),
    ];
    for (const answer of answers) expect(answer).toBeTypeOf("object");
    expect(await backend.read("/a.txt")).toMatchObject({ content: "one\ntwo\n" });
    expect((await backend.ls("/")).files?.map(({ path }) => path)).toEqual(["/a.txt"]);
  });

  counted("mw-preview-dollar", "edits", async (backend) => {
    // What a large result is moved out through: its text comes back as it was, whatever signs it has.
    const first = "A$&B $' C $$ $1 $` \\0 %s";
    const text = `${first}\n${"line\n".repeat(20_000)}`;
    expect(await backend.write("/large/result", text)).not.toHaveProperty("error");
    expect(await backend.read("/large/result", 0, 1)).toMatchObject({ content: first, totalLines: 20_001 });
    expect(await backend.edit("/large/result", first, `${first}${first}`)).toMatchObject({ occurrences: 1 });
    expect(await backend.grep("$&B $'", "/", null, 1)).toMatchObject({ matches: [{ line: 1, text: first + first }] });
  });

  counted("perm-error-status", "edits", async (backend) => {
    // A caller tells a failure by its fields, not by its words.
    await backend.write("/a.txt", "x\n");
    const failures = [
      await backend.edit("/a.txt", "zzz", "y"),
      await backend.edit("/none", "a", "b"),
      await backend.write("/a.txt/b", "x"),
      await backend.read("/none"),
      await backend.readRaw("/none"),
      await backend.delete?.("/none"),
    ];
    const codes = [
      "no_match",
      "file_not_found",
      "not_a_directory",
      "file_not_found",
      "file_not_found",
      "file_not_found",
    ];
    expect(failures).toEqual(codes.map((code) => ({ error: expect.any(String), code })));
    expect(await backend.write("/a.txt", "y\n")).not.toHaveProperty("error");
  });
});
