import { InMemoryStore, MemorySaver } from "@langchain/langgraph-checkpoint";
import { Annotation, START, StateGraph } from "@langchain/langgraph";
import { StoreBackend as UpstreamStoreBackend } from "deepagents";
import type { StoreBackendOptions } from "deepfs";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { deepfs } from "../support/backend.js";
import { openPostgres } from "../support/stores.js";

const { StoreBackend } = deepfs;
type Namespace = NonNullable<StoreBackendOptions["namespace"]>;

/** The namespaces that hold something. */
const used = async (store: InMemoryStore): Promise<string[]> =>
  (await store.listNamespaces({ limit: 1_000 })).map((labels) => labels.join("/"));

/** Runs a call inside a graph, with all that a run can have. */
async function inGraph<T>(store: InMemoryStore, call: () => Promise<T>, configurable = {}): Promise<T> {
  let answer: T | undefined;
  const State = Annotation.Root({ userId: Annotation<string> });
  const graph = new StateGraph(State)
    .addNode("call", async () => {
      answer = await call();
      return {};
    })
    .addEdge(START, "call")
    .compile({ store, checkpointer: new MemorySaver() });
  await graph.invoke({ userId: "of-state" }, {
    configurable: { thread_id: "t1", ...configurable },
    metadata: { tenant: "of-metadata" },
    context: { userId: "of-context" },
    serverInfo: { assistantId: "of-server", graphId: "g", user: { identity: "of-user" } },
  } as never);
  return answer as T;
}

describe("the namespace", () => {
  test.each<[string, Namespace, string]>([
    ["static", ["memories", "org"], "memories/org"],
    ["state", ({ state }) => ["m", (state as { userId: string }).userId], "m/of-state"],
    ["context", (rt) => ["m", rt.context.userId], "m/of-context"],
    ["serverInfo.user", (rt) => ["m", rt.serverInfo.user.identity], "m/of-user"],
    ["serverInfo.assistantId", (rt) => [rt.serverInfo.assistantId], "of-server"],
    ["config.metadata", ({ config }) => ["m", String(config?.metadata?.["tenant"])], "m/of-metadata"],
    ["config.configurable", ({ config }) => ["m", String(config?.configurable?.["thread_id"])], "m/t1"],
    ["configurable", ({ configurable }) => ["m", String(configurable?.["thread_id"])], "m/t1"],
    [
      "runtime, as in Python",
      (ctx) => ["m", ctx.runtime.context.userId, ctx.runtime.state.userId],
      "m/of-context/of-state",
    ],
    ["store", ({ store }) => ["m", store === undefined ? "none" : "some"], "m/some"],
    ["executionInfo", (rt) => ["m", rt.executionInfo.threadId], "m/t1"],
  ])("from the run: %s", async (_, namespace, expected) => {
    const store = new InMemoryStore();
    const files = new StoreBackend({ namespace });
    expect(await inGraph(store, () => files.write("/a.txt", "x"))).toEqual({ path: "/a.txt", filesUpdate: null });
    expect(await used(store)).toEqual([expected]);
  });

  test("by default the assistant's, else one for all; as upstream", async () => {
    for (const configurable of [{}, { assistant_id: "asst" }]) {
      const [ours, theirs] = [new InMemoryStore(), new InMemoryStore()];
      await inGraph(ours, () => new StoreBackend().write("/a.txt", "x"), configurable);
      await inGraph(theirs, () => new UpstreamStoreBackend().write("/a.txt", "x"), configurable);
      expect(await used(ours)).toEqual(await used(theirs));
    }
  });

  test("the legacy constructor: store, state, config and assistantId of the runtime, with one warning", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const store = new InMemoryStore();
    const runtime = { state: { userId: "u" }, store, assistantId: "asst", context: { team: "t" } };
    await new StoreBackend(runtime as never).write("/a.txt", "x");
    await new StoreBackend(runtime as never, {
      namespace: (rt) => [(rt.state as { userId: string }).userId, rt.context.team, String(rt.assistantId)],
    }).write("/a.txt", "x");
    expect(await used(store)).toEqual(["asst/filesystem", "u/t/asst"]);
    const other = new InMemoryStore();
    await new StoreBackend({ state: {} } as never, { store: other, namespace: ["n"] }).write("/a.txt", "x");
    expect(await used(other)).toEqual(["n"]);
    const told = warn.mock.calls.filter(([text]) => String(text).includes("StoreBackend(runtime)"));
    expect(told).toHaveLength(1);
    warn.mockRestore();
  });

  test("a bad one throws from the constructor, and is an error result from a factory; as upstream judges it", async () => {
    const store = new InMemoryStore();
    const bad = [[], [""], ["a", 7], ["a*"], ["a/b"], ["a b"], ["{x}"], ["ü"]];
    for (const namespace of bad as string[][]) {
      expect(() => new StoreBackend({ store, namespace })).toThrow(/amespace/);
      expect(() => new UpstreamStoreBackend({ store, namespace })).toThrow(/amespace/);
      const files = new StoreBackend({ store, namespace: () => namespace });
      expect(await files.ls("/")).toMatchObject({ code: "invalid_argument" });
    }
    for (const namespace of [["a.b"], ["a@b.c"], ["a_b"], ["a+b~c-d"]]) {
      // What a store makes of these is for the store to say.
      expect(() => new StoreBackend({ store, namespace })).not.toThrow();
      expect(() => new UpstreamStoreBackend({ store, namespace })).not.toThrow();
    }
    expect(() => new StoreBackend({ store, namespace: ["a", "deepfs-index"] })).toThrow(/deepfs uses itself/);
    const throwing = new StoreBackend({ store, namespace: (rt) => [rt.serverInfo.user.identity] });
    expect(await throwing.write("/a.txt", "x")).toMatchObject({ code: "invalid_argument" });
  });

  test("a subclass may give it", async () => {
    class OfTenant extends StoreBackend {
      protected override getNamespace(): string[] {
        return ["tenant", "sub"];
      }
    }
    const store = new InMemoryStore();
    await new OfTenant({ store }).write("/a.txt", "x");
    expect(await used(store)).toEqual(["tenant/sub"]);
  });
});

describe("namespaces on Postgres", () => {
  let postgres: Awaited<ReturnType<typeof openPostgres>>;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(() => postgres.close());

  test("a refused character is an error with a hint, and encodeNamespace is the way out", async () => {
    const { store } = postgres;
    for (const label of ["user@example.com", "a_b", "a.b"]) {
      const refused = await new StoreBackend({ store, namespace: ["m", label] }).write("/a.txt", "x");
      expect(refused).toMatchObject({
        code: "unavailable",
        error: expect.stringContaining("encodeNamespace") as string,
      });
    }
    const labels = ["user@example.com", "user-40example.com", "a b/ü%_\\", "plain"];
    for (const label of labels) {
      const files = new StoreBackend({ store, namespace: ["m", label], encodeNamespace: true });
      expect(await files.write("/a.txt", label)).toEqual({ path: "/a.txt", filesUpdate: null });
    }
    for (const label of labels) {
      const files = new StoreBackend({ store, namespace: () => ["m", label], encodeNamespace: true });
      expect((await files.read("/a.txt")).content).toBe(label);
      expect((await files.ls("/")).files).toHaveLength(1);
    }
  });
});
