/** The options of the disk backends, and what the core is told of them. */

import type { DiskParts, LimitParts } from "../binding/contract.js";
import { isSignal } from "./cancellable.js";
import { FAST_PATHS } from "../binding/fast-paths.js";
import { absolutePath } from "./host-path.js";
import { oneOf } from "./one-of.js";

/** Caps of one call. A call that meets a cap stops and says so: with an error, or with `truncated`. */
export interface DiskLimits {
  /** Bytes that one `read` or `readRaw` hands out (default 256 MiB). */
  readBytes?: number;
  /** Bytes that one file may have after a `write`, an `edit` or an upload (default 256 MiB). */
  writeBytes?: number;
  /** Bytes of paths and lines that one `ls`, `glob` or `grep` answers with (default 64 MiB). */
  resultBytes?: number;
  /** Entries that one `ls`, `glob` or `grep` visits (default 10,000,000). Which ones is the file system's choice. */
  walkEntries?: number;
  /** Milliseconds that one search takes (default: no limit). */
  searchMs?: number;
}

/** Options of {@link FilesystemBackend}; all can be left out. */
export interface FilesystemBackendOptions {
  /** The folder that is worked in; made absolute once. Default: the working directory of the process. */
  rootDir?: string;
  /** Another name of `rootDir`. */
  workingDirectory?: string;
  /**
   * Keep every path inside `rootDir`, which then is `/` (default false: paths are those of the machine).
   * `FilesystemBackend.createSafe` switches it on.
   */
  virtualMode?: boolean;
  /** Larger files are left out of `grep`, in MiB (default: none are). */
  maxFileSizeMb?: number;
  /** What `write` does with a file that exists (default `"overwrite"`). `"create"` refuses. */
  writeMode?: "create" | "overwrite";
  /** Tell text from binary by the content where the name does not tell (default true). */
  sniff?: boolean;
  /** Whether a bare `*.ts` matches in the searched folder only (default) or at every depth. */
  bareGlob?: "flat" | "recursive";
  /** `ls` of a missing path or of a file is an error (default false: an empty list). */
  strict?: boolean;
  /** Searches leave out what ignore files name (default false). */
  gitignore?: boolean;
  /** `glob` lists folders that match, too (default false). */
  globDirectories?: boolean;
  /** Longer matching lines are cut around the match, in characters (default 2,000). */
  maxLineLength?: number;
  /** Wait until a change is on the disk itself (default false). */
  durable?: boolean;
  /**
   * Shortcuts that give the same answers (default true, unless the environment says `DEEPFS_FAST_PATHS=off`): small files
   * that memory holds are read inside the call; where the lines of a long file are is remembered (up to 4 MB), and what
   * directories hold (up to 16 MB), each as long as the times of the file or directory stay the same.
   */
  fastPaths?: boolean;
  /** Caps of one call. */
  limits?: DiskLimits;
  /** Ends the listings, searches, reads and transfers of this backend when it aborts; later calls answer with an error. */
  signal?: AbortSignal;
}

const MIB = 1024 * 1024;

/**
 * What the core is told.
 *
 * @throws TypeError for an option of the wrong type.
 */
export function diskParts(options: FilesystemBackendOptions): DiskParts & { root: string } {
  const { rootDir = options.workingDirectory } = options;
  if (rootDir !== undefined && typeof rootDir !== "string") {
    throw new TypeError(`rootDir must be a string, not ${typeof rootDir}`);
  }
  if (options.signal !== undefined && !isSignal(options.signal)) {
    throw new TypeError("signal must be an AbortSignal");
  }
  oneOf("writeMode", options.writeMode, ["create", "overwrite"]);
  oneOf("bareGlob", options.bareGlob, ["flat", "recursive"]);
  return {
    root: absolutePath(rootDir ?? ""),
    contained: options.virtualMode ?? false,
    durable: options.durable ?? false,
    dialect: "disk",
    sniff: options.sniff ?? true,
    bareGlobRecursive: options.bareGlob === "recursive",
    createOnly: options.writeMode === "create",
    strictLs: options.strict ?? false,
    gitignore: options.gitignore ?? false,
    fastPaths: options.fastPaths ?? FAST_PATHS,
    globDirectories: options.globDirectories ?? false,
    limits: limitParts(options),
  };
}

function limitParts(options: FilesystemBackendOptions): LimitParts {
  const { maxFileSizeMb, maxLineLength, limits = {} } = options;
  const parts: LimitParts = {};
  const set = (name: keyof LimitParts, value: number | undefined, option: string, unit = 1): void => {
    if (value === undefined) {
      return;
    }
    if (typeof value !== "number" || !(value >= 0)) {
      throw new TypeError(`${option} must be a number that is not negative`);
    }
    parts[name] = Math.min(Math.floor(value * unit), Number.MAX_SAFE_INTEGER);
  };
  set("grepFileBytes", maxFileSizeMb, "maxFileSizeMb", MIB);
  set("lineChars", maxLineLength, "maxLineLength");
  set("readBytes", limits.readBytes, "limits.readBytes");
  set("writeBytes", limits.writeBytes, "limits.writeBytes");
  set("resultBytes", limits.resultBytes, "limits.resultBytes");
  set("walkEntries", limits.walkEntries, "limits.walkEntries");
  set("searchMs", limits.searchMs, "limits.searchMs");
  return parts;
}
