/**
 * The run of a LangGraph graph that a call is part of, and its own channel to the graph's state.
 *
 * LangChain keeps the configuration of the current run in an `AsyncLocalStorage` that it registers on `globalThis`
 * under a symbol, so that several copies of it agree. It is looked up there: nothing is imported, and the same code
 * works with LangGraph, with another copy of it, and without.
 */

import type { GraphStore } from "../protocol/runtime.js";

const STORAGE = Symbol.for("ls:tracing_async_local_storage");
const CHILD_CONFIG = Symbol.for("lc:child_config");

type Read = (channel: string, fresh: boolean) => unknown;
type Send = (writes: [channel: string, value: unknown][]) => void;

/** The parts of a run's configuration that backends use. */
export interface RunConfig {
  configurable?: Record<string, unknown>;
  metadata?: Record<string, unknown>;
  store?: GraphStore;
  context?: unknown;
  executionInfo?: unknown;
  serverInfo?: unknown;
}

/** The configuration of the run that this call is part of; `undefined` outside of one. */
export function currentRunConfig(): RunConfig | undefined {
  const storage = (globalThis as Record<symbol, unknown>)[STORAGE] as { getStore?: () => unknown } | undefined;
  const tree = storage?.getStore?.() as { extra?: Record<symbol, unknown> } | undefined;
  return tree?.extra?.[CHILD_CONFIG] as RunConfig | undefined;
}

/** One task of a running graph. */
export interface GraphTask {
  /** Names the task within its step. */
  readonly id: string;
  /** Names the step of the graph, as exactly as LangGraph tells it. */
  readonly step: string;
  /** The step's place among those of its run. */
  readonly stepNumber: number;
  /** The graphs around the task, the outermost first, its own last; empty where LangGraph does not tell them all. */
  readonly levels: readonly GraphLevel[];
  /** The value that a channel had when the step began: the same object for all tasks of the step. */
  committed(channel: string): unknown;
  /** The value with this task's own writes applied. */
  fresh(channel: string): unknown;
  /** Writes to a channel; it counts when the step ends. */
  send(channel: string, update: unknown): void;
}

/** One of the graphs that a task runs in. */
export interface GraphLevel {
  /** Names the graph, with its thread. */
  readonly graph: string;
  /** Names the graph's step: the checkpoint that it began with. */
  readonly step: string;
  /** The task of the graph that the call is in. */
  readonly task: string;
}

/** The task that this call is part of; `undefined` outside of a graph. */
export function currentTask(): GraphTask | undefined {
  const config = currentRunConfig();
  const configurable = config?.configurable;
  const read = configurable?.["__pregel_read"];
  const send = configurable?.["__pregel_send"];
  if (configurable === undefined || typeof read !== "function" || typeof send !== "function") {
    return undefined;
  }
  return {
    id: String(configurable["__pregel_task_id"] ?? configurable["checkpoint_ns"] ?? ""),
    step: stepOf(configurable, config?.metadata),
    stepNumber: Number(config?.metadata?.["langgraph_step"] ?? 0),
    levels: levelsOf(configurable),
    committed: (channel) => (read as Read)(channel, false),
    fresh: (channel) => (read as Read)(channel, true),
    send: (channel, update) => (send as Send)([[channel, update]]),
  };
}

function stepOf(configurable: Record<string, unknown>, metadata: Record<string, unknown> | undefined): string {
  const checkpoints = configurable["checkpoint_map"];
  return JSON.stringify([
    configurable["thread_id"] ?? null,
    metadata?.["langgraph_step"] ?? null,
    typeof checkpoints === "object" ? checkpoints : null,
  ]);
}

/** A namespace such as `tools:1|tools:2` names the task of each graph on the way in. */
function levelsOf(configurable: Record<string, unknown>): GraphLevel[] {
  const { checkpoint_ns: namespace, checkpoint_map: checkpoints, thread_id: thread } = configurable;
  if (typeof namespace !== "string" || namespace === "" || typeof checkpoints !== "object" || checkpoints === null) {
    return [];
  }
  const tasks = namespace.split("|");
  const levels = tasks.map((task, depth) => {
    const graph = tasks.slice(0, depth).join("|");
    const step = (checkpoints as Record<string, unknown>)[graph];
    return { graph: `${String(thread)}\n${graph}`, step, task };
  });
  return levels.every((level): level is GraphLevel => typeof level.step === "string") ? levels : [];
}
