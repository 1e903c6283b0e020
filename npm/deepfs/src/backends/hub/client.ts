/** The two calls of the LangSmith client that Context Hub consists of, and what their failures mean. */

import { fault, type Fault } from "../../adapters/fault.js";
import { messageOf } from "../../protocol/failure.js";

/** An entry of a repository: a file, or a link to another repository. */
export type HubEntry = { type: "file"; content: string } | { type: "agent" | "skill"; repo_handle?: string };

/** What of the `langsmith` client is used; its `Client` fits. */
export interface HubClient {
  pullAgent(identifier: string): Promise<{ commit_hash: string; files: Record<string, HubEntry> }>;
  /** Answers with the URL of the new commit. */
  pushAgent(
    identifier: string,
    options: { files: Record<string, { type: "file"; content: string } | null>; parentCommit?: string },
  ): Promise<string>;
}

/** The latest commit of a repository, as far as it is known. */
export interface HubTree {
  /** Texts by path without a leading slash. */
  readonly files: ReadonlyMap<string, string>;
  /** Handles of linked repositories by path. */
  readonly links: ReadonlyMap<string, string>;
  /** Null before the first commit. */
  readonly commitHash: string | null;
}

const NO_TREE: HubTree = { files: new Map(), links: new Map(), commitHash: null };

/**
 * A client made from the environment (`LANGSMITH_API_KEY`), as upstream makes it. `langsmith` is loaded when it is first
 * needed, so that deepfs works without it.
 */
export async function defaultClient(): Promise<HubClient> {
  let loaded: { Client: new () => HubClient };
  try {
    loaded = (await import("langsmith")) as unknown as typeof loaded;
  } catch (thrown) {
    throw fault("unavailable", `Hub unavailable: the package langsmith cannot be loaded (${messageOf(thrown)})`);
  }
  return new loaded.Client();
}

/** Fetches the latest commit. A repository that does not exist yet is empty. */
export async function pullTree(client: HubClient, identifier: string): Promise<HubTree> {
  let pulled: Awaited<ReturnType<HubClient["pullAgent"]>>;
  try {
    pulled = await client.pullAgent(identifier);
  } catch (thrown) {
    if (statusOf(thrown) === 404) return NO_TREE;
    throw thrown;
  }
  const files = new Map<string, string>();
  const links = new Map<string, string>();
  for (const [path, entry] of Object.entries(pulled.files)) {
    if (entry.type === "file") files.set(path, entry.content);
    else if (typeof entry.repo_handle === "string") links.set(path, entry.repo_handle);
  }
  return { files, links, commitHash: pulled.commit_hash };
}

/** Whether the Hub refused a commit because its parent is not the latest commit any more. */
export function isConflict(thrown: unknown): boolean {
  return statusOf(thrown) === 409;
}

/** A failed call as a fault. */
export function hubFault(thrown: unknown): Fault {
  return fault(codeOf(statusOf(thrown)), `Hub unavailable: ${messageOf(thrown)}`);
}

function codeOf(status: number | undefined): string {
  if (status === 401 || status === 403) return "permission_denied";
  if (status === 404) return "file_not_found";
  return status === 409 ? "conflict" : "unavailable";
}

/** The client's errors carry the HTTP status, or a name that stands for one. */
function statusOf(thrown: unknown): number | undefined {
  if (typeof thrown !== "object" || thrown === null) return undefined;
  const { status, name } = thrown as { status?: unknown; name?: unknown };
  if (typeof status === "number") return status;
  if (name === "LangSmithNotFoundError") return 404;
  return name === "LangSmithConflictError" ? 409 : undefined;
}
