/**
 * What the methods of a backend answer. The names and fields are those of `deepagents`; deepfs adds, always optional,
 * `code` (what programs branch on) and a few facts more.
 *
 * A failure of an operation is a value with `error`, never a throw.
 */

import type { FileData } from "./file-data.js";

/** One row of a listing. */
export interface FileInfo {
  /** Full path; a folder's ends in a slash. */
  path: string;
  is_dir?: boolean;
  /** Bytes; 0 for a folder. Absent where it must not be told. */
  size?: number;
  /** ISO time of the last change. */
  modified_at?: string;
}

/** One matching line. */
export interface GrepMatch {
  path: string;
  /** Counted from 1. */
  line: number;
  /** The line without its line end; cut around the match, and marked, when very long. */
  text: string;
}

/** Additive fields of every result of deepfs. */
export interface Coded {
  /** A stable code such as `file_not_found` or `conflict`; set with `error`. */
  code?: string;
}

export interface LsResult extends Coded {
  error?: string;
  files?: FileInfo[];
  /** True when a limit ended the listing early. */
  truncated?: boolean;
}

export interface GlobResult extends Coded {
  error?: string;
  files?: FileInfo[];
  /** True when a limit ended the walk early: `files` is valid but not complete. */
  truncated?: boolean;
}

export interface GrepResult extends Coded {
  error?: string;
  matches?: GrepMatch[];
  /** True when there was more: the cap or a limit ended the search. */
  truncated?: boolean;
}

export interface ReadResult extends Coded {
  error?: string;
  /** Text, or the bytes of a binary file. */
  content?: string | Uint8Array;
  mimeType?: string;
  /** Lines in the whole file; for text only, as the three below. */
  totalLines?: number;
  /** First line of `content`, counted from 1. */
  startLine?: number;
  /** Last line of `content`, counted from 1. */
  endLine?: number;
  /** The `offset` that goes on after `content`, counted from 0; absent at the end of the file. */
  nextOffset?: number;
  /** The encoding that `content` was read from, when it is not UTF-8, as a WHATWG label. */
  encoding?: string;
}

export interface ReadRawResult extends Coded {
  error?: string;
  data?: FileData;
  /** The encoding that the text in `data` was read from, when it is not UTF-8, as a WHATWG label. */
  encoding?: string;
}

/**
 * `filesUpdate`: what the caller has to put into the graph's state. The map on a `StateBackend` made from a runtime,
 * `null` where the file is already stored (disk, store), absent where the backend sends it itself.
 */
export interface WriteResult extends Coded {
  error?: string;
  path?: string;
  /** @deprecated Only a `StateBackend` made from a runtime fills it. */
  filesUpdate?: Record<string, FileData> | null;
  /** Attached to the tool message. */
  metadata?: Record<string, unknown>;
}

export interface EditResult extends Coded {
  error?: string;
  path?: string;
  /** @deprecated Only a `StateBackend` made from a runtime fills it. */
  filesUpdate?: Record<string, FileData> | null;
  /** Replacements made; 0 with `metadata.filled` when an empty file was filled. */
  occurrences?: number;
  /** Attached to the tool message. */
  metadata?: Record<string, unknown>;
}

export interface DeleteResult extends Coded {
  error?: string;
  path?: string;
  /** @deprecated Only a `StateBackend` made from a runtime fills it: `null` for each removed path. */
  filesUpdate?: Record<string, null> | null;
  /** Attached to the tool message. */
  metadata?: Record<string, unknown>;
}

/** What a command printed, and how it ended. */
export interface ExecuteResponse extends Coded {
  /** Standard output and standard error. */
  output: string;
  /** `null` when the command did not end by itself. */
  exitCode: number | null;
  /** True when output was dropped at the cap. */
  truncated: boolean;
}

/** The four codes that transfer results may carry. */
export type FileOperationError = "file_not_found" | "permission_denied" | "is_directory" | "invalid_path";

/** Additive fields of one transferred file: the finer code and the sentence behind `error`. */
export interface TransferDetail extends Coded {
  message?: string;
}

export interface FileDownloadResponse extends TransferDetail {
  path: string;
  content: Uint8Array | null;
  error: FileOperationError | null;
}

export interface FileUploadResponse extends TransferDetail {
  path: string;
  error: FileOperationError | null;
}
