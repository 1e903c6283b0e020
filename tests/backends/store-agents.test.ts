import { InMemoryStore, MemorySaver } from "@langchain/langgraph-checkpoint";
import { type BackendProtocolV2, createDeepAgent } from "deepagents";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scriptedModel, type ToolCall } from "../support/agent.js";
import { deepfs } from "../support/backend.js";
import { connectTo, openPostgres } from "../support/stores.js";

const { ContextHubBackend, StoreBackend } = deepfs;

/** Upstream's declarations take the backends without a cast. */
export const typed: BackendProtocolV2[] = [new StoreBackend(), new ContextHubBackend("name")];

async function tell(
  turns: ToolCall[][],
  options: Partial<Parameters<typeof createDeepAgent>[0]>,
  context: object,
): Promise<string[]> {
  const agent = createDeepAgent({ model: scriptedModel(turns), checkpointer: new MemorySaver(), ...options });
  const state = await agent.invoke({ messages: [{ role: "user", content: "go" }] }, {
    configurable: { thread_id: crypto.randomUUID() },
    context,
  } as never);
  const { messages } = state as unknown as { messages: { getType(): string; text: string }[] };
  return messages.filter((message) => message.getType() === "tool").map((message) => message.text);
}

describe("a deep agent on a StoreBackend", () => {
  test("files outlive threads, belong to whom the namespace says, and parallel edits are all kept", async () => {
    const store = new InMemoryStore();
    const backend = new StoreBackend({ namespace: (rt) => ["memories", rt.context.userId] });
    const ann = { userId: "ann" };
    await tell([[["write_file", { file_path: "/log.txt", content: "one\ntwo\nthree\n" }]]], { store, backend }, ann);
    const edits = ["one", "two", "three"].map((word): ToolCall => [
      "edit_file",
      { file_path: "/log.txt", old_string: word, new_string: word.toUpperCase() },
    ]);
    const answers = await tell([edits, [["read_file", { file_path: "/log.txt" }]]], { store, backend }, ann);
    expect(answers).toHaveLength(4);
    expect(answers[3]).toMatch(/ONE[^]*TWO[^]*THREE/);
    const [listing] = await tell([[["ls", { path: "/" }]]], { store, backend }, { userId: "bob" });
    expect(listing).not.toContain("log.txt");
    const items = await store.search(["memories"]);
    expect(items.map(({ namespace, key }) => [...namespace, key])).toEqual([["memories", "ann", "/log.txt"]]);
  });

  describe("on Postgres", () => {
    let postgres: Awaited<ReturnType<typeof openPostgres>>;
    beforeAll(async () => {
      postgres = await openPostgres();
    });
    afterAll(() => postgres.close());

    test("what one connection's agent writes, the next one's finds", async () => {
      const backend = new StoreBackend({ namespace: ["shared"] });
      const text = "needle in a long file\n".repeat(300);
      await tell(
        [[["write_file", { file_path: "/notes/a.md", content: text }]]],
        { store: postgres.store, backend },
        {},
      );
      const other = connectTo(postgres.url);
      const turns: ToolCall[][] = [
        [
          ["glob", { pattern: "**/*.md" }],
          ["grep", { pattern: "needle", path: "/notes" }],
        ],
        [["edit_file", { file_path: "/notes/a.md", old_string: "needle", new_string: "pin", replace_all: true }]],
      ];
      const [globbed, grepped, edited] = await tell(
        turns,
        { store: other.store, backend: new StoreBackend({ namespace: ["shared"] }) },
        {},
      );
      expect(globbed).toContain("/notes/a.md");
      expect(grepped).toContain("/notes/a.md");
      expect(edited).toContain("300");
      await other.store.stop();
    }, 60_000);
  });
});
