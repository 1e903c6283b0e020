/**
 * The protocol that an agent's file tools speak to a backend, in its two versions.
 *
 * An agent finds out what a backend is by its shape: `execute` and `id` make it a sandbox, `routePrefixes` a composite.
 */

import type { FileData } from "./file-data.js";
import type {
  DeleteResult,
  EditResult,
  ExecuteResponse,
  FileDownloadResponse,
  FileInfo,
  FileUploadResponse,
  GlobResult,
  GrepMatch,
  GrepResult,
  LsResult,
  ReadRawResult,
  ReadResult,
  WriteResult,
} from "./results.js";
import type { BackendRuntime } from "./runtime.js";

/** A value, or a promise of it: a backend may work either way. */
export type MaybePromise<T> = T | Promise<T>;

/** The methods that are the same in both versions. */
interface CommonMethods {
  /** Creates or overwrites a file. */
  write(filePath: string, content: string): MaybePromise<WriteResult>;
  /** Replaces the one occurrence of `oldString`, or every one with `replaceAll`. */
  edit(filePath: string, oldString: string, newString: string, replaceAll?: boolean): MaybePromise<EditResult>;
  /** Removes a file, or a folder with all it holds. */
  delete?(filePath: string): MaybePromise<DeleteResult>;
  /** Stores files; one answer per file, in order. */
  uploadFiles?(files: Array<[string, Uint8Array]>): MaybePromise<FileUploadResponse[]>;
  /** Fetches files; one answer per path, in order. */
  downloadFiles?(paths: string[]): MaybePromise<FileDownloadResponse[]>;
}

/** @deprecated The first version: plain values in place of results. `adaptBackendProtocol` brings it up to date. */
export interface BackendProtocolV1 extends CommonMethods {
  /** Rows for what is directly in a folder. */
  lsInfo(path: string): MaybePromise<FileInfo[]>;
  /** The text of a file, or an error sentence. */
  read(filePath: string, offset?: number, limit?: number): MaybePromise<string>;
  /** The whole file with its times; throws for a missing one. */
  readRaw(filePath: string): MaybePromise<FileData>;
  /** Matching lines, or an error sentence. */
  grepRaw(pattern: string, path?: string | null, glob?: string | null): MaybePromise<GrepMatch[] | string>;
  /** Rows for files whose path below `path` matches `pattern`. */
  globInfo(pattern: string, path?: string): MaybePromise<FileInfo[]>;
}

/** The current version: every method answers with a result. */
export interface BackendProtocolV2 extends CommonMethods {
  /** What is directly in a folder. */
  ls(path: string): MaybePromise<LsResult>;
  /** Lines `offset` (from 0, default 0) to `offset + limit` (default 500) of a text; a binary file whole. */
  read(filePath: string, offset?: number, limit?: number): MaybePromise<ReadResult>;
  /** The whole file with its times. */
  readRaw(filePath: string): MaybePromise<ReadRawResult>;
  /** Lines that hold `pattern` literally, at or below `path`, in files that `glob` matches. */
  grep(pattern: string, path?: string | null, glob?: string | null, maxCount?: number | null): MaybePromise<GrepResult>;
  /** Files at or below `path` whose path relative to it matches `pattern`. */
  glob(pattern: string, path?: string): MaybePromise<GlobResult>;
}

/** @deprecated A V1 backend that runs commands. */
export interface SandboxBackendProtocolV1 extends BackendProtocolV1 {
  /** Runs a shell command to its end. */
  execute(command: string): MaybePromise<ExecuteResponse>;
  /** Identifies the sandbox; not empty. */
  readonly id: string;
}

/** A backend that runs commands. */
export interface SandboxBackendProtocolV2 extends BackendProtocolV2 {
  /** Runs a shell command to its end. */
  execute(command: string): MaybePromise<ExecuteResponse>;
  /** Identifies the sandbox; not empty. */
  readonly id: string;
}

/** @deprecated Use {@link BackendProtocolV2}. */
export interface BackendProtocol extends BackendProtocolV1 {}

/** @deprecated Use {@link SandboxBackendProtocolV2}. */
export interface SandboxBackendProtocol extends SandboxBackendProtocolV1 {}

/** A backend of either version. */
export type AnyBackendProtocol = BackendProtocolV1 | BackendProtocolV2;

/** A sandbox of either version. */
export type AnySandboxProtocol = SandboxBackendProtocol | SandboxBackendProtocolV2;

/** @deprecated Pass a backend, not a function that makes one. */
export type BackendFactory = (runtime: BackendRuntime) => MaybePromise<AnyBackendProtocol>;

/** Options that several backends share. */
export interface BackendOptions {
  /** The record format of new files (default `"v2"`). `"v1"` holds text only. */
  fileFormat?: "v1" | "v2";
}
