/**
 * What the files of a namespace are called and how large they are, without moving their contents.
 *
 * A store hands out whole values, so `ls` over it means to fetch every file. Beside large files deepfs therefore keeps
 * small items, in a namespace below: the index. Files that deepfs writes carry a mark, and the store can say which do not.
 *
 * - **Marked files.** A file of {@link LARGE_UNITS} or more is marked, and before it is put, so is its row in the index.
 *   After a file is deleted or has become small, its row goes. Whatever fails in between, no marked file is without
 *   its row; a row may be without its file. So when the rows are as many as the marked files, they are the same.
 * - **Unmarked files** (small ones, and all that others have written) are asked for by `$exists: false` and come with
 *   their contents. The upstream backend drops the mark of a file it writes, so its changes come this way too.
 * - **Adopted files.** Many large unmarked files are remembered as they are, by name, size and time (see `adopted.ts`).
 *
 * When the numbers do not fit, everything is read once and the index is put in order. Where a store cannot filter, or
 * holds no large file, there is no index and everything is read, as upstream does.
 */

import { openRecord, sizeOfRecord } from "../../adapters/file-data.js";
import type { FileTable } from "../../adapters/listing.js";
import type { StoreItem } from "../../protocol/types.js";
import { adopt, adopted, type Adopted } from "./adopted.js";
import { canFilter } from "./capability.js";
import { below, getItem, putItems, removeItems, scan, searchPage, type Place } from "./items.js";
import { holding, type LockScope } from "./lock.js";

/** One file. */
export interface Row {
  readonly sizeBytes: number;
  /** ISO time of the last change. */
  readonly modified: string;
}

/** All files of a namespace. */
export interface Survey {
  readonly rows: ReadonlyMap<string, Row>;
  /** Every item that is a file, when finding out meant to read them all. */
  readonly items: ReadonlyMap<string, StoreItem> | null;
}

/** The rows as the searches of records take them. */
export function tableOf(rows: ReadonlyMap<string, Row>): FileTable {
  const paths = [...rows.keys()];
  const all = [...rows.values()];
  return {
    paths,
    row: (at) => ({
      path: paths[at] ?? "",
      is_dir: false,
      size: all[at]?.sizeBytes ?? 0,
      modified_at: all[at]?.modified ?? "",
    }),
    modified: (at) => all[at]?.modified ?? "",
  };
}

/** The namespace below the files that holds the index. */
export const INDEX_LABEL = "deepfs-index";

/** From this size on, in characters of stored content, a row in the index is worth its upkeep. */
export const LARGE_UNITS = 2048;
/** Rows asked for at once: they are small. */
const PAGE_ROWS = 1000;
/** Rows have this before the path, so that no key looks like a path to others who search the namespace above. */
const ROW_PREFIX = "file:";
const MARK = "1";
/** What the mark's field holds in items of the index: a search for unmarked files must not bring them, or count them. */
const OF_INDEX = "index";

/** The field that marks a file as having a row in the index of this very namespace. */
export function markOf(place: Place): string {
  return `deepfs:${place.namespace.join("/")}`;
}

/** Whether an item is marked as having a row. */
function isMarked(item: StoreItem | null, place: Place): boolean {
  return item !== null && (item.value as Record<string, unknown> | null)?.[markOf(place)] === MARK;
}

/**
 * Gives the value of a file its mark, after its row is in the index; a small file, or one in a store that cannot
 * filter, is returned as it is. To be called with a claim on the path.
 */
export async function announced(
  place: Place,
  path: string,
  value: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  if (contentUnits(value) < LARGE_UNITS || !(await canFilter(place))) return value;
  await putItems(below(place, INDEX_LABEL), [[rowKey(path), rowValue(place, value)]]);
  return { ...value, [markOf(place)]: MARK };
}

/** Several files at once, as {@link announced}. */
export async function announcedAll(
  place: Place,
  files: readonly (readonly [path: string, value: Record<string, unknown>])[],
): Promise<(readonly [path: string, value: Record<string, unknown>])[]> {
  const large = files.filter(([, value]) => contentUnits(value) >= LARGE_UNITS);
  if (large.length === 0 || !(await canFilter(place))) return [...files];
  await putItems(
    below(place, INDEX_LABEL),
    large.map(([path, value]) => [rowKey(path), rowValue(place, value)]),
  );
  const mark = markOf(place);
  return files.map(([path, value]) => [path, contentUnits(value) < LARGE_UNITS ? value : { ...value, [mark]: MARK }]);
}

/** Puts the row of a file back to what is stored. */
export async function reannounce(place: Place, path: string, stored: StoreItem | null): Promise<void> {
  if (!isMarked(stored, place) || stored === null) return;
  await putItems(below(place, INDEX_LABEL), [[rowKey(path), rowValue(place, stored.value)]]);
}

/** The key of a path's row. */
export function rowKey(path: string): string {
  return ROW_PREFIX + path;
}

/** Takes the rows of files that are gone, or not marked any more, out of the index. */
export async function retract(place: Place, files: readonly (StoreItem | null)[]): Promise<void> {
  const keys = files.flatMap((item) => (item !== null && isMarked(item, place) ? [rowKey(item.key)] : []));
  if (keys.length > 0) await removeItems(below(place, INDEX_LABEL), keys);
}

/**
 * Finds out what files there are.
 *
 * @param scope Where claims span when the index has to be put in order; `null` leaves it as it is.
 */
export async function survey(place: Place, scope: LockScope | null): Promise<Survey> {
  for (let attempt = 0; attempt < 2; attempt++) {
    const index = await scan(below(place, INDEX_LABEL), { pageItems: PAGE_ROWS });
    if (index.size === 0 || !(await canFilter(place))) break;
    const rows = await rowsByIndex(place, index, scope);
    if (rows !== null) return { rows, items: null };
    // A writer may have been between the row and the file: look once more before reading everything.
  }
  return readAll(place, scope);
}

/** The rows, when the index is right; null when it is not. */
async function rowsByIndex(
  place: Place,
  index: ReadonlyMap<string, StoreItem>,
  scope: LockScope | null,
): Promise<Map<string, Row> | null> {
  const mark = markOf(place);
  const rows = new Map<string, Row>();
  for (const [key, item] of index) {
    if (key.startsWith(ROW_PREFIX)) rows.set(key.slice(ROW_PREFIX.length), rowOf(item));
  }
  const memory = adopted(index);
  const unmarked = await scan(place, { filter: { [mark]: { $exists: false }, ...memory.changedFilter } });
  // A row whose file has lost its mark is spent: the file speaks for itself.
  for (const key of unmarked.keys()) rows.delete(key);
  if (!(await isCount(place, { [mark]: MARK }, rows.size))) return null;

  const old = new Map([...memory.rows].filter(([path]) => !unmarked.has(path) && !rows.has(path)));
  if (memory.rows.size > 0) {
    const isWhole = await isCount(place, { [mark]: { $exists: false }, ...memory.knownFilter }, old.size);
    if (!isWhole) return null;
  }
  for (const [path, row] of old) rows.set(path, row);
  const seen = filesOf(unmarked);
  for (const [path, item] of seen) rows.set(path, fileRow(item));
  if (scope !== null) await adopt(below(place, INDEX_LABEL), { [mark]: OF_INDEX }, memory, old, seen);
  return rows;
}

/** Whether exactly `count` items of the store under the namespace fit the filter. Moves one item. */
async function isCount(place: Place, filter: Record<string, unknown>, count: number): Promise<boolean> {
  const offset = Math.max(0, count - 1);
  const page = await searchPage(place, { filter, limit: 2, offset });
  return page.length === Math.min(count, 1);
}

/** Reads every item, and puts the index in order by what is there. */
async function readAll(place: Place, scope: LockScope | null): Promise<Survey> {
  const all = await scan(place);
  const items = filesOf(all);
  const rows = new Map([...items].map(([path, item]) => [path, fileRow(item)] as const));
  if (scope !== null && (await isWorthIndexing(place, items))) {
    await putInOrder(place, items, scope).catch(() => {
      // The listing is right without it; the next one tries again.
    });
  }
  return { rows, items };
}

async function isWorthIndexing(place: Place, items: ReadonlyMap<string, StoreItem>): Promise<boolean> {
  const hasLarge = [...items.values()].some((item) => contentUnits(item.value) >= LARGE_UNITS);
  return hasLarge && (await canFilter(place));
}

async function putInOrder(place: Place, items: ReadonlyMap<string, StoreItem>, scope: LockScope): Promise<void> {
  const indexPlace = below(place, INDEX_LABEL);
  const index = await scan(indexPlace, { pageItems: PAGE_ROWS });
  const listed = [...index.keys()]
    .filter((key) => key.startsWith(ROW_PREFIX))
    .map((key) => key.slice(ROW_PREFIX.length));
  const hasRow = new Set(listed);
  const wrong = [
    ...listed.filter((path) => !isMarked(items.get(path) ?? null, place)),
    ...[...items].filter(([path, item]) => isMarked(item, place) && !hasRow.has(path)).map(([path]) => path),
  ];
  if (wrong.length > 0) {
    // What was read may have changed since; with the claim, each is looked at again.
    await holding(place, { paths: wrong }, scope, async (hold) => {
      for (const path of wrong) {
        const item = await getItem(place, path);
        hold.confirm();
        await putItems(indexPlace, [
          [rowKey(path), isMarked(item, place) && item ? rowValue(place, item.value) : null],
        ]);
      }
    });
  }
  const unmarked = new Map([...items].filter(([, item]) => !isMarked(item, place)));
  const memory: Adopted = adopted(index);
  await adopt(indexPlace, { [markOf(place)]: OF_INDEX }, memory, new Map(), unmarked);
}

/** The items that are files under a path as deepfs and the upstream tools spell it. */
function filesOf(items: ReadonlyMap<string, StoreItem>): Map<string, StoreItem> {
  return new Map([...items].filter(([key, item]) => isPath(key) && openRecord(item.value) !== null));
}

/** Keys that are no normalised path cannot be named by any method, so they are not listed either. */
function isPath(key: string): boolean {
  return key.startsWith("/") && key !== "/" && !key.includes("\0") && !/\/\/|\/$|\/\.{1,2}(\/|$)/.test(key);
}

function rowOf(item: StoreItem): Row {
  const { size, modified_at: modified } = item.value as { size?: unknown; modified_at?: unknown };
  return {
    sizeBytes: typeof size === "number" ? size : 0,
    modified: typeof modified === "string" ? modified : "",
  };
}

function rowValue(place: Place, value: Record<string, unknown>): Record<string, unknown> {
  return { size: sizeOfRecord(value), modified_at: value["modified_at"], [markOf(place)]: OF_INDEX };
}

/** The row of a file that was fetched. */
export function fileRow(item: StoreItem): Row {
  return { sizeBytes: sizeOfRecord(item.value), modified: openRecord(item.value)?.modifiedAt ?? "" };
}

/** The length of the stored content; an estimate for shapes that are not text. */
export function contentUnits(value: Record<string, unknown>): number {
  const { content } = value;
  if (typeof content === "string") return content.length;
  if (Array.isArray(content)) return content.reduce((sum: number, line) => sum + String(line).length + 1, 0);
  return sizeOfRecord(value);
}
