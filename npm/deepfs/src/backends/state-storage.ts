/** Finds out whether a backend keeps its files in the state of a graph, and in which. */

/**
 * The method by which a backend of deepfs tells where its files are right now: equal values mean the same place,
 * `undefined` means not in graph state. A composite needs the path that is asked about.
 */
export const STATE_STORAGE = Symbol.for("deepfs.stateStorage");

/** The one place of all zero-argument `StateBackend`s of a run. */
export const GRAPH_STATE = "graph state";

interface TellsStorage {
  [STATE_STORAGE]?: (path?: string) => unknown;
}

/** What tells the `StateBackend` of `deepagents`, whose class cannot be asked for across copies of the package. */
interface PeerState {
  isLegacy?: unknown;
  sendFilesUpdate?: unknown;
  runtime?: { state?: unknown };
}

/** Where `backend` keeps its files, or the one at `path`, if that is graph state. Compare with `===`. */
export function stateStorage(backend: object, path?: string): unknown {
  const ours = (backend as TellsStorage)[STATE_STORAGE];
  if (typeof ours === "function") return ours.call(backend, path);
  const peer = backend as PeerState;
  if (typeof peer.sendFilesUpdate !== "function" || typeof peer.isLegacy !== "boolean") return undefined;
  return peer.isLegacy ? (peer.runtime?.state ?? backend) : GRAPH_STATE;
}
