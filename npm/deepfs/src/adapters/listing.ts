/** `ls` and `glob` over paths that JavaScript knows, with or without their records. Only paths cross to the core. */

import { type DialectName, isFailure } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import { joinKeys } from "../binding/keys.js";
import type { FileInfo, GlobResult, LsResult } from "../protocol/results.js";
import { Budget, marked, type SearchLimits } from "./budget.js";
import { isAtOrBelow } from "./key-path.js";
import { sortBy } from "./path-order.js";

/** Files with what listings say of them. */
export interface FileTable {
  /** Normalised. */
  readonly paths: readonly string[];
  /** The paths joined, where that is known already. */
  readonly joined?: () => string;
  /** The row of a file; `null` for one that is left out. */
  row(at: number): FileInfo | null;
  /** ISO time of the last change; empty where not known. */
  modified(at: number): string;
}

/** What is directly in `dir`, a normalised path. */
export function listTable(table: FileTable, dir: string, limits: SearchLimits = {}): LsResult {
  const budget = new Budget(limits);
  const positions = representatives(table.paths, dir === "/" ? dir : `${dir}/`);
  const listing = getBinding().rules.listKeys(joinKeys(pathsAt(table.paths, positions)), dir);
  const folders = listing.folders === "" ? [] : listing.folders.split("\0");
  const files: FileInfo[] = [];
  let nextFolder = 0;
  for (const [at, key] of listing.files.entries()) {
    if (at >= budget.files) {
      budget.end();
      break;
    }
    const folder = folders[nextFolder] ?? "";
    nextFolder += key < 0 ? 1 : 0;
    const row = key < 0 ? { path: folder, is_dir: true, size: 0, modified_at: "" } : table.row(positions[key] ?? -1);
    if (row === null) {
      continue;
    }
    if (!budget.holds(row.path)) {
      break;
    }
    files.push(row);
  }
  return marked({ files }, budget);
}

/** Files at or below `base`, a normalised path, that match a pattern. */
export function globTable(
  table: FileTable,
  pattern: string,
  base: string,
  dialect: DialectName,
  bareRecursive: boolean,
  limits: SearchLimits = {},
): GlobResult {
  const { rules } = getBinding();
  const budget = new Budget(limits);
  const { keys, positionOf } = keysBelow(table, base, budget);
  const matching = rules.globKeys(keys, pattern, base, bareRecursive);
  if (isFailure(matching)) {
    return matching;
  }
  if (matching.length === 0) {
    return marked({ files: [] }, budget);
  }
  const positions = Array.from(matching, positionOf);
  // First which, then in what order: the times of files that do not match need not cross.
  const order = rules.globOrder(joinKeys(positions.map((at) => table.modified(at))), dialect);
  const files: FileInfo[] = [];
  for (const key of order) {
    const row = table.row(positions[key] ?? -1);
    if (row === null) {
      continue;
    }
    if (!budget.holds(row.path)) {
      break;
    }
    files.push(row);
  }
  return marked({ files }, budget);
}

/** The keys to look among, and where each of them is in the table. */
function keysBelow(table: FileTable, base: string, budget: Budget): { keys: string; positionOf(key: number): number } {
  const { paths } = table;
  if (base === "/" && paths.length <= budget.files && budget.hasTime()) {
    return { keys: table.joined?.() ?? joinKeys(paths), positionOf: (key) => key };
  }
  const positions = firstBelow(paths, base, budget);
  return { keys: joinKeys(pathsAt(paths, positions)), positionOf: (key) => positions[key] ?? -1 };
}

/** Positions of the paths that a listing needs: every file in the folder, and of each folder below it one file. */
function representatives(paths: readonly string[], prefix: string): number[] {
  const positions: number[] = [];
  const folders = new Set<string>();
  paths.forEach((path, at) => {
    if (!path.startsWith(prefix)) {
      return;
    }
    const slash = path.indexOf("/", prefix.length);
    const folder = slash < 0 ? null : path.slice(prefix.length, slash);
    if (folder === null || !folders.has(folder)) {
      positions.push(at);
      if (folder !== null) {
        folders.add(folder);
      }
    }
  });
  return positions;
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

/** The same, as many as a call may look at: the first ones in the order of paths. None when its time is up. */
export function firstBelow(paths: readonly string[], base: string, budget: Budget): number[] {
  const all = positionsBelow(paths, base);
  if (!budget.hasTime()) {
    return [];
  }
  if (all.length <= budget.files) {
    return all;
  }
  budget.end();
  return sortBy(all, (at) => paths[at] ?? "").slice(0, budget.files);
}

/** The paths at some positions. */
export function pathsAt(paths: readonly string[], positions: readonly number[]): string[] {
  return positions.map((at) => paths[at] ?? "");
}
