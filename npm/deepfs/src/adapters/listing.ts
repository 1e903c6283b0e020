/** `ls` and `glob` over paths that JavaScript knows, with or without their records. Only paths cross to the core. */

import { type DialectName, isFailure } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import type { FileInfo, GlobResult, LsResult } from "../protocol/results.js";
import { isAtOrBelow } from "./file-index.js";

/** Files with what listings say of them. */
export interface FileTable {
  /** Normalised. */
  readonly paths: readonly string[];
  /** The row of a file; `null` for one that is left out. */
  row(at: number): FileInfo | null;
  /** ISO time of the last change; empty where not known. */
  modified(at: number): string;
}

/** What is directly in `dir`, a normalised path. */
export function listTable(table: FileTable, dir: string): LsResult {
  const positions = positionsBelow(table.paths, dir).filter((at) => table.paths[at] !== dir);
  const listing = getBinding().rules.listKeys(pathsAt(table.paths, positions), dir);
  const folders = listing.folders === "" ? [] : listing.folders.split("\0");
  const files: FileInfo[] = [];
  let nextFolder = 0;
  for (const key of listing.files) {
    if (key < 0) {
      files.push({ path: folders[nextFolder] ?? "", is_dir: true, size: 0, modified_at: "" });
      nextFolder += 1;
    } else {
      const row = table.row(positions[key] ?? -1);
      if (row !== null) {
        files.push(row);
      }
    }
  }
  return { files };
}

/** Files at or below `base`, a normalised path, that match a pattern. */
export function globTable(
  table: FileTable,
  pattern: string,
  base: string,
  dialect: DialectName,
  bareRecursive: boolean,
): GlobResult {
  const positions = positionsBelow(table.paths, base);
  const keys = pathsAt(table.paths, positions);
  const times = positions.map((at) => table.modified(at));
  const found = getBinding().rules.globKeys(keys, times, pattern, base, dialect, bareRecursive);
  if (isFailure(found)) {
    return found;
  }
  const files: FileInfo[] = [];
  for (const key of found) {
    const row = table.row(positions[key] ?? -1);
    if (row !== null) {
      files.push(row);
    }
  }
  return { files };
}

/** Positions of the paths that are `base`, a normalised path, or lie below it. */
export function positionsBelow(paths: readonly string[], base: string): number[] {
  const positions: number[] = [];
  paths.forEach((path, at) => {
    if (isAtOrBelow(path, base)) {
      positions.push(at);
    }
  });
  return positions;
}

/** The paths at some positions. */
export function pathsAt(paths: readonly string[], positions: readonly number[]): string[] {
  return positions.map((at) => paths[at] ?? "");
}
