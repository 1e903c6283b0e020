/** What is at and around one path, fetched before the record operations look at it. */

import { isAtOrBelow } from "../../adapters/key-path.js";
import { hasSpellings, otherSpelling, otherSpellings } from "../../adapters/spellings.js";
import type { FileLookup } from "../../adapters/record-files.js";
import type { FileData, StoreItem } from "../../protocol/types.js";
import { forgetFolder, maybeFolder, throughFile } from "./folders.js";
import { getItem, type Place } from "./items.js";
import { survey } from "./path-index.js";

/** A path with what the store has there. */
export interface Fetched extends FileLookup {
  readonly item: StoreItem | null;
}

/**
 * Where the file is that is asked for as `path`: a name that reads the same but is composed of other characters (macOS
 * stores `é` as two) is the same name, as long as only one file has it.
 */
export async function locate(place: Place, path: string): Promise<string> {
  if (!hasSpellings(path) || (await getItem(place, path)) !== null) return path;
  return otherSpelling([...(await survey(place, null)).rows.keys()], path);
}

/** The same for several paths. */
export async function locateAll(place: Place, paths: readonly string[]): Promise<string[]> {
  return paths.some(hasSpellings) ? otherSpellings((await survey(place, null)).rows.keys(), paths) : [...paths];
}

/** For a file that is to be read. */
export async function fetchFile(place: Place, path: string): Promise<Fetched> {
  const item = path === "/" ? null : await getItem(place, path);
  if (item !== null) return fetched(path, item);
  const paths = [...(await survey(place, null)).rows.keys()];
  const isFolder = paths.some((key) => key !== path && isAtOrBelow(key, path));
  return fetched(path, null, { isFolder, isThroughFile: leadsThrough(paths, path) });
}

/** For a path at which nothing was found among all paths. */
export function nothingAt(paths: Iterable<string>, path: string): Fetched {
  return fetched(path, null, { isThroughFile: leadsThrough(paths, path) });
}

function leadsThrough(paths: Iterable<string>, path: string): boolean {
  for (const file of paths) {
    if (file !== path && isAtOrBelow(path, file)) return true;
  }
  return false;
}

/** For a file that is to be written, with a claim on the path. */
export async function fetchTarget(place: Place, path: string): Promise<Fetched> {
  const item = await getItem(place, path);
  if (item !== null) return fetched(path, item);
  const isThroughFile = (await throughFile(place, [path])).size > 0;
  return fetched(path, null, { isThroughFile, isFolder: !isThroughFile && (await isFolderNow(place, path)) });
}

/** For an item that was fetched already. */
export function fetchedAt(
  path: string,
  item: StoreItem | null,
  around: { isFolder?: boolean; isThroughFile?: boolean } = {},
): Fetched {
  return fetched(path, item, around);
}

/** Whether a folder that this process knows of still holds anything. */
export async function isFolderNow(place: Place, path: string): Promise<boolean> {
  if (!maybeFolder(place, path)) return false;
  const { rows } = await survey(place, null);
  if ([...rows.keys()].some((key) => key !== path && isAtOrBelow(key, path))) return true;
  forgetFolder(place, path);
  return false;
}

function fetched(
  path: string,
  item: StoreItem | null,
  around: { isFolder?: boolean; isThroughFile?: boolean } = {},
): Fetched {
  const record = item === null ? undefined : recordOf(item);
  return {
    item,
    find: (asked) => (asked === path ? record : undefined),
    isFolder: () => around.isFolder === true,
    fileAbove: () => (around.isThroughFile === true ? path : null),
  };
}

/** The record alone: a store in memory hands out its own object, and deepfs keeps a mark beside the record. */
function recordOf(item: StoreItem): FileData {
  const { value } = item;
  const fields = Object.entries(value ?? {}).filter(([name]) => !name.startsWith("deepfs:"));
  return Object.fromEntries(fields) as unknown as FileData;
}
