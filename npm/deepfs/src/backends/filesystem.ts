/** Files on the disk. */

import { type CancelHandle, type DiskHandle, type Failure, isFailure, type Method } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import { editOutcome, rawResult, readResult } from "../binding/results.js";
import { unpackContents, unpackFilesInTurns, unpackMatchesInTurns } from "../binding/unpack.js";
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
import { failure } from "../protocol/failure.js";
import type {
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
import {
  downloadAnswers,
  goodItems,
  parseDownloads,
  parseUploads,
  type TransferItem,
  uploadAnswers,
} from "../protocol/transfers.js";
import { cancellable } from "./cancellable.js";
import { diskParts, type FilesystemBackendOptions } from "./filesystem-options.js";
import { mayAnswerInCall } from "./in-call.js";
import type { ResolvedTarget } from "./resolve-target.js";

/**
 * Files on the disk, below `rootDir` (or, by default, wherever a path points on the machine).
 *
 * All work happens off the JavaScript thread. No method throws or rejects: a failure is a result with `error`.
 *
 * @example
 * ```ts
 * const backend = FilesystemBackend.createSafe("./workspace");
 * await backend.write("/notes.md", "# Notes\n");
 * ```
 */
export class FilesystemBackend implements BackendProtocolV2 {
  /** The root, as an absolute path of the machine. */
  protected cwd: string;
  /** Whether every path is kept inside the root. */
  protected virtualMode: boolean;
  // Plain properties: a proxy in front of a backend, or an object that inherits from one, still finds them.
  private readonly disk: DiskHandle;
  /** Ends the calls of this backend. */
  protected readonly signal: AbortSignal | undefined;

  /**
   * @throws TypeError for an option of the wrong type; Error where there is no disk, or none that can be confined.
   */
  constructor(options: FilesystemBackendOptions = {}) {
    const { Disk } = getBinding();
    if (Disk === undefined) {
      throw new Error("FilesystemBackend needs Node: this build of deepfs has no disk. Use StateBackend here");
    }
    const parts = diskParts(options);
    this.cwd = parts.root;
    this.virtualMode = parts.contained;
    this.disk = new Disk(parts);
    this.signal = options.signal;
  }

  /** A backend that cannot leave `dir`, which its paths name `/`. */
  static createSafe<Class extends new (options: never) => unknown>(
    this: Class,
    dir: string,
    options?: ConstructorParameters<Class>[0],
  ): InstanceType<Class> {
    if (typeof dir !== "string" || dir === "") {
      throw new TypeError("createSafe needs the folder to work in");
    }
    const safe: FilesystemBackendOptions = {
      ...(options as FilesystemBackendOptions),
      rootDir: dir,
      virtualMode: true,
    };
    return new this(safe as never) as InstanceType<Class>;
  }

  /** What is directly in a folder. */
  async ls(dirPath: string): Promise<LsResult> {
    const path = this.checked("ls", parsePath("ls", dirPath));
    if (typeof path !== "string") {
      return path;
    }
    const packed = await this.cancellable((cancel) => this.disk.ls(path, cancel));
    if (isFailure(packed)) {
      return packed;
    }
    const files = await unpackFilesInTurns(packed);
    return packed.truncated ? { files, truncated: true } : { files };
  }

  /** Lines of a text (`offset` from 0; 500 by default), or a binary file whole. */
  async read(filePath: string, offset?: number | ReadWindow, limit?: number): Promise<ReadResult> {
    const path = this.checked("read", parsePath("read", filePath));
    if (typeof path !== "string") {
      return path;
    }
    const lines = parseWindow(path, offset, limit);
    if (isFailure(lines)) {
      return lines;
    }
    const { offset: from, limit: count } = lines;
    const now = mayAnswerInCall() ? this.disk.readNow(path, from, count) : null;
    if (now !== null) {
      return readResult(now);
    }
    return readResult(await this.cancellable((cancel) => this.disk.read(path, from, count, cancel)));
  }

  /** A whole file with its times. */
  async readRaw(filePath: string): Promise<ReadRawResult> {
    const path = this.checked("readRaw", parsePath("readRaw", filePath));
    return typeof path === "string"
      ? rawResult(await this.cancellable((cancel) => this.disk.readRaw(path, cancel)))
      : path;
  }

  /** Creates or replaces a file, in one step: a reader sees the old content or the new. */
  async write(filePath: string, content: string | Uint8Array): Promise<WriteResult> {
    const path = this.checked("write", parsePath("write", filePath));
    if (typeof path !== "string") {
      return path;
    }
    const data = parseContent("write", path, content);
    return isFailure(data) ? data : ((await this.disk.write(path, data)) ?? { path, filesUpdate: null });
  }

  /** Replaces the one occurrence of a text, or every one. Untouched bytes stay as they are. */
  async edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll?: boolean | EditOptions,
  ): Promise<EditResult> {
    const asked = this.checked("edit", parseEdit(filePath, oldString, newString, replaceAll));
    if (isFailure(asked)) {
      return asked;
    }
    const { path } = asked;
    const done = await this.disk.edit(path, asked.oldString, asked.newString, asked.replaceAll);
    return isFailure(done) ? done : { path, filesUpdate: null, ...editOutcome(done) };
  }

  /** Files whose path below `searchPath` matches a pattern. Without a path: below the root. */
  async glob(pattern: string, searchPath?: string): Promise<GlobResult> {
    const asked = this.checked("glob", parseGlob(pattern, searchPath));
    if (isFailure(asked)) {
      return asked;
    }
    const packed = await this.cancellable((cancel) =>
      this.disk.glob(asked.pattern, this.searchBase(asked.path), cancel),
    );
    if (isFailure(packed)) {
      return packed;
    }
    const files = await unpackFilesInTurns(packed);
    return packed.truncated ? { files, truncated: true } : { files };
  }

  /** Lines that hold a text literally. Without a path: below the root. */
  async grep(
    pattern: string,
    dirPath?: string | null,
    glob?: string | null,
    maxCount?: number | null,
  ): Promise<GrepResult> {
    const asked = this.checked("grep", parseGrep(pattern, dirPath, glob, maxCount));
    if (isFailure(asked)) {
      return asked;
    }
    const packed = await this.cancellable((cancel) =>
      this.disk.grep(asked.pattern, this.searchBase(asked.path), asked.glob, asked.maxCount, cancel),
    );
    if (isFailure(packed)) {
      return packed;
    }
    const matches = await unpackMatchesInTurns(packed);
    return packed.truncated ? { matches, truncated: true } : { matches };
  }

  /**
   * Removes a file, or a folder with all it holds. A link is removed, not what it leads to. What is gone when the signal
   * aborts stays gone.
   */
  async delete(filePath: string): Promise<DeleteResult> {
    const path = this.checked("delete", parsePath("delete", filePath));
    if (typeof path !== "string") {
      return path;
    }
    return (await this.cancellable((cancel) => this.disk.delete(path, cancel))) ?? { path, filesUpdate: null };
  }

  /** Stores files; one answer per file, in order. */
  async uploadFiles(files: Array<[string, Uint8Array]>): Promise<FileUploadResponse[]> {
    const items = parseUploads(files).map((item) => this.checkedItem("uploadFiles", item));
    const { paths, values } = goodItems(items);
    return uploadAnswers(items, await this.cancellable((cancel) => this.disk.upload(paths, values, cancel)));
  }

  /** Fetches files; one answer per path, in order. */
  async downloadFiles(paths: string[]): Promise<FileDownloadResponse[]> {
    const items = parseDownloads(paths).map((item) => this.checkedItem("downloadFiles", item));
    const good = goodItems(items).paths;
    const read = await this.cancellable((cancel) => this.disk.download(good, cancel));
    return downloadAnswers(items, unpackContents(read));
  }

  /**
   * Where a path leads inside the root once links are followed; its end may not exist yet. For rules about files, which
   * a link must not get round (see `withPermissions`).
   */
  async resolveTarget(filePath: string): Promise<ResolvedTarget> {
    const path = this.checked("read", parsePath("read", filePath));
    return typeof path === "string" ? this.disk.resolve(path) : path;
  }

  /** Where an unconfined search starts that names no path, or `/`: at the root given, not the machine's. */
  private searchBase(path: string): string {
    return path === "/" && !this.virtualMode ? "" : path;
  }

  /** The parsed arguments, or the failure that the backend's signal has aborted. */
  private checked<T extends string | { path: string }>(method: Method, parsed: T | Failure): T | Failure {
    if (this.signal?.aborted !== true || isFailure(parsed)) {
      return parsed;
    }
    return failure(method, "cancelled", typeof parsed === "string" ? parsed : parsed.path);
  }

  private checkedItem<T>(method: Method, item: TransferItem<T>): TransferItem<T> {
    const aborted = this.signal?.aborted === true && !("failure" in item);
    return aborted ? { path: item.path, failure: failure(method, "cancelled", item.path) } : item;
  }

  /** Runs a call that the backend's signal can end. */
  private cancellable<T>(call: (cancel?: CancelHandle) => Promise<T>): Promise<T> {
    return cancellable([this.signal], call);
  }
}
