/**
 * Large files that others wrote (the upstream backend, an application), remembered by name, size and time of change, so
 * that listing them does not fetch them each time.
 *
 * Such a file carries no mark of ours, and marking it would mean to write it, over a change its owner may be making. So it
 * is trusted by its `modified_at`: the store is asked for every unmarked file with a time that is not among those
 * remembered, and how many have one that is. A file that is new, changed or deleted shows in one of the two answers.
 *
 * Like git with its own index, a file that changed a moment ago is not trusted: it could change again without a new time.
 * What this cannot see is a file replaced by another with the very same time between two looks; a writer that gives
 * every file one fixed time is therefore only remembered from {@link WORTH_BYTES} of contents on.
 */

import { sizeOfRecord } from "../../adapters/file-data.js";
import type { StoreItem } from "../../protocol/types.js";
import { putItems, type Place } from "./items.js";
import type { Row } from "./path-index.js";

/** What is remembered. */
export interface Adopted {
  readonly rows: ReadonlyMap<string, Row>;
  /** Fits files that are not remembered as they are now. */
  readonly changedFilter: Record<string, unknown>;
  /** Fits files with a remembered time. */
  readonly knownFilter: Record<string, unknown>;
  readonly packs: number;
}

/** Contents that have to be fetched anew before they are remembered, in bytes. */
const WORTH_BYTES = 256 << 10;
/** The smallest file worth remembering, in bytes. */
const LARGE_BYTES = 2048;
/** More times than this do not fit into one question. */
const MOST_TIMES = 20_000;
/** How old a change must be to be trusted, in milliseconds. */
const SETTLED_MS = 2_000;
const PACK_PREFIX = "adopted:";
const PACK_ROWS = 1000;

type PackedRow = [path: string, sizeBytes: number, modified: string];

/** Reads what is remembered from the items of an index. */
export function adopted(index: ReadonlyMap<string, StoreItem>): Adopted {
  const rows = new Map<string, Row>();
  let packs = 0;
  for (const [key, item] of index) {
    if (!key.startsWith(PACK_PREFIX)) continue;
    packs = Math.max(packs, Number(key.slice(PACK_PREFIX.length)) + 1);
    const { files } = item.value as { files?: unknown };
    if (!Array.isArray(files)) continue;
    for (const [path, sizeBytes, modified] of files as PackedRow[]) rows.set(path, { sizeBytes, modified });
  }
  const times = [...new Set([...rows.values()].map((row) => row.modified))];
  return rows.size === 0
    ? { rows, packs, changedFilter: {}, knownFilter: {} }
    : { rows, packs, changedFilter: { modified_at: { $nin: times } }, knownFilter: { modified_at: { $in: times } } };
}

/**
 * Remembers what was fetched, together with what is still right of the past, when that is worth a write.
 *
 * `mark` is the field that keeps items of the index out of a search for unmarked files.
 *
 * Two processes that do this at once may leave a mixture; the next look finds the numbers wrong and starts over.
 */
export async function adopt(
  indexPlace: Place,
  mark: Record<string, string>,
  memory: Adopted,
  stillRight: ReadonlyMap<string, Row>,
  fetched: ReadonlyMap<string, StoreItem>,
): Promise<void> {
  const fresh = [...fetched].flatMap(([path, item]) => packable(path, item));
  const freshBytes = fresh.reduce((sum, [, sizeBytes]) => sum + sizeBytes, 0);
  const isRepair = stillRight.size === 0 && memory.rows.size > 0;
  if (freshBytes < WORTH_BYTES && !isRepair) return;
  const kept = [...stillRight].map(([path, row]): PackedRow => [path, row.sizeBytes, row.modified]);
  const files = freshBytes < WORTH_BYTES ? [] : [...kept, ...fresh];
  const isTooMuch = new Set(files.map(([, , modified]) => modified)).size > MOST_TIMES;
  await write(indexPlace, mark, isTooMuch ? [] : files, memory.packs).catch(() => {
    // The listing is right without it.
  });
}

async function write(
  indexPlace: Place,
  mark: Record<string, string>,
  files: readonly PackedRow[],
  packsBefore: number,
): Promise<void> {
  const values: [string, Record<string, unknown> | null][] = [];
  for (let start = 0; start < files.length; start += PACK_ROWS) {
    values.push([`${PACK_PREFIX}${values.length}`, { files: files.slice(start, start + PACK_ROWS), ...mark }]);
  }
  while (values.length < packsBefore) values.push([`${PACK_PREFIX}${values.length}`, null]);
  if (values.length > 0) await putItems(indexPlace, values);
}

function packable(path: string, item: StoreItem): PackedRow[] {
  const { modified_at: modified } = item.value as { modified_at?: unknown };
  const sizeBytes = sizeOfRecord(item.value);
  const isSettled = typeof modified === "string" && Date.parse(modified) < Date.now() - SETTLED_MS;
  return isSettled && sizeBytes >= LARGE_BYTES ? [[path, sizeBytes, modified]] : [];
}
