/**
 * What a build of the Rust core offers to TypeScript. The native addon and the WASM module both satisfy
 * {@link Binding}; only the native one has {@link Binding.Disk} and {@link Binding.Shell}.
 *
 * Rules of the crossing:
 * - Strings that cross are well formed (no lone surrogates): `protocol/arguments.ts` checks before.
 * - A failure is a value ({@link Failure}), never a throw and never a rejected promise.
 * - Many rows cross as columns and become objects in `binding/unpack.ts`.
 * - Numbers named `…Bytes` count bytes, `…Chars` Unicode characters, `line` and `offset` lines.
 */

/** The method of the protocol during which something happened. */
export type Method =
  | "ls"
  | "read"
  | "readRaw"
  | "write"
  | "edit"
  | "glob"
  | "grep"
  | "delete"
  | "uploadFiles"
  | "downloadFiles"
  | "execute";

/** A failure: `error` is the sentence for a model, `code` is what programs branch on. */
export interface Failure {
  error: string;
  code: string;
}

/** Which upstream backend's habits apply: see `Dialect` in the core. */
export type DialectName = "disk" | "state" | "store";

/** Rows of `ls` and `glob` as columns, in their final order. */
export interface PackedFiles {
  /** Paths joined by NUL; folders end in a slash. Empty when `count` is 0. */
  paths: string;
  count: number;
  /** Bytes; -1 where it must not be told (a link that leads out of the root). */
  sizes: Float64Array;
  /** 1 for a folder. */
  folders: Uint8Array;
  /** ISO texts joined by NUL, empty where the time is not known. */
  stamps: string;
  /** Whether a row whose time is not known tells an empty one, as in storages that keep texts. */
  tellsUnknown: boolean;
  /** True when a cap or the time limit ended the work early. */
  truncated: boolean;
}

/** Rows of `grep` as columns: the n-th file has `counts[n]` rows. */
export interface PackedMatches {
  /** Paths of the files with matches, joined by NUL. */
  paths: string;
  counts: Uint32Array;
  lines: Uint32Array;
  /** Line texts joined by "\n", in blocks of at most {@link BLOCK_ROWS} rows, so that no slice of work is long. */
  texts: string[];
  truncated: boolean;
}

/** Rows in one block of {@link PackedMatches.texts}. */
export const BLOCK_ROWS = 8192;

/** The text or bytes of a read, with what the protocol says about them. */
export interface ReadParts {
  content: string | Uint8Array;
  mimeType: string;
  totalLines?: number;
  startLine?: number;
  endLine?: number;
  nextOffset?: number;
  /** The file's encoding when it is not UTF-8, by its WHATWG name. */
  encoding?: string;
}

export interface RawParts {
  content: string | Uint8Array;
  mimeType: string;
  /** ISO texts, as the record has them; empty where the time is not known. */
  created: string;
  modified: string;
  encoding?: string;
}

export interface EditParts {
  occurrences: number;
  /** True when an empty file was filled through an empty `oldString`. */
  filled: boolean;
}

export interface TransferParts {
  /** The protocol's four codes, or null. */
  error: string | null;
  /** The finer code of deepfs. */
  code?: string;
  /** The sentence. */
  message?: string;
}

export interface DownloadParts extends TransferParts {
  content: Uint8Array | null;
}

/** The contents of many files, in the order asked for. */
export interface Contents {
  /** Each with memory of its own; `null` for a failure. */
  contents: (Uint8Array | null)[];
  /** One for each `null`, in order. */
  failures: TransferParts[];
}

/** One stored file as plain data: what `snapshot` gives and `restore` takes. */
export interface RecordParts {
  path: string;
  content: string | Uint8Array;
  mimeType: string;
  created_at: string;
  modified_at: string;
}

/** Caps of a backend; every field is optional and has the core's default (`Limits` in the core). */
export interface LimitParts {
  readBytes?: number;
  writeBytes?: number;
  grepFileBytes?: number;
  resultBytes?: number;
  walkEntries?: number;
  lineChars?: number;
  /** Time limit of one search, in milliseconds. */
  searchMs?: number;
}

/** What changes the meaning of operations; every field has the core's default. */
export interface MeaningParts {
  dialect?: DialectName;
  /** Look into files to tell text from binary (default true). */
  sniff?: boolean;
  /** A bare `*.ts` matches at every depth (default false). */
  bareGlobRecursive?: boolean;
  /** `write` refuses existing files (default false). */
  createOnly?: boolean;
  /** `ls` of a missing path or of a file is an error (default false). */
  strictLs?: boolean;
  /** Searches respect ignore files (default false). Disk only. */
  gitignore?: boolean;
  /** `glob` lists folders that match, too, each with its slash (default false). */
  globDirectories?: boolean;
  limits?: LimitParts;
}

/** Files in the core's own memory. Synchronous: nothing here waits. `now` is the time of the call as ISO text. */
export interface MemoryHandle {
  ls(path: string): PackedFiles | Failure;
  read(path: string, offset: number, limit: number): ReadParts | Failure;
  readRaw(path: string): RawParts | Failure;
  write(path: string, content: string | Uint8Array, now: string): Failure | null;
  edit(path: string, oldString: string, newString: string, replaceAll: boolean, now: string): EditParts | Failure;
  glob(pattern: string, path: string): PackedFiles | Failure;
  grep(pattern: string, path: string, glob: string | null, maxCount: number | null): PackedMatches | Failure;
  delete(path: string): Failure | null;
  upload(paths: string[], contents: Uint8Array[], now: string): TransferParts[];
  download(paths: string[]): DownloadParts[];
  snapshot(): RecordParts[];
  /** Replaces everything. */
  restore(records: RecordParts[]): Failure | null;
}

/** A cancel flag that a running call looks at. */
export interface CancelHandle {
  cancel(): void;
}

export interface DiskParts extends MeaningParts {
  /** Absolute host path. */
  root: string;
  /** True: every path is below the root, enforced by the kernel. False: host paths. */
  contained: boolean;
  /** fsync file and folder (default false). */
  durable?: boolean;
  /** Take shortcuts that answer the same (default true); off, a test can compare. */
  fastPaths?: boolean;
}

/** Files on a disk. Every method but `readNow` works off the JS thread and resolves; it never rejects. */
export interface DiskHandle {
  ls(path: string, cancel?: CancelHandle): Promise<PackedFiles | Failure>;
  read(path: string, offset: number, limit: number, cancel?: CancelHandle): Promise<ReadParts | Failure>;
  /** What `read` would answer, at once, for a small file that memory holds; `null` for everything else. Never waits. */
  readNow(path: string, offset: number, limit: number): ReadParts | null;
  readRaw(path: string, cancel?: CancelHandle): Promise<RawParts | Failure>;
  write(path: string, content: string | Uint8Array): Promise<Failure | null>;
  edit(path: string, oldString: string, newString: string, replaceAll: boolean): Promise<EditParts | Failure>;
  glob(pattern: string, path: string, cancel?: CancelHandle): Promise<PackedFiles | Failure>;
  grep(
    pattern: string,
    path: string,
    glob: string | null,
    maxCount: number | null,
    cancel?: CancelHandle,
  ): Promise<PackedMatches | Failure>;
  delete(path: string, cancel?: CancelHandle): Promise<Failure | null>;
  upload(paths: string[], contents: Uint8Array[], cancel?: CancelHandle): Promise<TransferParts[]>;
  download(paths: string[], cancel?: CancelHandle): Promise<Contents>;
  /** Where the path leads inside the root once links are followed, as a virtual path; for rules about targets. */
  resolve(path: string): Promise<{ path: string } | Failure>;
}

export interface ShellParts {
  /** Absolute host path of the working directory. */
  cwd: string;
  env: Record<string, string>;
  timeoutMs: number;
  maxOutputBytes: number;
  /** Keep the order in which stdout and stderr were written (default false). */
  interleave?: boolean;
  /** Commands at once; further ones wait (default 8). */
  maxConcurrent?: number;
  jail?: JailParts;
}

/** What a jailed command may touch besides the working directory and the system's own programs. */
export interface JailParts {
  /** Further host paths it may write below. */
  write: string[];
  /** Further host paths it may read below. */
  read: string[];
  network: boolean;
}

export interface ExecuteParts {
  output: string;
  exitCode: number | null;
  truncated: boolean;
}

export interface ShellHandle {
  execute(command: string, timeoutMs?: number, cancel?: CancelHandle): Promise<ExecuteParts>;
  /** Ends what earlier commands left running, and removes a jail's private folder. The shell can be used again. */
  close(): Promise<Failure | null>;
}

/** One row of a listing from flat keys: `file` is the index of a key, or -1 for a folder. */
export interface KeyListing {
  /** In final order: index into the keys for a file, -1 for a folder. */
  files: Int32Array;
  /** The folders' paths with trailing slash, in order of appearance, joined by NUL. */
  folders: string;
}

/** Where the lines of a window are, told by the line feeds of their text. */
export interface LinePlan {
  totalLines: number;
  startLine: number;
  /** One less than `startLine` when no line was asked for. */
  endLine: number;
  nextOffset?: number;
  /** The window starts after this many line feeds. */
  skip: number;
  /** It ends before this line feed, counted from 1; without it, at the end of the text. */
  until?: number;
}

/** How text or bytes become the content of a record. */
export interface StoredContent {
  content: string | Uint8Array;
  mimeType: string;
}

/**
 * Rules of the core for data that JavaScript owns (graph state, stores, hubs). Keys are normalised virtual paths, joined by
 * NUL (see `joinKeys`): one long text crosses many times faster than many short ones. All are synchronous and pure.
 */
export interface RecordRules {
  /** Normalises a path or says why not. `method` and the path as sent make the sentence. */
  parsePath(method: Method, path: string): { path: string } | Failure;
  /** The error result for a failure that happened in TypeScript (a store that is down, a bad argument). */
  failure(method: Method, code: string, path: string, detail: string): Failure;
  /** The protocol's four-word code for a finer code. */
  transferCode(code: string): string;
  /** The MIME type that the path alone tells, and whether it is a text type. */
  mimeOf(path: string): { mimeType: string; text: boolean };
  /** Children of `dir` among flat keys. */
  listKeys(keys: string, dir: string): KeyListing;
  /** Indices of keys at or below `base` whose path matches `glob` by grep's rule (null: all), in path order. */
  filterKeys(keys: string, base: string, glob: string | null): Uint32Array | Failure;
  /** Indices of keys matching a glob below `base`, in path order. */
  globKeys(keys: string, pattern: string, base: string, bareRecursive: boolean): Uint32Array | Failure;
  /** The order in which a dialect's glob shows one or more files that are in path order; their ISO times are joined, too. */
  globOrder(modified: string, dialect: DialectName): Uint32Array;
  /** Matches in texts, in the order given; stops at `maxCount`. */
  grepTexts(
    paths: string[],
    contents: string[],
    pattern: string,
    maxCount: number | null,
    lineChars: number | null,
  ): PackedMatches | Failure;
  /**
   * Where a window of lines is in a text with so many line feeds; `hasOpenLine` when it does not end with one. Null where the
   * answer is not lines: `readText` has it.
   */
  planLines(lineFeeds: number, hasOpenLine: boolean, offset: number, limit: number): LinePlan | null;
  /** A window of a record's text. */
  readText(path: string, content: string, offset: number, limit: number, dialect: DialectName): ReadParts | Failure;
  /** What bytes are: text to show (with its encoding), or binary with its MIME type. */
  readBytes(
    path: string,
    content: Uint8Array,
    offset: number,
    limit: number,
    dialect: DialectName,
  ): ReadParts | Failure;
  /** An edit of a record's text. */
  editText(
    path: string,
    content: string,
    oldString: string,
    newString: string,
    replaceAll: boolean,
  ): (EditParts & { content: string }) | Failure;
  /** An edit of a record's bytes (legacy encodings; refuses binary). */
  editBytes(
    path: string,
    content: Uint8Array,
    oldString: string,
    newString: string,
    replaceAll: boolean,
  ): (EditParts & { content: Uint8Array }) | Failure;
  /** How `write` stores a string or bytes at a path: decodes base64 for binary types, or refuses. */
  storeContent(path: string, content: string | Uint8Array): StoredContent | Failure;
  /** How an upload is stored: bytes that are UTF-8 text become a string, all others stay bytes. */
  storeUpload(path: string, content: Uint8Array): StoredContent;
}

export interface Binding {
  readonly build: "native" | "wasm";
  readonly version: string;
  readonly rules: RecordRules;
  Memory: new (meaning: MeaningParts) => MemoryHandle;
  /** Native only. */
  Disk?: new (parts: DiskParts) => DiskHandle;
  /** Native only. Throws when a jail is asked for and the kernel cannot give it. */
  Shell?: new (parts: ShellParts) => ShellHandle;
  /** Native only. */
  Cancel?: new () => CancelHandle;
  /** Native only. Makes a folder of the machine with its parents, where it is missing; rejects as `mkdir` of Node. */
  makeFolder?: (hostPath: string) => Promise<void>;
}

/** Tells a failure from a result. */
export function isFailure(value: unknown): value is Failure {
  return typeof value === "object" && value !== null && typeof (value as Failure).error === "string" && "code" in value;
}
