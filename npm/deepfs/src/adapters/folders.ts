/** The folders of a state, which are there because files are below them. */

import { FAST_PATHS } from "../binding/fast-paths.js";
import { type FileIndex, joinedPaths } from "./file-index.js";

export function allFolders(index: FileIndex): ReadonlySet<string> {
  index.made.folders ??= foldersOf(index.paths);
  return index.made.folders;
}

/** Questions about one folder that a look through the paths answers; from the next on it is worth finding every folder. */
const LOOKS = 8;

export function hasFolder(index: FileIndex, path: string): boolean {
  const { made } = index;
  if (FAST_PATHS && made.folders === undefined && path !== "/") {
    made.looks = (made.looks ?? 0) + 1;
    if (made.looks <= LOOKS) {
      const joined = joinedPaths(index);
      return joined.startsWith(`${path}/`) || joined.includes(`\0${path}/`);
    }
  }
  return allFolders(index).has(path);
}

function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set<string>(["/"]);
  for (const path of paths) {
    addFolders(folders, path);
  }
  return folders;
}

/** Adds every folder above a path. */
export function addFolders(folders: Set<string>, path: string): void {
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    const folder = path.slice(0, end);
    if (folders.has(folder)) {
      return;
    }
    folders.add(folder);
  }
}
