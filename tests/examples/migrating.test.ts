/** The documentation's examples of migrating: from factories, from `BackendContext`, and from the first protocol. */

import { InMemoryStore, MemorySaver } from "@langchain/langgraph";
import type { createDeepAgent } from "deepagents";
import {
  adaptBackendProtocol,
  adaptSandboxProtocol,
  type BackendProtocolV1,
  type BackendRuntime,
  CompositeBackend,
  isSandboxBackend,
  type SandboxBackendProtocolV1,
  StateBackend,
  StoreBackend,
} from "deepfs";
import { describe, expect, test } from "vitest";
import { ask, edit, read, type Run, write } from "./ask.js";

type Backend = NonNullable<Parameters<typeof createDeepAgent>[0]>["backend"];

describe("from factories", () => {
  const byUser = (rt: { serverInfo?: { user: { identity: string } } }) => [String(rt.serverInfo?.user.identity)];

  const before = (config: BackendRuntime) =>
    new CompositeBackend(new StateBackend(config), { "/memories/": new StoreBackend(config, { namespace: byUser }) });
  const after = new CompositeBackend(new StateBackend(), { "/memories/": new StoreBackend({ namespace: byUser }) });

  test.each<[string, Backend]>([
    ["before", before as never],
    ["after", after],
  ])("%s: the same answers", async (_name, backend) => {
    const store = new InMemoryStore();
    const checkpointer = new MemorySaver();
    const run = (thread_id: string): Run => ({ configurable: { thread_id, langgraph_auth_user: { identity: "ann" } } });
    const calls = [
      write("/memories/a.md", "memory"),
      write("/draft.md", "draft"),
      edit("/draft.md", "draft", "final"),
      read("/draft.md"),
    ];
    const answers = await ask({ backend, store, checkpointer }, calls, run("1"));
    const other = await ask({ backend, store, checkpointer }, [read("/memories/a.md"), read("/draft.md")], run("2"));
    expect(answers[3]).toContain("final");
    expect(other[0]).toContain("memory");
    expect(other[1]).toContain("not found");
    expect(await store.listNamespaces({ limit: 10 })).toEqual([["ann"]]);
  });
});

test("from `BackendContext`: the accessors of old beside those of now", async () => {
  const store = new InMemoryStore();
  const run: Run = { context: { userId: "ann" }, configurable: { langgraph_auth_user: { identity: "ann" } } };
  const old = new StoreBackend({ namespace: (ctx) => [ctx.runtime.context.userId] });
  const current = new StoreBackend({ namespace: (rt) => [rt.serverInfo.user.identity] });
  await ask({ backend: old, store }, [write("/a.md", "kept")], run);
  expect((await ask({ backend: current, store }, [read("/a.md")], run))[0]).toContain("kept");
});

describe("from the first protocol", () => {
  /** A backend of the first protocol, over a map. */
  const oldBackend = (files = new Map([["/a.txt", "one\nneedle"]])): BackendProtocolV1 => ({
    lsInfo: () => [...files.keys()].map((path) => ({ path, is_dir: false })),
    read: (path) => files.get(path) ?? `Error: File '${path}' not found`,
    readRaw: (path) => ({ content: (files.get(path) ?? "").split("\n"), created_at: "", modified_at: "" }),
    grepRaw: (pattern) =>
      [...files].flatMap(([path, text]) =>
        text.split("\n").flatMap((line, at) => (line.includes(pattern) ? [{ path, line: at + 1, text: line }] : [])),
      ),
    globInfo: () => [...files.keys()].map((path) => ({ path, is_dir: false })),
    write: (path, content) => {
      files.set(path, content);
      return { path };
    },
    edit: (path, from, to) => {
      files.set(path, (files.get(path) ?? "").replace(from, to));
      return { path, occurrences: 1 };
    },
  });

  test("adapted for calls of one's own", async () => {
    const backend = adaptBackendProtocol(oldBackend());
    expect(await backend.ls("/")).toEqual({ files: [{ path: "/a.txt", is_dir: false }] });
    expect(await backend.read("/a.txt")).toMatchObject({ content: "one\nneedle" });
    // The first protocol tells errors as texts.
    expect(await backend.read("/b.txt")).toMatchObject({ content: "Error: File '/b.txt' not found" });
    expect(await backend.readRaw("/a.txt")).toMatchObject({ data: { content: "one\nneedle" } });
    expect(await backend.grep("needle")).toEqual({ matches: [{ path: "/a.txt", line: 2, text: "needle" }] });
    expect(await backend.glob("*")).toEqual({ files: [{ path: "/a.txt", is_dir: false }] });
  });

  test("a sandbox", async () => {
    const old: SandboxBackendProtocolV1 = {
      ...oldBackend(),
      id: "old-sandbox",
      execute: (command) => ({ output: `ran ${command}`, exitCode: 0, truncated: false }),
    };
    const sandbox = adaptSandboxProtocol(old);
    expect(isSandboxBackend(sandbox)).toBe(true);
    expect(sandbox.id).toBe("old-sandbox");
    expect(await sandbox.execute("ls")).toMatchObject({ output: "ran ls", exitCode: 0 });
    expect(await sandbox.read("/a.txt")).toMatchObject({ content: "one\nneedle" });
  });

  test("handed to an agent as it is, or mounted beside others", async () => {
    for (const backend of [oldBackend(), new CompositeBackend(oldBackend(), { "/new/": new StateBackend() })]) {
      const answers = await ask({ backend }, [edit("/a.txt", "one", "two"), read("/a.txt")]);
      expect(answers[0]).toBe("Successfully replaced 1 occurrence(s) in '/a.txt'");
      expect(answers[1]).toContain("two");
    }
  });
});
