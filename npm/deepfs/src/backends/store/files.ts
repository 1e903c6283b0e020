/** Putting files into a store so that the index stays right, and taking them out. */

import { encodeBase64 } from "../../adapters/file-data.js";
import type { FileData, StoreItem } from "../../protocol/types.js";
import { noteFolders } from "./folders.js";
import { below, putFiles, putItem, removeItems, type Place } from "./items.js";
import type { Hold } from "./lock.js";
import { announced, announcedAll, contentUnits, INDEX_LABEL, reannounce, retract, rowKey } from "./path-index.js";

/** A record to put, with the item that it replaces. */
export interface NewFile {
  readonly path: string;
  readonly record: FileData;
  readonly previous: StoreItem | null;
}

/** The most files, and characters of content, in one batch of an upload. */
const BATCH_FILES = 100;
const BATCH_UNITS = 4 << 20;

/** Puts one file. To be called with a claim on its path. */
export async function putFile(place: Place, file: NewFile, hold: Hold): Promise<void> {
  const value = storedValue(file.record);
  hold.confirm();
  const marked = await announced(place, file.path, value);
  hold.confirm();
  try {
    await putItem(place, file.path, marked);
  } catch (thrown) {
    // The row tells of a file that is not there: it goes back to what is.
    await reannounce(place, file.path, file.previous).catch(() => undefined);
    throw thrown;
  }
  noteFolders(place, file.path);
  if (marked === value) await retract(place, [file.previous]);
}

/** Puts many files, each path once, and calls `done` for each batch with its paths and what it failed with. */
export async function putManyFiles(
  place: Place,
  files: readonly NewFile[],
  hold: Hold,
  done: (paths: readonly string[], problem: unknown) => void,
): Promise<void> {
  for (const batch of batches(files)) {
    const paths = batch.map((file) => file.path);
    try {
      const values = batch.map((file) => [file.path, storedValue(file.record)] as const);
      hold.confirm();
      const marked = await announcedAll(place, values);
      hold.confirm();
      await putFiles(place, marked);
      for (const path of paths) noteFolders(place, path);
      const unmarked = batch.filter((_, index) => marked[index]?.[1] === values[index]?.[1]);
      await retract(
        place,
        unmarked.map((file) => file.previous),
      );
      done(paths, null);
    } catch (thrown) {
      done(paths, thrown);
    }
  }
}

/** Removes files with their rows. To be called with a claim on them. */
export async function removeFiles(
  place: Place,
  paths: readonly string[],
  hasIndex: boolean,
  hold: Hold,
): Promise<void> {
  for (let start = 0; start < paths.length; start += BATCH_FILES) {
    const some = paths.slice(start, start + BATCH_FILES);
    hold.confirm();
    await removeItems(place, some);
    if (hasIndex) await removeItems(below(place, INDEX_LABEL), some.map(rowKey));
  }
}

/** A record as JSON can hold it: bytes as base64. */
function storedValue(record: FileData): Record<string, unknown> {
  const { content } = record;
  return content instanceof Uint8Array
    ? { ...record, content: encodeBase64(content), encoding: "base64" }
    : { ...record };
}

function* batches(files: readonly NewFile[]): Generator<NewFile[]> {
  let batch: NewFile[] = [];
  let units = 0;
  for (const file of files) {
    const more = contentUnits({ content: file.record.content });
    if (batch.length === BATCH_FILES || (batch.length > 0 && units + more > BATCH_UNITS)) {
      yield batch;
      batch = [];
      units = 0;
    }
    batch.push(file);
    units += more;
  }
  if (batch.length > 0) yield batch;
}
