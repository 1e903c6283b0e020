/** The documentation's examples of `StoreBackend`: files that outlive threads, and whose they are. */

import { InMemoryStore } from "@langchain/langgraph";
import { StoreBackend, type StoreBackendOptions } from "deepfs";
import { describe, expect, test } from "vitest";
import { ask, read, type Run, write } from "./ask.js";

/** Labels of the namespaces that hold something. */
async function used(store: InMemoryStore): Promise<string[]> {
  return (await store.listNamespaces({ limit: 100 })).map((labels) => labels.join("/")).sort();
}

/** What a LangGraph server says of a user's run. */
const as = (identity: string, thread_id = "t1"): Run => ({
  configurable: { thread_id, langgraph_auth_user: { identity }, assistant_id: "helper", graph_id: "agent" },
});

describe("namespace factories", () => {
  test.each<[string, StoreBackendOptions["namespace"], string[]]>([
    ["per user", (rt) => [rt.serverInfo.user.identity], ["ann", "bob"]],
    ["per assistant", (rt) => [rt.serverInfo.assistantId], ["helper"]],
    ["per thread", (rt) => [rt.executionInfo.threadId], ["t1", "t2"]],
    ["per user and thread", (rt) => [rt.serverInfo.user.identity, rt.executionInfo.threadId], ["ann/t1", "bob/t2"]],
    ["with a suffix", (rt) => [rt.serverInfo.user.identity, "filesystem"], ["ann/filesystem", "bob/filesystem"]],
    ["by the context of the run", (rt) => [rt.context.userId], ["user-ann", "user-bob"]],
    ["the older argument", (ctx) => [ctx.runtime.context.userId], ["user-ann", "user-bob"]],
    ["the same for all", () => ["memories"], ["memories"]],
    ["labels without a function", ["memories", "org"], ["memories/org"]],
  ])("%s", async (_name, namespace, expected) => {
    const store = new InMemoryStore();
    const backend = new StoreBackend({ ...(namespace && { namespace }) });
    const ann = { ...as("ann", "t1"), context: { userId: "user-ann" } };
    const bob = { ...as("bob", "t2"), context: { userId: "user-bob" } };
    await ask({ backend, store }, [write("/memo.md", "of ann")], ann);
    const [first] = await ask({ backend, store }, [read("/memo.md"), write("/memo.md", "of bob")], bob);
    const [mine] = await ask({ backend, store }, [read("/memo.md")], ann);
    const isShared = expected.length === 1;
    expect(first).toMatch(isShared ? /of ann/ : /not found/);
    expect(mine).toMatch(isShared ? /of bob/ : /of ann/);
    expect(await used(store)).toEqual(expected);
  });

  test("a user of another is not seen, whatever the names begin with", async () => {
    const store = new InMemoryStore();
    const backend = new StoreBackend({ namespace: (rt) => [rt.serverInfo.user.identity] });
    await ask({ backend, store }, [write("/secret.md", "x")], as("acme"));
    const [seen] = await ask({ backend, store }, [["glob", { pattern: "**/*" }]], as("acme-corp"));
    expect(seen).not.toContain("secret");
  });

  test("without one: the assistant's, which all its users share", async () => {
    const store = new InMemoryStore();
    await ask({ backend: new StoreBackend(), store }, [write("/a.md", "x")], as("ann"));
    await ask({ backend: new StoreBackend(), store }, [write("/a.md", "x")]);
    expect(await used(store)).toEqual(["filesystem", "helper/filesystem"]);
  });
});

test("a store of its own, without the agent's", async () => {
  const store = new InMemoryStore();
  const backend = new StoreBackend({ store });
  await ask({ backend }, [write("/a.md", "kept")]);
  const [found] = await ask({ backend }, [read("/a.md")], { configurable: { thread_id: "another" } });
  expect(found).toContain("kept");
});

test("without any store, the answer says what to do", async () => {
  const [answer] = await ask({ backend: new StoreBackend({ namespace: ["a"] }) }, [write("/a.md", "x")]);
  expect(answer).toMatch(/there is no store: give the option store/);
});

test("the older format of records, for readers that know no other", async () => {
  const store = new InMemoryStore();
  const backend = new StoreBackend({ fileFormat: "v1", namespace: ["old"] });
  const [, found] = await ask({ backend, store }, [write("/a.md", "one\ntwo"), read("/a.md")]);
  expect(found).toMatch(/one\ntwo/);
  expect((await store.get(["old"], "/a.md"))?.value).toMatchObject({ content: ["one", "two"] });
});
