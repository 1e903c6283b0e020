/** Files of a graph as one call sees them. */

import type { FileData } from "../protocol/file-data.js";
import { type FileIndex, indexFiles, roughIndex } from "./file-index.js";
import type { FilesAccess } from "./files-access.js";
import { addFolders, allFolders, hasFolder } from "./folders.js";
import { isAtOrBelow, isNormal } from "./key-path.js";
import { composedPaths, hasSpellings, spelledIn } from "./spellings.js";
import type { FileRecords } from "./turn.js";

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
    if (!hasSpellings(path) || this.find(path) !== undefined) {
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
    return hasFolder(mayBeGone ? this.index() : indexFiles(files, step), path);
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

  /** The key that only means a path. */
  private oddKey(path: string): string | undefined {
    const { files, step } = this.access;
    const { oddKeys } = roughIndex(files, step);
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
