/**
 * Rows out of columns. Many rows cross the binding as a few long strings and arrays, which is cheap; here they become
 * the objects of the protocol, in slices, so that a long answer can let the event loop breathe in between.
 */

import type { FileInfo, GrepMatch } from "../protocol/results.js";
import type { Contents, DownloadParts, PackedFiles, PackedMatches } from "./contract.js";
import { FAST_PATHS } from "./fast-paths.js";

/** Answers of files up to this many rows are made at once. */
const SLICE_ROWS = 2048;

const SEPARATOR = "\0";

/** The files of a download, one by one. */
export function unpackContents({ contents, failures }: Contents): DownloadParts[] {
  let next = 0;
  return contents.map((content) => {
    if (content !== null) {
      return { content, error: null };
    }
    const failed = failures[next];
    next += 1;
    return { content, ...(failed ?? { error: "unknown", code: "internal", message: "the core gave no answer" }) };
  });
}

/** The rows of `ls` and `glob`, at once. */
export function unpackFiles(packed: PackedFiles): FileInfo[] {
  return collect(fileSlices(packed));
}

/** The rows of `grep`, at once. */
export function unpackMatches(packed: PackedMatches): GrepMatch[] {
  return collect(matchSlices(packed));
}

/** The rows of `ls` and `glob`; a long answer yields to the event loop between slices. */
export function unpackFilesInTurns(packed: PackedFiles): FileInfo[] | Promise<FileInfo[]> {
  return !FAST_PATHS || packed.count <= SLICE_ROWS ? unpackFiles(packed) : collectInTurns(fileSlices(packed));
}

/** The rows of `grep`; a long answer yields to the event loop between slices. */
export function unpackMatchesInTurns(packed: PackedMatches): GrepMatch[] | Promise<GrepMatch[]> {
  return !FAST_PATHS || packed.texts.length <= 1 ? unpackMatches(packed) : collectInTurns(matchSlices(packed));
}

function* fileSlices(packed: PackedFiles): Generator<FileInfo[]> {
  const { paths, count, sizes, folders, stamps, tellsUnknown } = packed;
  const path = pieces(paths);
  const stamp = pieces(stamps);
  for (let row = 0; row < count;) {
    const slice: FileInfo[] = [];
    for (const end = Math.min(row + SLICE_ROWS, count); row < end; row += 1) {
      const info: FileInfo = { path: path(), is_dir: folders[row] === 1 };
      const size = sizes[row] ?? -1;
      if (size >= 0) {
        info.size = size;
      }
      // A folder of flat keys has no time of its own, and some times must not be told.
      const modified = stamp();
      if (modified !== "" || tellsUnknown) {
        info.modified_at = modified;
      }
      slice.push(info);
    }
    yield slice;
  }
}

function* matchSlices(packed: PackedMatches): Generator<GrepMatch[]> {
  const { counts, lines, texts } = packed;
  const nextPath = pieces(packed.paths);
  let file = -1;
  let left = 0;
  let path = "";
  let row = 0;
  for (const block of texts) {
    const slice: GrepMatch[] = [];
    for (const text of block.split("\n")) {
      while (left === 0 && file < counts.length) {
        file += 1;
        left = counts[file] ?? 0;
        path = nextPath();
      }
      slice.push({ path, line: lines[row] ?? 0, text });
      row += 1;
      left -= 1;
    }
    yield slice;
  }
}

/** Hands out the pieces of a joined string one after the other, without splitting all of it first. */
function pieces(joined: string): () => string {
  let start = 0;
  return () => {
    const end = joined.indexOf(SEPARATOR, start);
    const piece = end < 0 ? joined.slice(start) : joined.slice(start, end);
    start = end < 0 ? joined.length : end + 1;
    return piece;
  };
}

function collect<T>(slices: Generator<T[]>): T[] {
  const all: T[] = [];
  for (const slice of slices) {
    append(all, slice);
  }
  return all;
}

async function collectInTurns<T>(slices: Generator<T[]>): Promise<T[]> {
  const all: T[] = [];
  for (const slice of slices) {
    append(all, slice);
    await nextTurn();
  }
  return all;
}

function append<T>(all: T[], slice: T[]): void {
  for (const item of slice) {
    all.push(item);
  }
}

interface Timers {
  setImmediate?: (callback: () => void) => unknown;
  setTimeout: (callback: () => void, milliseconds: number) => unknown;
}

/** Resolves after the event loop has had its turn. */
function nextTurn(): Promise<void> {
  const timers = globalThis as unknown as Timers;
  return new Promise((resolve) => {
    if (typeof timers.setImmediate === "function") {
      timers.setImmediate(resolve);
    } else {
      timers.setTimeout(resolve, 0);
    }
  });
}
