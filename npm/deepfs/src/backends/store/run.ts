/** The run that a call happens in, as far as a store backend has to know it. */

import { currentRunConfig } from "../../adapters/graph.js";
import type { GraphStore } from "../../protocol/types.js";
import { executionInfoOf, serverInfoOf } from "./run-info.js";

/** What is known of a run; nothing of it has to be there. */
export interface Run {
  readonly state: unknown;
  readonly store?: GraphStore;
  readonly config?: { metadata?: Record<string, unknown>; configurable?: Record<string, unknown> };
  readonly context?: unknown;
  readonly serverInfo?: unknown;
  readonly executionInfo?: unknown;
  /** The `assistantId` of a runtime that was handed over. */
  readonly assistantId?: unknown;
  /** The runtime that was handed over. */
  readonly runtime?: unknown;
}

/** The run of a runtime that the backend was made with (the deprecated form), or the one that is going on. */
export function runOf(runtime: Record<string, unknown> | undefined): Run {
  const current = objectOf(currentRunConfig()) ?? {};
  const injected = objectOf(runtime?.["config"]);
  const config = injected ?? (Object.keys(current).length > 0 ? current : undefined);
  const first = (name: string): unknown => runtime?.[name] ?? injected?.[name] ?? current[name];
  const store = runtime === undefined ? current["store"] : runtime["store"];
  const settings = config && settingsOf(config, runtime);
  return {
    state: runtime === undefined ? taskInput(current) : runtime["state"],
    ...(isStore(store) && { store }),
    ...(settings && { config: settings }),
    context: first("context"),
    serverInfo: first("serverInfo") ?? serverInfoOf(settings?.configurable, settings?.metadata),
    executionInfo: first("executionInfo") ?? executionInfoOf(settings?.configurable, settings?.metadata),
    assistantId: runtime?.["assistantId"],
    runtime,
  };
}

/** The assistant's id, from the run's settings and then from the runtime. */
export function assistantIdOf(run: Run): string | undefined {
  const { metadata, configurable } = run.config ?? {};
  const candidates = [
    metadata?.["assistant_id"] ?? metadata?.["assistantId"],
    configurable?.["assistant_id"] ?? configurable?.["assistantId"],
    run.assistantId,
  ];
  return candidates.find((id): id is string => typeof id === "string" && id !== "");
}

function settingsOf(
  config: Record<string, unknown>,
  runtime: Record<string, unknown> | undefined,
): { metadata?: Record<string, unknown>; configurable?: Record<string, unknown> } {
  const metadata = objectOf(config["metadata"]);
  const configurable = objectOf(config["configurable"]) ?? objectOf(runtime?.["configurable"]);
  return { ...(metadata && { metadata }), ...(configurable && { configurable }) };
}

/** The state that the running task was started with. */
function taskInput(config: Record<string, unknown>): unknown {
  const configurable = objectOf(config["configurable"]);
  return objectOf(configurable?.["__pregel_scratchpad"])?.["currentTaskInput"];
}

function objectOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}

function isStore(value: unknown): value is GraphStore {
  const store = objectOf(value);
  return typeof store?.["get"] === "function" && typeof store["put"] === "function";
}
