/** Rules about which paths may be read and written. */

/** What is done to a file: listing, reading and finding it, or changing and deleting it. */
export type FilesystemOperation = "read" | "write";

/** Whether a rule lets through or refuses. */
export type PermissionMode = "allow" | "deny";

/** One rule. The first rule that names the operation and matches the path decides; no rule means allowed. */
export interface FilesystemPermission {
  /** What the rule is about. */
  operations: readonly FilesystemOperation[];
  /** Absolute glob patterns, as `/secrets/**`. */
  paths: string[];
  /** What the rule decides (default `"allow"`). */
  mode?: PermissionMode;
}
