/** `ls` of a folder that may hold mounts. */

import type { FileInfo, LsResult } from "../protocol/types.js";
import { visibleRows, type Warned } from "./composite-search.js";
import { ask } from "./mount-call.js";
import { sortByPath } from "../adapters/path-order.js";
import { composed, type Location, mountsBelow, type Routes } from "./routes.js";

/** Codes that say that a backend has no such folder; a mount below makes it one all the same. */
const ABSENT = new Set(["file_not_found", "not_a_directory"]);

/** What is directly in a folder: the rows of its mount and the folders that lead to mounts below. */
export async function listMounts(routes: Routes, where: Location): Promise<LsResult & Warned> {
  const result: LsResult = await ask("ls", where, () => where.mount.backend.ls(where.inner));
  const folders = foldersToMounts(routes, where.outer);
  if (folders.length === 0) {
    if (result.error || result.files === undefined) return result;
    return { ...result, files: visibleRows(routes, where.mount, result.files) };
  }
  if (result.error) {
    if (ABSENT.has(result.code ?? "")) return { files: folders };
    return { files: folders, truncated: true, warnings: [`${where.outer}: ${result.error}`] };
  }
  const rows = visibleRows(routes, where.mount, result.files ?? []);
  const listed = new Set(rows.map((row) => composed(row.path)));
  return { ...result, files: sortByPath(rows.concat(folders.filter((folder) => !listed.has(composed(folder.path))))) };
}

function foldersToMounts(routes: Routes, path: string): FileInfo[] {
  const prefix = path === "/" ? "/" : `${path}/`;
  const names = mountsBelow(routes, path).map((mount) => mount.root.slice(prefix.length).split("/", 1)[0] ?? "");
  const folders = [...new Set(names)].map((name) => `${prefix}${name}/`);
  return sortByPath(folders.map((folder) => ({ path: folder, is_dir: true, size: 0, modified_at: "" })));
}
