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
  /** The value that a channel had when the step began: the same object for all tasks of the step. */
  committed(channel: string): unknown;
  /** The value with this task's own writes applied. */
  fresh(channel: string): unknown;
  /** Writes to a channel; it counts when the step ends. */
  send(channel: string, update: unknown): void;
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
