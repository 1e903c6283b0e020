/**
 * Who runs, and what: the objects that LangGraph gives to a node. A tool of an agent gets a shorter configuration
 * without them, and it is tools that call backends; so they are put together again from what is left.
 */

import type { ExecutionInfo, ServerInfo } from "../../protocol/types.js";

type Fields = Readonly<Record<string, unknown>>;

/** The server's part, as LangGraph makes it; `undefined` where nothing is known of a server. */
export function serverInfoOf(configurable: Fields = {}, metadata: Fields = {}): ServerInfo | undefined {
  const assistantId = configurable["assistant_id"] ?? metadata["assistant_id"];
  const graphId = configurable["graph_id"] ?? metadata["graph_id"];
  const user = configurable["langgraph_auth_user"];
  const isUser = typeof user === "object" && user !== null && "identity" in user;
  if (assistantId === undefined && graphId === undefined && !isUser) return undefined;
  return {
    assistantId: textOf(assistantId),
    graphId: textOf(graphId),
    ...(isUser && { user: user as Record<string, unknown> }),
  };
}

/** The task that is running; `undefined` outside of a graph. */
export function executionInfoOf(configurable: Fields = {}, metadata: Fields = {}): ExecutionInfo | undefined {
  const taskId = configurable["__pregel_task_id"];
  if (typeof taskId !== "string") return undefined;
  const checkpointNs = textOf(configurable["checkpoint_ns"]);
  const graphNs = checkpointNs.slice(0, Math.max(0, checkpointNs.lastIndexOf("|")));
  const checkpoints = (configurable["checkpoint_map"] ?? {}) as Fields;
  const threadId = configurable["thread_id"];
  const runId = configurable["run_id"] ?? metadata["run_id"];
  return {
    checkpointId: textOf(checkpoints[graphNs]),
    checkpointNs,
    taskId,
    ...(threadId !== undefined && { threadId: textOf(threadId) }),
    ...(runId !== undefined && { runId: textOf(runId) }),
    nodeAttempt: 1,
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
