/** Searches over records that JavaScript owns. Only paths cross to the core, and the few texts that can match. */

import { type DialectName, type Failure, isFailure } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import { unpackMatches } from "../binding/unpack.js";
import type { GrepArguments } from "../protocol/arguments.js";
import type { FileData } from "../protocol/file-data.js";
import type { FileInfo, GlobResult, GrepMatch, GrepResult, LsResult } from "../protocol/results.js";
import { Budget, marked, type SearchLimits } from "./budget.js";
import { openRecord, sizeOfRecord } from "./file-data.js";
import type { FileFacts, FileIndex } from "./file-index.js";
import { type FileTable, firstBelow, globTable, listTable, pathsAt } from "./listing.js";
import { needle } from "./needle.js";
import { searchText } from "./record-read.js";

/** Texts that cross at once: few at first, so that a capped search of a common word stops early. */
const FIRST_BATCH = 64;
const LARGEST_BATCH = 4096;

/** What is directly in `dir`, a normalised path. */
export function listRecords(index: FileIndex, dir: string, limits: SearchLimits): LsResult {
  return listTable(tableOf(index), dir, limits);
}

/** Files at or below `base`, a normalised path, that match a pattern. */
export function globRecords(
  index: FileIndex,
  pattern: string,
  base: string,
  dialect: DialectName,
  bareRecursive: boolean,
  limits: SearchLimits,
): GlobResult {
  return globTable(tableOf(index), pattern, base, dialect, bareRecursive, limits);
}

/** Lines that hold the pattern; `base` is the searched path, normalised. */
export function grepRecords(
  index: FileIndex,
  asked: GrepArguments,
  base: string,
  lineChars: number | null,
  limits: SearchLimits = {},
): GrepResult {
  const budget = new Budget(limits);
  const { pattern, maxCount } = asked;
  // One more than asked for, to know whether there was more.
  const wanted = maxCount === null ? null : maxCount + 1;
  const matches: GrepMatch[] = [];
  for (const batch of candidates(index, asked, base, budget)) {
    if (isFailure(batch)) {
      return batch;
    }
    const left = wanted === null ? null : wanted - matches.length;
    const packed = getBinding().rules.grepTexts(batch.paths, batch.texts, pattern, left, lineChars);
    if (isFailure(packed)) {
      return packed;
    }
    for (const match of unpackMatches(packed)) {
      if (matches.length === maxCount) {
        budget.end();
        break;
      }
      if (!budget.holds(match.text)) {
        return marked({ matches }, budget);
      }
      matches.push(match);
    }
    if (matches.length === maxCount && budget.truncated) {
      break;
    }
    if (packed.truncated && wanted === null) {
      budget.end();
      break;
    }
  }
  return marked({ matches }, budget);
}

interface Batch {
  paths: string[];
  texts: string[];
}

/** The texts that can match, in path order. The first batch may be empty: it is how a bad pattern is found out. */
function* candidates(index: FileIndex, asked: GrepArguments, base: string, budget: Budget): Generator<Batch | Failure> {
  const holds = needle(asked.pattern);
  const textAt = (at: number): string | null => {
    const text = textOf(index, at);
    return text !== null && holds(text) ? text : null;
  };
  const order = searchOrder(index, asked.glob, base, budget, (at) => textAt(at) !== null);
  if (isFailure(order)) {
    yield order;
    return;
  }
  let batch: Batch = { paths: [], texts: [] };
  let size = FIRST_BATCH;
  let count = 0;
  for (const at of order) {
    if (!budget.hasTime()) {
      break;
    }
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
  budget: Budget,
  canMatch: (at: number) => boolean,
): Iterable<number> | Failure {
  const { rules } = getBinding();
  if (glob === null && base === "/" && index.paths.length <= budget.files) {
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
  const below = firstBelow(index.paths, base, budget);
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
