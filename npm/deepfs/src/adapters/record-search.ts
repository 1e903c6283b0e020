/** Searches over records that JavaScript owns. Only paths cross to the core, and the few texts that can match. */

import { type DialectName, type Failure, isFailure } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import { joinKeys } from "../binding/keys.js";
import { unpackMatches } from "../binding/unpack.js";
import type { GrepArguments } from "../protocol/arguments.js";
import type { FileData } from "../protocol/file-data.js";
import type { FileInfo, GlobResult, GrepMatch, GrepResult, LsResult } from "../protocol/results.js";
import { Budget, marked, type SearchLimits } from "./budget.js";
import { openRecord, sizeOfRecord } from "./file-data.js";
import { type FileFacts, type FileIndex, joinedPaths } from "./file-index.js";
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
  const batches = { size: FIRST_BATCH };
  let looked = 0;
  for (const batch of candidates(index, asked, base, budget, batches)) {
    if (isFailure(batch)) {
      return batch;
    }
    looked += batch.texts.length;
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
    // As many texts as the rest of the matches should be in, going by those so far.
    const rest =
      wanted === null ? batches.size * 2 : (wanted - matches.length) * (looked / Math.max(matches.length, 1));
    batches.size = Math.min(Math.max(Math.ceil(rest), FIRST_BATCH), batches.size * 4, LARGEST_BATCH);
  }
  return marked({ matches }, budget);
}

interface Batch {
  paths: string[];
  texts: string[];
}

/** The texts that can match, in path order. The first batch may be empty: it is how a bad pattern is found out. */
function* candidates(
  index: FileIndex,
  asked: GrepArguments,
  base: string,
  budget: Budget,
  batches: { readonly size: number },
): Generator<Batch | Failure> {
  const holds = needle(asked.pattern, sampleOf(index));
  const textAt = (at: number): string | null => {
    const text = textOf(index, at);
    return text !== null && holds(text) ? text : null;
  };
  const isWhole = base === "/" && index.paths.length <= budget.files;
  const order =
    isWhole && asked.glob === null && asked.maxCount !== null
      ? pathOrder(index)
      : matchingOrder(index, asked, base, isWhole ? null : firstBelow(index.paths, base, budget), holds, budget);
  if (isFailure(order)) {
    yield order;
    return;
  }
  let batch: Batch = { paths: [], texts: [] };
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
    if (batch.paths.length >= batches.size) {
      yield batch;
      count += 1;
      batch = { paths: [], texts: [] };
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

/** Positions of all files that a search from the root looks into, in path order: a capped one stops early. */
function pathOrder(index: FileIndex): Uint32Array | Failure {
  const { made } = index;
  if (made.order === undefined) {
    const order = getBinding().rules.filterKeys(joinedPaths(index), "/", null);
    if (isFailure(order)) {
      return order;
    }
    made.order = order;
  }
  return made.order;
}

/**
 * Positions of the files that hold the pattern, in path order. All texts are looked at first, as they lie in memory, and
 * only the paths of the few that match are put in order.
 *
 * @param positions - The files to look at; `null` for all.
 */
function matchingOrder(
  index: FileIndex,
  { glob }: GrepArguments,
  base: string,
  positions: readonly number[] | null,
  holds: (text: string) => boolean,
  budget: Budget,
): number[] | Failure {
  const { records, facts, source } = index;
  const { contents, texts } = facts;
  // Looking at each record again would take as long as going through its text.
  const isChecked = source.step !== null && facts.checked === source.step;
  const count = positions === null ? records.length : positions.length;
  const found: number[] = [];
  let next = 0;
  for (; next < count && budget.hasTime(); next += 1) {
    const at = positions === null ? next : (positions[next] ?? -1);
    const text = isChecked || contents[at] === records[at]?.content ? texts[at] : undefined;
    const known = text === undefined ? textOf(index, at) : text;
    if (known !== null && holds(known)) {
      found.push(at);
    }
  }
  if (positions === null && next === count) {
    facts.checked = source.step;
  }
  const kept = getBinding().rules.filterKeys(joinKeys(pathsAt(index.paths, found)), base, glob);
  return isFailure(kept) ? kept : Array.from(kept, (key) => found[key] ?? -1);
}

const SAMPLES = 16;
const SAMPLE_UNITS = 256;

/** A little of the texts, from the middle of a few of them. */
function sampleOf(index: FileIndex): string {
  const step = Math.max(1, Math.floor(index.paths.length / SAMPLES));
  let sample = "";
  for (let at = 0; at < index.paths.length; at += step) {
    const text = textOf(index, at) ?? "";
    const middle = text.length >> 1;
    sample += text.slice(middle, middle + SAMPLE_UNITS);
  }
  return sample;
}

function tableOf(index: FileIndex): FileTable {
  return {
    paths: index.paths,
    joined: () => joinedPaths(index),
    row: (at) => fileInfo(index, at),
    modified: (at) => modifiedOf(index.records[at]),
  };
}

/** In place of the size of a record that cannot be read. */
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
