/**
 * The files of a state by path. State may hold keys that are no paths of ours as they stand (`notes.txt`, `/a//b`,
 * written by others): such a file is found under the path that its key means.
 */

import type { Failure, Method } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import { FAST_PATHS } from "../binding/fast-paths.js";
import type { FileData } from "../protocol/file-data.js";
import type { FilesAccess } from "./files-access.js";
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
  /** The text that a search looks at; `null` for binary. */
  readonly texts: (string | null | undefined)[];
  /** In bytes; negative for a damaged record. */
  readonly sizes: (number | undefined)[];
}

const indexes = new WeakMap<FileRecords, FileIndex>();

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
  return index;
}

/** To be called after a change in place, where {@link indexFiles} may have been told that there is none. */
export function forgetIndex(files: FileRecords): void {
  indexes.delete(files);
}

/** The index of records that come from elsewhere; `paths` are normalised. */
export function indexRecords(paths: string[], records: FileData[]): FileIndex {
  const source = { keys: [], values: [], step: null };
  const facts = { contents: [], texts: [], sizes: [] };
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
  const joined = keys.join("\0");
  if (areNormal(keys, joined) && values.every((value) => value !== null && value !== undefined)) {
    // By far most states: what the keys are joined to is checked at once, and nothing has to be sorted out.
    const facts = { contents: blank(keys), texts: blank<string | null>(keys), sizes: blank<number>(keys) };
    return {
      paths: keys,
      records: values as FileData[],
      oddKeys: new Map(),
      source: { step, keys, values },
      made: { joined },
      facts,
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
    facts: { contents: blank(paths), texts: blank(paths), sizes: blank(paths) },
  };
}

/** A list filled from the start: one that is filled out of order becomes a slow one. */
function blank<T>(paths: readonly string[]): (T | undefined)[] {
  // oxlint-disable-next-line unicorn/no-new-array -- a length; `Array.from` takes several times as long
  return new Array<T | undefined>(paths.length).fill(undefined);
}

/** The longest name in bytes is 255, so no shorter key can hold one that is too long. */
const SURELY_SHORT_UNITS = 80;

/** Whether a key surely is a normalised path; a few that are may be taken for ones that are not. */
function isNormal(key: string): boolean {
  return (
    key.length > 1 &&
    key.length <= SURELY_SHORT_UNITS &&
    key.startsWith("/") &&
    !key.endsWith("/") &&
    !key.includes("//") &&
    !key.includes("/.") &&
    !key.includes("\0")
  );
}

/** Whether each of these keys, joined by NUL, surely is a normalised path. */
function areNormal(keys: readonly string[], joined: string): boolean {
  // One pass; three searches for a slash and another character would stop at every slash of every key.
  if (/\/[/.\0]/.test(joined) || joined.endsWith("/")) {
    return false;
  }
  return keys.every(
    (key) => key.length > 1 && key.length <= SURELY_SHORT_UNITS && key.startsWith("/") && !key.includes("\0"),
  );
}

/** The path that a caller's text means, or the failure that it is none. Most are normal already, and need not cross for it. */
export function pathOf(method: Method, shown: string): { path: string } | Failure {
  return FAST_PATHS && isNormal(shown) ? { path: shown } : getBinding().rules.parsePath(method, shown);
}

/** The path that a key means; `null` when it can be none. */
function meaningOf(key: string): string | null {
  const parsed = getBinding().rules.parsePath("ls", key);
  return "path" in parsed && parsed.path !== "/" ? parsed.path : null;
}

/** Files as one call sees them: those of the state, with what the step, and the call itself, has changed so far. */
export class FileView {
  private whole: FileIndex | null = null;
  /** Made for the calls that store several files; most do not. */
  private added: Map<string, FileData> | null = null;
  private folders: Set<string> | null = null;

  constructor(private readonly access: FilesAccess) {}

  /** Lets the later items of one call see a file that an earlier one stores. */
  add(path: string, record: FileData): void {
    // Many files are coming in: from now on folders are looked up, not searched for.
    this.folders ??= new Set(allFolders(this.index()));
    this.added ??= new Map();
    this.added.set(path, record);
    addFolders(this.folders, path);
  }

  /** The record at a normalised path. */
  find(path: string): FileData | undefined {
    const added = this.added?.get(path);
    if (added !== undefined) {
      return added;
    }
    const { files, latest } = this.access;
    const changed = latest.get(path);
    if (changed !== undefined) {
      return changed ?? undefined;
    }
    if (Object.hasOwn(files, path)) {
      return files[path] ?? undefined;
    }
    const key = this.oddKey(path);
    return key === undefined || latest.get(key) === null ? undefined : files[key];
  }

  /**
   * The path that is meant by `path`. A name that is written the same but composed of other characters (macOS stores
   * `é` as two) is the same name, of a file or of a folder above it, as long as only one spelling is there.
   */
  locate(path: string): string {
    if (!NOT_ASCII.test(path) || this.find(path) !== undefined) {
      return path;
    }
    const { made, paths } = this.index();
    made.composed ??= composedPaths(paths);
    return spelledIn(made.composed, path);
  }

  /** All files, without those of {@link FileView.add}. */
  index(): FileIndex {
    this.whole ??= indexFiles(this.merged(), this.access.latest.size === 0 ? this.access.step : null);
    return this.whole;
  }

  /** Every key of the state at or below a path. */
  keysBelow(path: string): string[] {
    const { paths, oddKeys } = this.index();
    const found = paths.filter((candidate) => isAtOrBelow(candidate, path)).filter((key) => this.hasKey(key));
    for (const [meaning, keys] of oddKeys) {
      if (isAtOrBelow(meaning, path)) {
        found.push(...keys);
      }
    }
    return found;
  }

  /** Whether there is a file below a path, which then is a folder. */
  isFolder(path: string): boolean {
    if (this.folders !== null) {
      return this.folders.has(path);
    }
    const { files, latest, step } = this.access;
    const prefix = path === "/" ? "/" : `${path}/`;
    // Folders of the state are found once, and what the step has changed since is looked through. Only where it removed
    // something from this folder does it take an index of what is left.
    let mayBeGone = false;
    for (const [key, record] of latest) {
      if (record === null) {
        mayBeGone ||= key.startsWith(prefix) || !isNormal(key);
      } else if (key.startsWith(prefix)) {
        return true;
      }
    }
    return allFolders(mayBeGone ? this.index() : indexFiles(files, step)).has(path);
  }

  /** The nearest folder above a path that is a file, where no file can be put. */
  fileAbove(path: string): string | null {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const parent = path.slice(0, end);
      if (this.find(parent) !== undefined) {
        return parent;
      }
    }
    return null;
  }

  /** The key that only means a path. A missing file is frequent, so an index that is there is not checked again. */
  private oddKey(path: string): string | undefined {
    const { files, step } = this.access;
    const { oddKeys } = (FAST_PATHS ? indexes.get(files) : undefined) ?? indexFiles(files, step);
    const key = oddKeys.get(path)?.at(-1) ?? path.slice(1);
    return Object.hasOwn(files, key) ? key : undefined;
  }

  private hasKey(key: string): boolean {
    const changed = this.access.latest.get(key);
    return changed === undefined ? Object.hasOwn(this.access.files, key) : changed !== null;
  }

  private merged(): FileRecords {
    const { files, latest } = this.access;
    if (latest.size === 0) {
      return files;
    }
    const merged = { ...files };
    for (const [key, record] of latest) {
      if (record === null) {
        delete merged[key];
      } else {
        merged[key] = record;
      }
    }
    return merged;
  }
}

function allFolders(index: FileIndex): ReadonlySet<string> {
  index.made.folders ??= foldersOf(index.paths);
  return index.made.folders;
}

/** Whether a normalised path is another one or lies below it. */
export function isAtOrBelow(path: string, base: string): boolean {
  return base === "/" || path === base || path.startsWith(`${base}/`);
}

const NOT_ASCII = /[^\p{ASCII}]/u;

/**
 * The one of `paths` that is spelt in other characters but reads the same as `path`; `path` itself when there is none, or
 * more than one.
 */
export function otherSpelling(paths: readonly string[], path: string): string {
  return spelledIn(composedPaths(paths), path);
}

/** The same for several paths at once. */
export function otherSpellings(paths: Iterable<string>, asked: readonly string[]): string[] {
  if (!asked.some(hasSpellings)) return [...asked];
  const composed = composedPaths([...paths]);
  return asked.map((path) => spelledIn(composed, path));
}

/** A path with its longest known beginning as that is spelt, as long as only one spelling of it is known. */
function spelledIn(composed: ReadonlyMap<string, string | null>, path: string): string {
  const form = path.normalize("NFC");
  for (let end = form.length, own = path.length; end > 0;) {
    const known = composed.get(form.slice(0, end));
    if (known !== undefined) {
      return known === null ? path : known + path.slice(own);
    }
    // No character composes with a slash: both texts have the same ones.
    end = form.lastIndexOf("/", end - 1);
    own = path.lastIndexOf("/", own - 1);
  }
  return path;
}

/** Whether a path can have another spelling. */
export function hasSpellings(path: string): boolean {
  return NOT_ASCII.test(path);
}

function composedPaths(paths: readonly string[]): Map<string, string | null> {
  const composed = new Map<string, string | null>();
  for (const path of paths) {
    let known: string | null | undefined;
    for (let end = path.length; end > 0 && known === undefined; end = path.lastIndexOf("/", end - 1)) {
      const start = path.slice(0, end);
      if (!NOT_ASCII.test(start)) {
        break;
      }
      const form = start.normalize("NFC");
      const spelling = composed.get(form);
      composed.set(form, spelling === undefined || spelling === start ? start : null);
      // The folders of a folder that was met before have been met as well.
      known = spelling === start ? start : undefined;
    }
  }
  return composed;
}

function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set<string>(["/"]);
  for (const path of paths) {
    addFolders(folders, path);
  }
  return folders;
}

/** Adds every folder above a path. */
function addFolders(folders: Set<string>, path: string): void {
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    const folder = path.slice(0, end);
    if (folders.has(folder)) {
      return;
    }
    folders.add(folder);
  }
}
