/** Searches over records that JavaScript owns. Only paths cross to the core, and the few texts that can match. */

import { type DialectName, type Failure, isFailure } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import { unpackMatches } from "../binding/unpack.js";
import type { GrepArguments } from "../protocol/arguments.js";
import type { FileInfo, GlobResult, GrepMatch, GrepResult, LsResult } from "../protocol/results.js";
import { openRecord, sizeOfRecord } from "./file-data.js";
import { type FileIndex, isAtOrBelow } from "./file-index.js";
import { needle } from "./needle.js";
import { searchText } from "./record-read.js";

/** Texts that cross at once: few at first, so that a capped search of a common word stops early. */
const FIRST_BATCH = 64;
const LARGEST_BATCH = 4096;

/** Files with what listings say of them, which may be known without their records. */
export interface FileTable {
  /** Normalised. */
  readonly paths: readonly string[];
  /** The row of a file; `null` for one that is left out. */
  row(at: number): FileInfo | null;
  /** ISO time of the last change; empty where not known. */
  modified(at: number): string;
}

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

/** As {@link listRecords}. */
export function listTable(table: FileTable, dir: string): LsResult {
  const positions = below(table.paths, dir).filter((at) => table.paths[at] !== dir);
  const keys = positions.map((at) => table.paths[at] ?? "");
  const listing = getBinding().rules.listKeys(keys, dir);
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

/** As {@link globRecords}. */
export function globTable(
  table: FileTable,
  pattern: string,
  base: string,
  dialect: DialectName,
  bareRecursive: boolean,
): GlobResult {
  const positions = below(table.paths, base);
  const keys = positions.map((at) => table.paths[at] ?? "");
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

function tableOf(index: FileIndex): FileTable {
  return {
    paths: index.paths,
    row: (at) => fileInfo(index, at),
    modified: (at) => openRecord(index.records[at])?.modifiedAt ?? "",
  };
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

/** The texts that can match, in path order. The first batch may be empty: it is how bad arguments are found out. */
function* candidates(index: FileIndex, asked: GrepArguments, base: string): Generator<Batch | Failure> {
  const holds = needle(asked.pattern);
  let batch: Batch = { paths: [], texts: [] };
  let size = 0;
  let count = 0;
  for (const at of inPathOrder(index)) {
    const path = index.paths[at] ?? "";
    if (!isAtOrBelow(path, base)) {
      continue;
    }
    const text = searchText(path, index.records[at]);
    if (text === null || !holds(text)) {
      continue;
    }
    batch.paths.push(path);
    batch.texts.push(text);
    if (batch.paths.length >= size) {
      yield filtered(batch, base, asked.glob);
      count += 1;
      batch = { paths: [], texts: [] };
      size = Math.min(size === 0 ? FIRST_BATCH : size * 2, LARGEST_BATCH);
    }
  }
  if (count === 0 || batch.paths.length > 0) {
    yield filtered(batch, base, asked.glob);
  }
}

function filtered(batch: Batch, base: string, glob: string | null): Batch | Failure {
  if (glob === null) {
    return batch;
  }
  const kept = getBinding().rules.filterKeys(batch.paths, base, glob);
  if (isFailure(kept)) {
    return kept;
  }
  const positions = Array.from(kept);
  return {
    paths: positions.map((at) => batch.paths[at] ?? ""),
    texts: positions.map((at) => batch.texts[at] ?? ""),
  };
}

/** Positions of all paths in path order, which the core knows. */
function inPathOrder(index: FileIndex): Uint32Array {
  if (index.order === null) {
    const order = getBinding().rules.filterKeys(index.paths, "/", null);
    index.order = isFailure(order) ? Uint32Array.from(index.paths.keys()) : order;
  }
  return index.order;
}

function below(paths: readonly string[], base: string): number[] {
  const positions: number[] = [];
  paths.forEach((path, at) => {
    if (isAtOrBelow(path, base)) {
      positions.push(at);
    }
  });
  return positions;
}

/** A row of a listing; `null` for a damaged record, which is left out. */
function fileInfo(index: FileIndex, at: number): FileInfo | null {
  const record = index.records[at];
  const file = openRecord(record);
  return file === null
    ? null
    : { path: index.paths[at] ?? "", is_dir: false, size: sizeOfRecord(record), modified_at: file.modifiedAt };
}
