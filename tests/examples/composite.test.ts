/** The documentation's examples of routing: ephemeral files with durable memories beside them. */

import { InMemoryStore, MemorySaver } from "@langchain/langgraph";
import { createDeepAgent } from "deepagents";
import { CompositeBackend, FilesystemBackend, StateBackend, StoreBackend } from "deepfs";
import { describe, expect, test } from "vitest";
import { scriptedModel, type ToolCall } from "../support/agent.js";
import { workspace } from "./workspace.js";

type Backend = NonNullable<Parameters<typeof createDeepAgent>[0]>["backend"];

/** What the tools answered in one run on a thread. */
async function answers(
  backend: Backend,
  calls: ToolCall[],
  where: { store: InMemoryStore; saver: MemorySaver; thread: string },
): Promise<string[]> {
  const agent = createDeepAgent({
    model: scriptedModel(calls.map((call) => [call])),
    backend,
    store: where.store,
    checkpointer: where.saver,
  });
  const { messages } = await agent.invoke({ messages: ["go"] }, { configurable: { thread_id: where.thread } });
  return messages
    .filter((message) => message.type === "tool")
    .slice(-calls.length)
    .map((message) => message.text);
}

const save: ToolCall[] = [
  ["write_file", { file_path: "/memories/style.md", content: "short sentences" }],
  ["write_file", { file_path: "/draft.md", content: "draft" }],
];
const look: ToolCall[] = [
  ["read_file", { file_path: "/memories/style.md" }],
  ["read_file", { file_path: "/draft.md" }],
  ["ls", { path: "/" }],
];

describe("memories outlive the thread", () => {
  test.each([
    [
      "backends",
      () =>
        new CompositeBackend(new StateBackend(), {
          "/memories/": new StoreBackend({ namespace: () => ["filesystem"] }),
        }),
    ],
    [
      "the deprecated factory",
      () => (config: never) =>
        new CompositeBackend(new StateBackend(config), { "/memories/": new StoreBackend(config) }),
    ],
  ])("%s", async (_name, make) => {
    const store = new InMemoryStore();
    const saver = new MemorySaver();
    const backend = make() as Backend;
    await answers(backend, save, { store, saver, thread: "1" });
    const same = await answers(backend, look, { store, saver, thread: "1" });
    const other = await answers(backend, look, { store, saver, thread: "2" });
    expect(same[0]).toContain("short sentences");
    expect(same[1]).toContain("draft");
    expect(other[0]).toContain("short sentences");
    expect(other[1]).toContain("not found");
    expect(other[2]).toBe("/memories/ (directory)");
  });
});

test("files of the disk beside memories", async () => {
  const root = workspace();
  const backend = new CompositeBackend(new FilesystemBackend({ rootDir: root, virtualMode: true }), {
    "/memories/": new StoreBackend({ namespace: () => ["filesystem"] }),
  });
  const where = { store: new InMemoryStore(), saver: new MemorySaver(), thread: "1" };
  expect(await answers(backend, save, where)).toEqual([
    "Successfully wrote to '/memories/style.md'",
    "Successfully wrote to '/draft.md'",
  ]);
  const found = await answers(
    backend,
    [
      ["glob", { pattern: "**/*.md" }],
      ["grep", { pattern: "t s", glob: "*.md" }],
    ],
    where,
  );
  expect(found[0]).toBe("/draft.md\n/memories/style.md");
  expect(found[1]).toContain("/memories/style.md");
  expect((await FilesystemBackend.createSafe(root).ls("/")).files?.map(({ path }) => path)).toEqual(["/draft.md"]);
});

test("the longest prefix wins, and listings keep the prefixes", async () => {
  const docs = new StateBackend({ files: { "/guide.md": "guide" } });
  const api = new StateBackend({ files: { "/v2.md": "api" } });
  const backend = new CompositeBackend(new StateBackend(), { "/docs/": docs, "/docs/api/": api });
  expect((await backend.ls("/docs")).files?.map(({ path }) => path)).toEqual(["/docs/api/", "/docs/guide.md"]);
  expect((await backend.read("/docs/api/v2.md")).content).toBe("api");
});

test("the reference's form with fallbacks, which no version of the peer has, is refused in plain words", () => {
  const layers = { primary: new StateBackend(), fallbacks: [new StateBackend()] };
  const make = CompositeBackend as unknown as new (layers: object) => CompositeBackend;
  expect(() => new make(layers)).toThrow("CompositeBackend: the routes must be an object of backends by path");
});
