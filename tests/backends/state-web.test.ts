/** `StateBackend` with the part of LangGraph that runs in a page, which brings no `AsyncLocalStorage`. */

import { AsyncLocalStorage } from "node:async_hooks";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import { Annotation, START, StateGraph } from "@langchain/langgraph/web";
import { StateBackend } from "deepfs";
import { expect, test } from "vitest";
import { contents, record } from "../support/records.js";

const State = Annotation.Root({
  files: Annotation<Record<string, unknown>, Record<string, unknown>>({
    reducer: (files, update) => ({ ...files, ...update }),
    default: () => ({}),
  }),
});

async function run(backend: StateBackend): Promise<unknown> {
  const graph = new StateGraph(State)
    .addNode("work", async () => {
      await Promise.resolve();
      backend.write("/b", "2");
      return {};
    })
    .addEdge(START, "work")
    .compile();
  const { files } = await graph.invoke({ files: { "/a": record("1") } });
  return contents(files);
}

test("files of its own without the storage, the graph's files with it", async () => {
  const backend = new StateBackend();
  expect(await run(backend)).toEqual({ "/a": "1" });
  expect(contents(backend.snapshot())).toEqual({ "/b": "2" });

  AsyncLocalStorageProviderSingleton.initializeGlobalInstance(new AsyncLocalStorage());
  const inGraph = new StateBackend();
  expect(await run(inGraph)).toEqual({ "/a": "1", "/b": "2" });
  expect(inGraph.snapshot()).toEqual({});
});
