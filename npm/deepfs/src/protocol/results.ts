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
  /** Whether it is a folder. */
  is_dir?: boolean;
  /** Bytes; 0 for a folder. Absent where it must not be told. */
  size?: number;
  /** ISO time of the last change. */
  modified_at?: string;
}

/** One matching line. */
export interface GrepMatch {
  /** Full path of the file. */
  path: string;
  /** Counted from 1. */
  line: number;
  /** The line without its line end; cut around the match, and marked, when very long. */
  text: string;
}

/** Additive fields of every result of deepfs. */
export interface Coded {
  /**
   * A stable code such as `file_not_found` or `conflict`; set with `error`. Programs branch on it, never on the
   * sentence.
   */
  code?: string;
}

/** What `ls` answers. */
export interface LsResult extends Coded {
  /** What went wrong, as a sentence for a model. `files` is then empty. */
  error?: string;
  /** What is directly in the folder, by path in code-point order. */
  files?: FileInfo[];
  /** True when a limit ended the listing early. */
  truncated?: boolean;
}

/** What `glob` answers. */
export interface GlobResult extends Coded {
  /** What went wrong, as a sentence for a model. `files` is then empty. */
  error?: string;
  /** The files that match, by path in code-point order; in state and stores the latest changed first. */
  files?: FileInfo[];
  /** True when a limit ended the walk early: `files` is valid but not complete. */
  truncated?: boolean;
}

/** What `grep` answers. */
export interface GrepResult extends Coded {
  /** What went wrong, as a sentence for a model. `matches` is then empty. */
  error?: string;
  /** The matching lines, by path in code-point order, then by line. */
  matches?: GrepMatch[];
  /** True when there was more: the cap or a limit ended the search. */
  truncated?: boolean;
}

/** What `read` answers. */
export interface ReadResult extends Coded {
  /** What went wrong, as a sentence for a model. */
  error?: string;
  /** Text, or the bytes of a binary file. */
  content?: string | Uint8Array;
  /** The MIME type, as `text/markdown`. */
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

/** What `readRaw` answers. */
export interface ReadRawResult extends Coded {
  /** What went wrong, as a sentence for a model. */
  error?: string;
  /** The whole file; the caller's own to change. */
  data?: FileData;
}

/**
 * What `write` answers.
 *
 * `filesUpdate`: what the caller has to put into the graph's state. The map on a `StateBackend` made from a runtime,
 * `null` where the file is already stored (disk, store), absent where the backend sends it itself.
 */
export interface WriteResult extends Coded {
  /** What went wrong, as a sentence for a model. Nothing was written then. */
  error?: string;
  /** The path as the caller spelt it. */
  path?: string;
  /** @deprecated Only a `StateBackend` made from a runtime fills it. */
  filesUpdate?: Record<string, FileData> | null;
  /** Attached to the tool message. */
  metadata?: Record<string, unknown>;
}

/** What `edit` answers; `filesUpdate` as in {@link WriteResult}. */
export interface EditResult extends Coded {
  /** What went wrong, as a sentence for a model. Nothing was changed then. */
  error?: string;
  /** The path as the caller spelt it. */
  path?: string;
  /** @deprecated Only a `StateBackend` made from a runtime fills it. */
  filesUpdate?: Record<string, FileData> | null;
  /** Replacements made; 0 with `metadata.filled` when an empty file was filled. */
  occurrences?: number;
  /** Attached to the tool message. */
  metadata?: Record<string, unknown>;
}

/** What `delete` answers; `filesUpdate` as in {@link WriteResult}. */
export interface DeleteResult extends Coded {
  /** What went wrong, as a sentence for a model. */
  error?: string;
  /** The path as the caller spelt it. */
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
  /** What went wrong, as a sentence for a model. */
  message?: string;
}

/** One answer of `downloadFiles`. */
export interface FileDownloadResponse extends TransferDetail {
  /** The path as the caller spelt it. */
  path: string;
  /** The bytes; `null` with `error`. */
  content: Uint8Array | null;
  /** `null` when it worked. */
  error: FileOperationError | null;
}

/** One answer of `uploadFiles`. */
export interface FileUploadResponse extends TransferDetail {
  /** The path as the caller spelt it. */
  path: string;
  /** `null` when it worked. */
  error: FileOperationError | null;
}
