/** Files in the state of an agent. */

import { currentTask } from "../adapters/graph.js";
import { channelFiles, runtimeFiles } from "../adapters/files-access.js";
import { type Failure, isFailure, type MemoryHandle, type Method } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import {
  type EditOptions,
  parseContent,
  parseEdit,
  parseGlob,
  parseGrep,
  parsePath,
  parseWindow,
  type ReadWindow,
} from "../protocol/arguments.js";
import type { BackendProtocolV2 } from "../protocol/backend.js";
import { warnDeprecated, warnOnce } from "../protocol/notices.js";
import { failure, isControlFlow, messageOf } from "../protocol/failure.js";
import type { FileData } from "../protocol/file-data.js";
import type {
  Coded,
  DeleteResult,
  EditResult,
  FileDownloadResponse,
  FileUploadResponse,
  GlobResult,
  GrepResult,
  LsResult,
  ReadRawResult,
  ReadResult,
  WriteResult,
} from "../protocol/results.js";
import type { BackendRuntime } from "../protocol/runtime.js";
import { parseDownloads, parseUploads, type TransferItem } from "../protocol/transfers.js";
import { GraphFiles } from "./graph-files.js";
import { type FilesInput, OwnFiles, recordParts } from "./own-files.js";
import type { StateFiles } from "./state-files.js";
import { GRAPH_STATE, STATE_STORAGE } from "./state-storage.js";
import { memoryMeaning, type StateBackendOptions, type StateSettings, stateSettings } from "./state-options.js";

/**
 * Files in the state of an agent: they live as long as its thread, and come back with its checkpoints.
 *
 * - Inside a run of a LangGraph graph the files are the graph's (its `files` state).
 * - Made from a runtime (deprecated), they are that runtime's, and each change comes back as `filesUpdate`.
 * - Where no graph runs, the backend holds files itself: in a page, at the edge, in a test.
 *
 * Every method answers at once, without a promise, and none throws: a failure is a result with `error`.
 *
 * @example
 * ```ts
 * const backend = new StateBackend({ files: { "/notes.md": "# Notes\n" } });
 * backend.edit("/notes.md", "Notes", "Plan");
 * const saved = backend.snapshot();
 * ```
 */
export class StateBackend implements BackendProtocolV2 {
  private readonly runtime: BackendRuntime | undefined;
  private readonly settings: StateSettings;
  /** The backend's own files; made when they are first used. */
  private readonly own: { memory: MemoryHandle | null; seeded: boolean };

  constructor(options?: StateBackendOptions);
  /** @deprecated Pass no runtime: the backend finds the run that it is part of. */
  constructor(runtime: BackendRuntime, options?: Omit<StateBackendOptions, "files">);
  constructor(first?: BackendRuntime | StateBackendOptions, second?: StateBackendOptions) {
    const isRuntime = typeof first === "object" && first !== null && "state" in first;
    const options: StateBackendOptions = (isRuntime ? second : (first as StateBackendOptions)) ?? {};
    this.runtime = isRuntime ? first : undefined;
    this.settings = stateSettings(options);
    this.own = { memory: null, seeded: !isRuntime && options.files !== undefined };
    if (isRuntime) {
      warnDeprecated(
        "StateBackend(runtime), with `filesUpdate` in its results,",
        "pass `new StateBackend()` as the backend, without a runtime; it changes the state itself",
      );
    } else if (options.files !== undefined) {
      const problem = this.replaceOwn(options.files);
      if (problem !== null) {
        throw new TypeError(problem.error);
      }
    }
  }

  /** What is directly in a folder. */
  ls(path: string): LsResult {
    return this.answer("ls", parsePath("ls", path), (asked, files) => files.ls(asked));
  }

  /** Lines of a text (`offset` from 0; 500 by default), or a binary file whole. */
  read(filePath: string, offset?: number | ReadWindow, limit?: number): ReadResult {
    return this.answer("read", parsePath("read", filePath), (asked, files) => {
      const lines = parseWindow(asked, offset, limit);
      return isFailure(lines) ? lines : files.read(asked, lines);
    });
  }

  /** A whole file with its times. */
  readRaw(filePath: string): ReadRawResult {
    return this.answer("readRaw", parsePath("readRaw", filePath), (asked, files) => files.readRaw(asked));
  }

  /** Creates or replaces a file. */
  write(filePath: string, content: string | Uint8Array): WriteResult {
    return this.answer("write", parsePath("write", filePath), (asked, files) => {
      const data = parseContent("write", asked, content);
      return isFailure(data) ? data : files.write(asked, data, now());
    });
  }

  /** Replaces the one occurrence of a text, or every one. */
  edit(filePath: string, oldString: string, newString: string, replaceAll?: boolean | EditOptions): EditResult {
    return this.answer("edit", parseEdit(filePath, oldString, newString, replaceAll), (asked, files) =>
      files.edit(asked, now()),
    );
  }

  /** Lines that hold a text literally. */
  grep(pattern: string, path?: string | null, glob?: string | null, maxCount?: number | null): GrepResult {
    return this.answer("grep", parseGrep(pattern, path, glob, maxCount), (asked, files) => files.grep(asked));
  }

  /** Files whose path below `path` matches a pattern, the latest changed first. */
  glob(pattern: string, path?: string): GlobResult {
    return this.answer("glob", parseGlob(pattern, path), (asked, files) => files.glob(asked.pattern, asked.path));
  }

  /** Removes a file, or a folder with all it holds. */
  delete(filePath: string): DeleteResult {
    return this.answer("delete", parsePath("delete", filePath), (asked, files) => files.delete(asked));
  }

  /** Stores files; one answer per file, in order. Made from a runtime, the list carries `filesUpdate`. */
  uploadFiles(files: Array<[string, Uint8Array]>): FileUploadResponse[] & { filesUpdate?: Record<string, FileData> } {
    return this.transfer("uploadFiles", parseUploads(files), (items, place) => place.upload(items, now()));
  }

  /** Fetches files; one answer per path, in order. */
  downloadFiles(paths: string[]): FileDownloadResponse[] {
    return this.transfer("downloadFiles", parseDownloads(paths), (items, place) => place.download(items));
  }

  /** All files as they are now, in the form that `restore` and `new StateBackend({ files })` take. */
  snapshot(): Record<string, FileData> {
    const files = this.files("read");
    return isFailure(files) ? {} : files.snapshot();
  }

  /**
   * Replaces all files that the backend holds itself. Refuses where the files are a graph's or a runtime's.
   */
  restore(files: FilesInput): Coded & { error?: string } {
    if (this.runtime !== undefined || currentTask() !== undefined) {
      return failure("write", "unsupported", "/", "the files are those of the graph's state, not the backend's own");
    }
    return this.replaceOwn(files) ?? {};
  }

  /** Where the files are right now: in the runtime's state, in the graph's, or in this backend alone. */
  [STATE_STORAGE](): unknown {
    if (this.runtime !== undefined) {
      return this.runtime.state ?? this.runtime;
    }
    return currentTask() === undefined ? this : GRAPH_STATE;
  }

  private replaceOwn(files: FilesInput): Failure | null {
    const parts = recordParts(files, now());
    return isFailure(parts) ? parts : this.memory().restore(parts);
  }

  private memory(): MemoryHandle {
    this.own.memory ??= new (getBinding().Memory)(memoryMeaning(this.settings));
    return this.own.memory;
  }

  /** Where the files of this call are. */
  private files(method: Method): StateFiles | Failure {
    const task = currentTask();
    if (this.runtime !== undefined) {
      return new GraphFiles(runtimeFiles(this.runtime.state, task), this.settings, true);
    }
    if (task === undefined) {
      return new OwnFiles(this.memory(), this.settings.fileFormat);
    }
    if (this.own.seeded) {
      warnOnce("StateBackend files", "a graph runs: its own files are used, not those given to `new StateBackend`");
    }
    try {
      return new GraphFiles(channelFiles(task), this.settings, false);
    } catch (error) {
      if (isControlFlow(error)) {
        throw error;
      }
      const reason = "the graph has no `files` state; add the file tools of deepagents, or its `filesValue`";
      return failure(method, "unavailable", "/", `${reason} (${messageOf(error)})`);
    }
  }

  /** Runs a method on checked arguments. Nothing but LangGraph's control flow leaves it other than as a result. */
  private answer<Asked extends object | string, Result extends object>(
    method: Method,
    asked: Asked | Failure,
    operation: (asked: Asked, files: StateFiles) => Result | Failure,
  ): Result | Failure {
    if (isFailure(asked)) {
      return asked;
    }
    const path = typeof asked === "string" ? asked : pathOf(asked);
    try {
      const files = this.files(method);
      return isFailure(files) ? files : operation(asked, files);
    } catch (error) {
      return unexpected(method, path, error);
    }
  }

  private transfer<Value, Answer>(
    method: Method,
    items: TransferItem<Value>[],
    operation: (items: TransferItem<Value>[], files: StateFiles) => Answer,
  ): Answer {
    const failAll = (failureOf: (path: string) => Failure): Answer => {
      const failed = items.map((item) =>
        "failure" in item ? item : { path: item.path, failure: failureOf(item.path) },
      );
      return operation(failed, new OwnFiles(this.memory(), this.settings.fileFormat));
    };
    try {
      const files = this.files(method);
      return isFailure(files) ? failAll(() => files) : operation(items, files);
    } catch (error) {
      return failAll((path) => unexpected(method, path, error));
    }
  }
}

/** A fault of deepfs, or of the graph, as a result. */
function unexpected(method: Method, path: string, error: unknown): Failure {
  if (isControlFlow(error)) {
    throw error;
  }
  return failure(method, "internal", path, messageOf(error));
}

/** The path among the checked arguments of `edit`, `glob` and `grep`. */
function pathOf(asked: object): string {
  const { path } = asked as { path?: unknown };
  return typeof path === "string" ? path : "/";
}

/** The last time that was asked for, in ms, and its text: calls come many to a millisecond, and writing it is dear. */
const told = { ms: Number.NaN, text: "" };

function now(): string {
  const ms = Date.now();
  if (ms !== told.ms) {
    told.ms = ms;
    told.text = new Date(ms).toISOString();
  }
  return told.text;
}
