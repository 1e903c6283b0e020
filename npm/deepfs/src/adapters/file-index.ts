/**
 * The files of a state by path. State may hold keys that are no paths of ours as they stand (`notes.txt`, `/a//b`,
 * written by others): such a file is found under the path that its key means.
 */

import { FAST_PATHS } from "../binding/fast-paths.js";
import { joinKeys } from "../binding/keys.js";
import type { FileData } from "../protocol/file-data.js";
import { areNormal, isNormal, meaningOf } from "./key-path.js";
import type { FileRecords } from "./turn.js";

/** All files, as parallel arrays in the state's own order. */
export interface FileIndex {
  /** Normalised. */
  readonly paths: string[];
  readonly records: FileData[];
  /** The keys that are not the path they mean, by that path. */
  readonly oddKeys: ReadonlyMap<string, readonly string[]>;
  /** What was found when the index was made, to notice a change in place. */
  readonly source: { step: string | null; readonly keys: string[]; readonly values: unknown[] };
  /** What is made of `paths`, once asked for. */
  readonly made: MadeOfPaths;
  /** What is known of each file, once asked for. */
  readonly facts: FileFacts;
}

interface MadeOfPaths {
  /** Their positions in the order of a search from the root. */
  order?: Uint32Array;
  /** All of them as one text, see `joinKeys`. */
  joined?: string;
  /** Every folder. */
  folders?: ReadonlySet<string>;
  /** How often folders were asked for while {@link MadeOfPaths.folders} was not there. */
  looks?: number;
  /** Those of files and folders that are not ASCII by their composed form; `null` where several have the same. */
  composed?: ReadonlyMap<string, string | null>;
}

/**
 * What listings and searches need of each file, by its position. Kept beside the index, because looking it up by record
 * costs more than searching most texts does.
 */
export interface FileFacts {
  /** The content that the others were made of: a record changed in place has another. */
  readonly contents: unknown[];
  /** The step of a graph in which all of them were looked at: no record changes in place within one. */
  checked: string | null;
  /** The text that a search looks at; `null` for binary. */
  readonly texts: (string | null | undefined)[];
  /** In bytes; negative for a damaged record. */
  readonly sizes: (number | undefined)[];
}

const indexes = new WeakMap<FileRecords, FileIndex>();

/** The index that was made last, as long as anybody has its files: the next step of a graph brings most of them again. */
let latest: WeakRef<FileIndex> | undefined;

/** Some edge runtimes have none, and a strong one would keep a whole state. */
const CAN_REFER_WEAKLY = FAST_PATHS && typeof WeakRef === "function";

/**
 * The index of an object that holds files; made once, and again when the object was changed in place.
 *
 * @param step - The step of a graph, during which the graph's own object does not change; `null` where nothing is known.
 */
export function indexFiles(files: FileRecords, step: string | null): FileIndex {
  const known = indexes.get(files);
  if (FAST_PATHS && known !== undefined && isCurrent(known, files, step)) {
    return known;
  }
  const index = buildIndex(files, step);
  indexes.set(files, index);
  if (CAN_REFER_WEAKLY) {
    latest = new WeakRef(index);
  }
  return index;
}

/** The same for a question that is asked often: an index that is there is not checked again. */
export function roughIndex(files: FileRecords, step: string | null): FileIndex {
  return (FAST_PATHS ? indexes.get(files) : undefined) ?? indexFiles(files, step);
}

/** To be called after a change in place, where {@link indexFiles} may have been told that there is none. */
export function forgetIndex(files: FileRecords): void {
  indexes.delete(files);
}

/** The index of records that come from elsewhere; `paths` are normalised. */
export function indexRecords(paths: string[], records: FileData[]): FileIndex {
  const source = { keys: [], values: [], step: null };
  const facts = { contents: [], checked: null, texts: [], sizes: [] };
  return { paths, records, oddKeys: new Map(), source, made: {}, facts };
}

function isCurrent({ source }: FileIndex, files: FileRecords, step: string | null): boolean {
  if (step !== null && source.step === step) {
    return true;
  }
  const keys = Object.keys(files);
  const same =
    keys.length === source.keys.length &&
    keys.every((key, at) => key === source.keys[at] && files[key] === source.values[at]);
  if (same) {
    source.step = step;
  }
  return same;
}

function buildIndex(files: FileRecords, step: string | null): FileIndex {
  const keys = Object.keys(files);
  const values = keys.map((key) => files[key]);
  const isWhole = values.every((value) => value !== null && value !== undefined);
  const before = isWhole ? latest?.deref() : undefined;
  if (before !== undefined && isOfKeys(before, keys)) {
    const records = values as FileData[];
    const { paths, oddKeys, made } = before;
    return {
      paths,
      records,
      oddKeys,
      source: { step, keys: paths, values },
      made,
      facts: factsOfSame(before, records),
    };
  }
  const joined = keys.join("\0");
  if (isWhole && areNormal(keys, joined)) {
    // By far most states: what the keys are joined to is checked at once, and nothing has to be sorted out.
    return {
      paths: keys,
      records: values as FileData[],
      oddKeys: new Map(),
      source: { step, keys, values },
      made: { joined },
      facts: noFacts(keys),
    };
  }
  const paths: string[] = [];
  const records: FileData[] = [];
  const oddKeys = new Map<string, string[]>();
  const oddRecords = new Map<string, FileData>();
  keys.forEach((key, at) => {
    const record = values[at];
    if (record === null || record === undefined) {
      return;
    }
    const path = isNormal(key) ? key : meaningOf(key);
    if (path === key) {
      paths.push(key);
      records.push(record);
    } else if (path !== null) {
      oddKeys.set(path, [...(oddKeys.get(path) ?? []), key]);
      oddRecords.set(path, record);
    }
  });
  for (const [path, record] of oddRecords) {
    // The key that is the path itself hides the ones that only mean it.
    if (!Object.hasOwn(files, path)) {
      paths.push(path);
      records.push(record);
    }
  }
  return {
    paths,
    records,
    oddKeys,
    source: { step, keys, values },
    made: {},
    facts: noFacts(paths),
  };
}

/** Whether an index is about these keys, in this order, and each is the path it means. */
function isOfKeys({ paths, source }: FileIndex, keys: readonly string[]): boolean {
  return paths === source.keys && paths.length === keys.length && keys.every((key, at) => key === paths[at]);
}

/** What another index knows of the records that are the same objects. */
function factsOfSame({ records, paths, facts }: FileIndex, now: readonly FileData[]): FileFacts {
  const kept = noFacts(paths);
  for (let at = 0; at < now.length; at += 1) {
    if (now[at] === records[at]) {
      kept.contents[at] = facts.contents[at];
      kept.texts[at] = facts.texts[at];
      kept.sizes[at] = facts.sizes[at];
    }
  }
  return kept;
}

function noFacts(paths: readonly string[]): FileFacts {
  return { contents: blank(paths), checked: null, texts: blank(paths), sizes: blank(paths) };
}

/** A list filled from the start: one that is filled out of order becomes a slow one. */
function blank<T>(paths: readonly string[]): (T | undefined)[] {
  // oxlint-disable-next-line unicorn/no-new-array -- a length; `Array.from` takes several times as long
  return new Array<T | undefined>(paths.length).fill(undefined);
}

/** All paths as one text, see `joinKeys`. */
export function joinedPaths({ made, paths }: FileIndex): string {
  made.joined ??= joinKeys(paths);
  return made.joined;
}
