/**
 * What an agent hands to a backend that is made per run (the deprecated form).
 *
 * These are shapes of our own, so that the package type-checks where LangChain is not installed. A runtime of
 * `langchain` is assignable to {@link BackendRuntime} and back. Its `control` is left out: that class has private
 * fields, which no shape can match.
 */

/** One item of a store. */
export interface StoreItem {
  /** What is stored, as JSON can hold it. */
  value: Record<string, unknown>;
  /** Its name in the namespace. */
  key: string;
  /** Labels, from the outermost on. */
  namespace: string[];
  createdAt: Date;
  updatedAt: Date;
}

/** An item that a search found. */
export interface StoreSearchItem extends StoreItem {
  /** How well the item fits a ranked query. */
  score?: number;
}

/** Asks for one item. */
export interface StoreGetOperation {
  namespace: string[];
  key: string;
}

/** Stores or deletes one item. */
export interface StorePutOperation {
  namespace: string[];
  key: string;
  /** `null` deletes. */
  value: Record<string, unknown> | null;
  /** Fields for the store's semantic search; `false` for none. */
  index?: false | string[];
}

/** Asks for the items of a namespace and of those below it. */
export interface StoreSearchOperation {
  namespacePrefix: string[];
  filter?: Record<string, unknown>;
  limit?: number;
  offset?: number;
  query?: string;
}

/** Asks which namespaces there are. */
export interface StoreListNamespacesOperation {
  matchConditions?: { matchType: "prefix" | "suffix"; path: string[] }[];
  maxDepth?: number;
  limit: number;
  offset: number;
}

/** One of the operations that `batch` takes. */
export type StoreOperation =
  | StoreGetOperation
  | StoreSearchOperation
  | StorePutOperation
  | StoreListNamespacesOperation;

/** A LangGraph store (`BaseStore` of `@langchain/langgraph-checkpoint`). */
export interface GraphStore {
  /**
   * Answers each operation in order.
   */
  // `any`, because the answer's type is a conditional one in LangGraph, which nothing but itself is assignable to.
  // oxlint-disable-next-line typescript/no-explicit-any
  batch(operations: StoreOperation[]): Promise<any>;
  /** The item under a key, or `null`. */
  get(namespace: string[], key: string): Promise<StoreItem | null>;
  /** By prefix: what a store takes for a prefix differs, so callers compare `item.namespace`. */
  search(
    namespacePrefix: string[],
    options?: { filter?: Record<string, unknown>; limit?: number; offset?: number; query?: string },
  ): Promise<StoreSearchItem[]>;
  put(namespace: string[], key: string, value: Record<string, unknown>, index?: false | string[]): Promise<void>;
  delete(namespace: string[], key: string): Promise<void>;
  listNamespaces(options?: {
    prefix?: string[];
    suffix?: string[];
    maxDepth?: number;
    limit?: number;
    offset?: number;
  }): Promise<string[][]>;
  start(): void | Promise<void>;
  stop(): void | Promise<void>;
}

/** Which execution of which node of a graph is running. */
export interface ExecutionInfo {
  readonly checkpointId: string;
  readonly checkpointNs: string;
  readonly taskId: string;
  readonly threadId?: string;
  readonly runId?: string;
  readonly nodeAttempt: number;
  readonly nodeFirstAttemptTime?: number;
}

/** What a LangGraph server adds. */
export interface ServerInfo {
  readonly assistantId: string;
  readonly graphId: string;
  readonly user?: Record<string, unknown>;
}

/** A run of an agent, with the state it has. */
export interface BackendRuntime<StateT = unknown> {
  /** The state with its `files`. */
  state: StateT;
  configurable?: { thread_id?: string; [key: string]: unknown };
  readonly context?: unknown;
  store?: GraphStore;
  writer?: (chunk: unknown) => void;
  interrupt?: (value: unknown) => unknown;
  signal?: AbortSignal;
  heartbeat?: () => void;
  executionInfo?: ExecutionInfo;
  serverInfo?: ServerInfo;
}

/** The run as a tool sees it (`ToolRuntime` of `langchain`). */
export interface ToolRun {
  state: unknown;
  toolCallId: string;
  context?: unknown;
  store?: unknown;
  writer?: unknown;
  config?: unknown;
}

/** @deprecated Use {@link BackendRuntime}. */
export interface StateAndStore {
  state: unknown;
  store?: GraphStore;
  assistantId?: string;
}
