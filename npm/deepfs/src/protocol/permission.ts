/** Rules about which paths may be read and written. */

export type FilesystemOperation = "read" | "write";

export type PermissionMode = "allow" | "deny";

/** One rule. The first rule that names the operation and matches the path decides; no rule means allowed. */
export interface FilesystemPermission {
  operations: readonly FilesystemOperation[];
  /** Absolute glob patterns. */
  paths: string[];
  /** Default `"allow"`. */
  mode?: PermissionMode;
}
