/** Searches over records that JavaScript owns. Only paths cross to the core, and the few texts that can match. */

import { type DialectName, type Failure, isFailure } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import { unpackMatches } from "../binding/unpack.js";
import type { GrepArguments } from "../protocol/arguments.js";
import type { FileData } from "../protocol/file-data.js";
import type { FileInfo, GlobResult, GrepMatch, GrepResult, LsResult } from "../protocol/results.js";
import { openRecord, sizeOfRecord } from "./file-data.js";
import type { FileFacts, FileIndex } from "./file-index.js";
import { type FileTable, globTable, listTable, pathsAt, positionsBelow } from "./listing.js";
import { needle } from "./needle.js";
import { searchText } from "./record-read.js";

/** Texts that cross at once: few at first, so that a capped search of a common word stops early. */
const FIRST_BATCH = 64;
const LARGEST_BATCH = 4096;

/** What is directly in `dir`, a normalised path. */
export function listRecords(index: FileIndex, dir: string): LsResult {
  return listTable(tableOf(index), dir);
}

/** Files at or below `base`, a normalised path, that match a pattern. */
export function globRecords(
  index: FileIndex,
  pattern: string,
  base: string,
  dialect: DialectName,
  bareRecursive: boolean,
): GlobResult {
  return globTable(tableOf(index), pattern, base, dialect, bareRecursive);
}

/** Lines that hold the pattern; `base` is the searched path, normalised. */
export function grepRecords(
  index: FileIndex,
  asked: GrepArguments,
  base: string,
  lineChars: number | null,
): GrepResult {
  const { pattern, maxCount } = asked;
  // One more than asked for, to know whether there was more.
  const wanted = maxCount === null ? null : maxCount + 1;
  const matches: GrepMatch[] = [];
  let truncated = false;
  for (const batch of candidates(index, asked, base)) {
    if (isFailure(batch)) {
      return batch;
    }
    const left = wanted === null ? null : wanted - matches.length;
    const packed = getBinding().rules.grepTexts(batch.paths, batch.texts, pattern, left, lineChars);
    if (isFailure(packed)) {
      return packed;
    }
    for (const match of unpackMatches(packed)) {
      matches.push(match);
    }
    if (maxCount !== null && matches.length > maxCount) {
      matches.length = maxCount;
      truncated = true;
      break;
    }
    if (packed.truncated && wanted === null) {
      truncated = true;
      break;
    }
  }
  return truncated ? { matches, truncated } : { matches };
}

interface Batch {
  paths: string[];
  texts: string[];
}

/** The texts that can match, in path order. The first batch may be empty: it is how a bad pattern is found out. */
function* candidates(index: FileIndex, asked: GrepArguments, base: string): Generator<Batch | Failure> {
  const holds = needle(asked.pattern);
  const textAt = (at: number): string | null => {
    const text = textOf(index, at);
    return text !== null && holds(text) ? text : null;
  };
  const order = searchOrder(index, asked.glob, base, (at) => textAt(at) !== null);
  if (isFailure(order)) {
    yield order;
    return;
  }
  let batch: Batch = { paths: [], texts: [] };
  let size = FIRST_BATCH;
  let count = 0;
  for (const at of order) {
    const text = textAt(at);
    if (text === null) {
      continue;
    }
    batch.paths.push(index.paths[at] ?? "");
    batch.texts.push(text);
    if (batch.paths.length >= size) {
      yield batch;
      count += 1;
      batch = { paths: [], texts: [] };
      size = Math.min(size * 2, LARGEST_BATCH);
    }
  }
  if (count === 0 || batch.paths.length > 0) {
    yield batch;
  }
}

/** The text of a file that a search looks at; `null` for binary. */
function textOf(index: FileIndex, at: number): string | null {
  const { texts } = factsOf(index, at);
  let text = texts[at];
  if (text === undefined) {
    text = searchText(index.paths[at] ?? "", index.records[at]);
    texts[at] = text;
  }
  return text;
}

/** The facts, without those of a record that was changed in place since they were noted. */
function factsOf(index: FileIndex, at: number): FileFacts {
  const { facts } = index;
  const content: unknown = index.records[at]?.content;
  if (facts.contents[at] !== content) {
    facts.contents[at] = content;
    facts.texts[at] = undefined;
    facts.sizes[at] = undefined;
  }
  return facts;
}

/** Positions of the files to search, in path order. Which files those are is the core's rule. */
function searchOrder(
  index: FileIndex,
  glob: string | null,
  base: string,
  canMatch: (at: number) => boolean,
): Iterable<number> | Failure {
  const { rules } = getBinding();
  if (glob === null && base === "/") {
    // The most frequent search: its order is found once for an unchanged state.
    if (index.order === null) {
      const order = rules.filterKeys(index.paths, base, null);
      if (isFailure(order)) {
        return order;
      }
      index.order = order;
    }
    return index.order;
  }
  const below = positionsBelow(index.paths, base);
  // Fewer paths cross when those that can not match are left out; but without a filter to ask about, looking at each
  // text can wait for its turn.
  const positions = glob === null ? below : below.filter(canMatch);
  const kept = rules.filterKeys(pathsAt(index.paths, positions), base, glob);
  return isFailure(kept) ? kept : Array.from(kept, (key) => positions[key] ?? -1);
}

function tableOf(index: FileIndex): FileTable {
  return {
    paths: index.paths,
    row: (at) => fileInfo(index, at),
    modified: (at) => modifiedOf(index.records[at]),
  };
}

/** In place of the size of a record that can not be read. */
const DAMAGED = -1;

/** A row of a listing; `null` for a damaged record, which is left out. */
function fileInfo(index: FileIndex, at: number): FileInfo | null {
  const record = index.records[at];
  const { sizes } = factsOf(index, at);
  let size = sizes[at];
  if (size === undefined) {
    size = openRecord(record) === null ? DAMAGED : sizeOfRecord(record);
    sizes[at] = size;
  }
  return size === DAMAGED
    ? null
    : { path: index.paths[at] ?? "", is_dir: false, size, modified_at: modifiedOf(record) };
}

function modifiedOf(record: FileData | undefined): string {
  const modified: unknown = record?.modified_at;
  return typeof modified === "string" ? modified : "";
}
