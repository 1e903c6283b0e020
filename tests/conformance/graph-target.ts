/** The state backend inside a run; `@langchain/langgraph` comes from the caller, as Node's form of it or the web's. */

import type * as LangGraph from "@langchain/langgraph/web";
import type * as Deepfs from "deepfs";
import type { CorpusTarget } from "../support/corpus.js";
import { RECORD_LACKS, reduceFiles } from "./state-targets.js";

type Exports = Pick<typeof Deepfs, "StateBackend">;
type Graphs = Pick<typeof LangGraph, "Annotation" | "MemorySaver" | "START" | "StateGraph">;

/** Inside a LangGraph run, each call in a step of its own, the files in a checkpoint between them. */
export function graphTarget({ StateBackend }: Exports, graphs: Graphs, build: string): CorpusTarget {
  const { Annotation, MemorySaver, START, StateGraph } = graphs;
  return {
    name: `StateBackend, in a graph, ${build}`,
    groups: ["js", "records", "graph"],
    dialect: "state",
    lacks: RECORD_LACKS,
    async open(options) {
      const backend = new StateBackend(options);
      const state = Annotation.Root({
        files: Annotation<Record<string, unknown>, Record<string, unknown>>({
          reducer: reduceFiles,
          default: () => ({}),
        }),
      });
      let next: () => unknown = () => undefined;
      let answer: unknown;
      const graph = new StateGraph(state)
        .addNode("call", async () => {
          answer = await next();
          return {};
        })
        .addEdge(START, "call")
        .compile({ checkpointer: new MemorySaver() });
      const inRun = new Proxy(backend, {
        get(target, name) {
          const method = Reflect.get(target, name) as unknown;
          if (typeof method !== "function") return method;
          return async (...args: unknown[]) => {
            next = () => method.apply(target, args) as unknown;
            await graph.invoke({}, { configurable: { thread_id: "one" } });
            return answer;
          };
        },
      });
      return { backend: inRun };
    },
  };
}
