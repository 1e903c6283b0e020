/** The backends the corpus runs on in Node, by build. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Annotation, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import type * as Deepfs from "deepfs";
import type { CorpusTarget } from "../support/corpus.js";

type Exports = typeof Deepfs;

const RECORD_LACKS = ["gitignore"];

export function diskTarget({ FilesystemBackend }: Exports): CorpusTarget {
  return {
    name: "FilesystemBackend, contained",
    groups: ["js", "disk", "contained"],
    dialect: "disk",
    async open(options) {
      const root = await mkdtemp(join(tmpdir(), "deepfs-corpus-"));
      return { backend: FilesystemBackend.createSafe(root, options), close: () => rm(root, { recursive: true }) };
    },
  };
}

/** The backend's own memory: no graph is running. */
export function memoryTarget({ StateBackend }: Exports, build: string): CorpusTarget {
  return {
    name: `StateBackend, own memory, ${build}`,
    groups: ["js", "records", "memory"],
    dialect: "state",
    lacks: RECORD_LACKS,
    open: async (options) => ({ backend: new StateBackend(options) }),
  };
}

/** The runtime object of old: the caller applies `filesUpdate`. */
export function legacyTarget({ StateBackend }: Exports, build: string): CorpusTarget {
  return {
    name: `StateBackend, legacy runtime, ${build}`,
    groups: ["js", "records", "legacy"],
    dialect: "state",
    lacks: RECORD_LACKS,
    async open(options) {
      const runtime = { state: { files: {} as Record<string, unknown> } };
      const backend = new StateBackend(runtime as never, options);
      const apply = (update: Record<string, unknown> | undefined | null): void => {
        runtime.state.files = reduceFiles(runtime.state.files, update ?? {});
      };
      return { backend: observed(backend, (result) => apply((result as { filesUpdate?: Record<string, unknown> }).filesUpdate)) };
    },
  };
}

/** Inside a LangGraph run, each call in a step of its own, the files in a checkpoint between them. */
export function graphTarget({ StateBackend }: Exports, build: string): CorpusTarget {
  return {
    name: `StateBackend, in a graph, ${build}`,
    groups: ["js", "records", "graph"],
    dialect: "state",
    lacks: RECORD_LACKS,
    async open(options) {
      const backend = new StateBackend(options);
      const state = Annotation.Root({
        files: Annotation<Record<string, unknown>, Record<string, unknown>>({ reducer: reduceFiles, default: () => ({}) }),
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

/** How agents reduce the files of their state: by key, `null` deletes. */
function reduceFiles(files: Record<string, unknown>, update: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...files, ...update }).filter(([, record]) => record !== null));
}

function observed(backend: object, see: (result: object) => void): object {
  return new Proxy(backend, {
    get(target, name) {
      const method = Reflect.get(target, name) as unknown;
      if (typeof method !== "function") return method;
      return (...args: unknown[]) => {
        const result = method.apply(target, args) as unknown;
        if (typeof result === "object" && result !== null) see(result);
        return result;
      };
    },
  });
}
