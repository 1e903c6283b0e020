/**
 * Folders that are known to hold files, by store and namespace.
 *
 * A store has no folders: to know whether `/a` is one means to look at all paths. Reading them all each time a file is
 * created would be too much, so this process remembers the folders that it has put files into, and only then looks.
 * A folder that only other processes have written to is not noticed, and a file of its name can be created.
 */

import type { GraphStore } from "../../protocol/types.js";
import { getItems, type Place } from "./items.js";
import { openRecord } from "../../adapters/file-data.js";

/** More folders than this in one namespace are forgotten and learnt again. */
const MOST_FOLDERS = 10_000;
/** So are the namespaces that were written to longest ago: a server may have one for each user or thread. */
const MOST_NAMESPACES = 1_000;

const known = new WeakMap<GraphStore, Map<string, Set<string>>>();

/** Remembers the folders that hold `path`. */
export function noteFolders(place: Place, path: string): void {
  const above = foldersOf(path);
  if (above.length === 0) return;
  const ofStore = known.get(place.store) ?? new Map<string, Set<string>>();
  known.set(place.store, ofStore);
  const name = nameOf(place);
  const folders = ofStore.get(name) ?? new Set<string>();
  if (folders.size > MOST_FOLDERS) folders.clear();
  for (const folder of above) folders.add(folder);
  // Set anew, the namespace is the last in the map's order.
  ofStore.delete(name);
  ofStore.set(name, folders);
  for (const oldest of ofStore.keys()) {
    if (ofStore.size <= MOST_NAMESPACES) break;
    ofStore.delete(oldest);
  }
}

/** Whether a file was once put below `path`. It may be gone. */
export function maybeFolder(place: Place, path: string): boolean {
  return foldersAt(place)?.has(path) === true;
}

/** Forgets a folder that has turned out to be none. */
export function forgetFolder(place: Place, path: string): void {
  foldersAt(place)?.delete(path);
}

/** Those of `paths` that lead through a file, as in `/a.txt/b`. */
export async function throughFile(place: Place, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const folders = [...new Set(paths.flatMap(foldersOf))];
  const items = await getItems(place, folders);
  const files = new Set(folders.filter((_, index) => openRecord(items[index]?.value) !== null));
  return new Set(paths.filter((path) => foldersOf(path).some((folder) => files.has(folder))));
}

function foldersAt(place: Place): Set<string> | undefined {
  return known.get(place.store)?.get(nameOf(place));
}

function nameOf({ namespace }: Place): string {
  return namespace.join("/");
}

function foldersOf(path: string): string[] {
  const names = path.split("/");
  return names.slice(2).map((_, index) => names.slice(0, index + 2).join("/"));
}
