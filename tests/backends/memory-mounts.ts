/** Backends for tests about routing. */

import { StateBackend } from "deepfs";

/** A backend in memory with text files. */
export function memory(files: Record<string, string> = {}): StateBackend {
  return new StateBackend({ files });
}

/** Paths of rows. */
export function paths(result: { files?: { path: string }[]; matches?: { path: string }[] }): string[] {
  return (result.files ?? result.matches ?? []).map((row) => row.path);
}

/** A backend of which every method does the same. */
export function everywhere(answer: () => never): object {
  const methods = ["ls", "read", "readRaw", "write", "edit", "glob", "grep", "delete", "uploadFiles", "downloadFiles"];
  return Object.fromEntries(methods.map((name) => [name, async () => answer()]));
}
