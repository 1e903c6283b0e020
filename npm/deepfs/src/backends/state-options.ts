/** The options of `StateBackend`. */

import type { MeaningParts } from "../binding/contract.js";
import type { BackendOptions } from "../protocol/backend.js";
import { oneOf } from "./one-of.js";
import type { FilesInput } from "./own-files.js";

/** Options of {@link StateBackend}; all can be left out. */
export interface StateBackendOptions extends BackendOptions {
  /**
   * Files that the backend starts with where no graph runs. Inside a run of a graph the graph's own files count, and
   * these are not seen there: hand those to `invoke({ files })`.
   */
  files?: FilesInput;
  /** What `write` does with a file that exists (default `"overwrite"`). `"create"` refuses. */
  writeMode?: "create" | "overwrite";
  /** Whether a bare `*.ts` matches in the searched folder only (default) or at every depth. */
  bareGlob?: "flat" | "recursive";
  /** `ls` of a missing path or of a file is an error (default false: an empty list). */
  strict?: boolean;
  /** Longer matching lines are cut around the match, in characters (default 2,000). */
  maxLineLength?: number;
  /** Caps of one call. */
  limits?: StateLimits;
}

/** Caps of one call. A call that meets a cap stops and says so. */
export interface StateLimits {
  /** Bytes that one `read` or `readRaw` hands out. */
  readBytes?: number;
  /** Bytes that one file may have after a `write`, an `edit` or an upload. */
  writeBytes?: number;
  /** Bytes of paths or lines that one `ls`, `glob` or `grep` answers with (default 64 MiB). */
  resultBytes?: number;
  /** Files that one `ls`, `glob` or `grep` looks at, in the order of paths. */
  walkEntries?: number;
  /** Milliseconds that one `glob` or `grep` takes. */
  searchMs?: number;
}

/** The options with their defaults, checked. */
export interface StateSettings {
  fileFormat: "v1" | "v2";
  createOnly: boolean;
  bareRecursive: boolean;
  strict: boolean;
  lineChars: number | null;
  limits: StateLimits;
}

/** @throws TypeError for an option of the wrong type. */
export function stateSettings(options: StateBackendOptions): StateSettings {
  const { fileFormat = "v2", writeMode = "overwrite", bareGlob = "flat", maxLineLength, limits = {} } = options;
  oneOf("fileFormat", fileFormat, ["v1", "v2"]);
  oneOf("writeMode", writeMode, ["create", "overwrite"]);
  oneOf("bareGlob", bareGlob, ["flat", "recursive"]);
  for (const [name, value] of Object.entries({ maxLineLength, ...limits })) {
    if (value !== undefined && !(typeof value === "number" && value >= 0)) {
      throw new TypeError(`${name} must be a number that is not negative`);
    }
  }
  return {
    fileFormat,
    createOnly: writeMode === "create",
    bareRecursive: bareGlob === "recursive",
    strict: options.strict ?? false,
    lineChars: maxLineLength === undefined ? null : Math.floor(maxLineLength),
    limits,
  };
}

/** What the core's memory is told of them. */
export function memoryMeaning(settings: StateSettings): MeaningParts {
  const { createOnly, bareRecursive, strict, lineChars, limits } = settings;
  return {
    dialect: "state",
    createOnly,
    bareGlobRecursive: bareRecursive,
    strictLs: strict,
    limits: lineChars === null ? limits : { ...limits, lineChars },
  };
}
