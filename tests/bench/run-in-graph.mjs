// A call as it comes from a node of a running graph: LangGraph's own place for the configuration, with channels that answer
// from memory, so that what is timed is the backend and not the graph.

import "@langchain/langgraph";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";

/**
 * @template T
 * @param {Record<string, unknown>} files the graph's files
 * @param {number} step which step of the graph it is; the files do not change within one
 * @param {() => T} call
 * @returns {T}
 */
export function inGraph(files, step, call) {
  const configurable = {
    thread_id: "bench",
    __pregel_task_id: "task",
    __pregel_read: () => files,
    __pregel_send: () => {},
  };
  // As `runWithConfig` leaves it, without the tracer that it makes for each run.
  const run = { extra: { [Symbol.for("lc:child_config")]: { configurable, metadata: { langgraph_step: step } } } };
  return AsyncLocalStorageProviderSingleton.getInstance().run(run, call);
}
