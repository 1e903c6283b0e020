/** What providers of sandboxes list, make and delete. */

/** One sandbox of a provider. */
export interface SandboxInfo<MetadataT = Record<string, unknown>> {
  /** The provider's name for it. */
  sandboxId: string;
  /** What the provider tells beyond the id. */
  metadata?: MetadataT;
}

/** One page of sandboxes. */
export interface SandboxListResponse<MetadataT = Record<string, unknown>> {
  items: SandboxInfo<MetadataT>[];
  /** Fetches the next page; `null` after the last. */
  cursor: string | null;
}

/** What a provider lists. */
export interface SandboxListOptions {
  /** From the page before; absent for the first. */
  cursor?: string;
}

/** Which sandbox is meant. */
export interface SandboxGetOrCreateOptions {
  /** An existing sandbox; absent to make a new one. */
  sandboxId?: string;
}

/** Which sandbox to delete. */
export interface SandboxDeleteOptions {
  /** Its id, as listed. */
  sandboxId: string;
}

/** Codes that every provider uses; a provider may have more. */
export type SandboxErrorCode =
  | "NOT_INITIALIZED"
  | "ALREADY_INITIALIZED"
  | "COMMAND_TIMEOUT"
  | "COMMAND_FAILED"
  | "FILE_OPERATION_FAILED";
