// Written by the build from crates/node. Do not edit: change the Rust and run `npm run setup`.

type Done = null;
type FileBytes = Uint8Array;
type Text = string;

/** See `CancelHandle` in the contract. */
export declare class Cancel {
  constructor()
  cancel(): void
}

/** See `Contents` in the contract. */
export interface Contents {
  contents: Array<FileBytes | null>
  failures: Array<TransferParts>
}

/** See `DiskHandle` in the contract. */
export declare class Disk {
  constructor(parts: DiskParts)
  ls(path: string, cancel?: Cancel | undefined | null): Promise<PackedFiles | Failure>
  read(path: string, offset: number, limit: number, cancel?: Cancel | undefined | null): Promise<ReadParts | Failure>
  /** Answers inside the call, or with nothing: for whatever would wait, and for every failure, `read` has the answer. */
  readNow(path: string, offset: number, limit: number): ReadParts | null
  readRaw(path: string, cancel?: Cancel | undefined | null): Promise<RawParts | Failure>
  write(path: string, content: string | Uint8Array): Promise<null | Failure>
  edit(path: string, oldString: string, newString: string, replaceAll: boolean): Promise<EditParts | Failure>
  glob(pattern: string, path: string, cancel?: Cancel | undefined | null): Promise<PackedFiles | Failure>
  grep(pattern: string, path: string, glob?: string | undefined | null, maxCount?: number | undefined | null, cancel?: Cancel | undefined | null): Promise<PackedMatches | Failure>
  delete(path: string, cancel?: Cancel | undefined | null): Promise<null | Failure>
  upload(paths: Array<string>, contents: Array<Uint8Array>, cancel?: Cancel | undefined | null): Promise<Array<TransferParts>>
  download(paths: Array<string>, cancel?: Cancel | undefined | null): Promise<Contents>
  resolve(path: string): Promise<ResolvedPath | Failure>
}

/** See `DiskParts` in the contract. */
export interface DiskParts {
  root: string
  contained: boolean
  durable?: boolean
  dialect?: string
  sniff?: boolean
  bareGlobRecursive?: boolean
  createOnly?: boolean
  strictLs?: boolean
  gitignore?: boolean
  fastPaths?: boolean
  globDirectories?: boolean
  limits?: LimitParts
}

/** See `EditParts` in the contract. */
export interface EditParts {
  occurrences: number
  filled: boolean
}

/** An edit and its outcome. */
export interface EditedContent {
  occurrences: number
  filled: boolean
  content: Text | Uint8Array
}

/** See `ExecuteParts` in the contract. */
export interface ExecuteParts {
  output: string
  exitCode: number | null
  truncated: boolean
}

/** A failure: the sentence and the code. */
export interface Failure {
  /** The sentence for a model. */
  error: string
  /** What programs branch on. */
  code: string
}

/** See `JailParts` in the contract. */
export interface JailParts {
  write: Array<string>
  read: Array<string>
  network: boolean
}

/** See `KeyListing` in the contract. */
export interface KeyListing {
  /** Index of a key, or -1 for a folder. */
  files: Int32Array
  /** The folders, joined by NUL. */
  folders: string
}

/** See `LimitParts` in the contract. */
export interface LimitParts {
  readBytes?: number
  writeBytes?: number
  grepFileBytes?: number
  resultBytes?: number
  walkEntries?: number
  lineChars?: number
  searchMs?: number
}

/** See `LinePlan` in the contract. */
export interface LinePlan {
  totalLines: number
  startLine: number
  endLine: number
  nextOffset?: number
  skip: number
  until?: number
}

/** See `MeaningParts` in the contract. */
export interface MeaningParts {
  dialect?: string
  sniff?: boolean
  bareGlobRecursive?: boolean
  createOnly?: boolean
  strictLs?: boolean
  gitignore?: boolean
  globDirectories?: boolean
  limits?: LimitParts
}

/** See `MemoryHandle` in the contract. */
export declare class Memory {
  constructor(meaning: MeaningParts)
  ls(path: string): PackedFiles | Failure
  read(path: string, offset: number, limit: number): ReadParts | Failure
  readRaw(path: string): RawParts | Failure
  write(path: string, content: string | Uint8Array, now: string): Done | Failure
  edit(path: string, oldString: string, newString: string, replaceAll: boolean, now: string): EditParts | Failure
  glob(pattern: string, path: string): PackedFiles | Failure
  grep(pattern: string, path: string, glob?: string | undefined | null, maxCount?: number | undefined | null): PackedMatches | Failure
  delete(path: string): Done | Failure
  upload(paths: Array<string>, contents: Array<Uint8Array>, now: string): Array<TransferParts>
  download(paths: Array<string>): Array<TransferParts>
  snapshot(): Array<RecordParts>
  restore(records: Array<RecordParts>): Done | Failure
}

/** What a path alone tells of its content. */
export interface MimeOfPath {
  /** The MIME type. */
  mimeType: string
  /** Whether that is a text type. */
  text: boolean
}

/** See `PackedFiles` in the contract. */
export interface PackedFiles {
  paths: Text
  count: number
  sizes: Float64Array
  folders: Uint8Array
  stamps: Text
  tellsUnknown: boolean
  truncated: boolean
}

/** See `PackedMatches` in the contract. */
export interface PackedMatches {
  paths: Text
  counts: Uint32Array
  lines: Uint32Array
  texts: Array<Text>
  truncated: boolean
}

/** A path in its normal form. */
export interface ParsedPath {
  /** The virtual path. */
  path: string
}

/** See `RawParts` in the contract. */
export interface RawParts {
  content: Text | Uint8Array
  mimeType: string
  created: string
  modified: string
  encoding?: string
}

/** See `ReadParts` in the contract. */
export interface ReadParts {
  content: Text | Uint8Array
  mimeType: string
  totalLines?: number
  startLine?: number
  endLine?: number
  nextOffset?: number
  encoding?: string
}

/** See `RecordParts` in the contract. */
export interface RecordParts {
  path: string
  content: string | Uint8Array
  mimeType: string
  created_at: string
  modified_at: string
}

/** Where a path leads. */
export interface ResolvedPath {
  /** The virtual path behind all links. */
  path: string
}

/** See `ShellHandle` in the contract. */
export declare class Shell {
  constructor(parts: ShellParts)
  execute(command: string, timeoutMs?: number | undefined | null, cancel?: Cancel | undefined | null): Promise<ExecuteParts>
  close(): Promise<null | Failure>
}

/** See `ShellParts` in the contract. */
export interface ShellParts {
  cwd: string
  env: Record<string, string>
  timeoutMs: number
  maxOutputBytes: number
  interleave?: boolean
  maxConcurrent?: number
  jail?: JailParts
}

/** See `StoredContent` in the contract. */
export interface StoredContent {
  /** Text, or bytes that are none. */
  content: Text | Uint8Array
  /** The MIME type. */
  mimeType: string
}

/** See `TransferParts` and `DownloadParts` in the contract. */
export interface TransferParts {
  content: FileBytes | null
  error: string | null
  code?: string
  message?: string
}

/** `RecordRules.editBytes` */
export declare function editBytes(path: string, content: Uint8Array, oldString: string, newString: string, replaceAll: boolean): (EditParts & { content: Uint8Array }) | Failure;

/** `RecordRules.editText` */
export declare function editText(path: string, content: string, oldString: string, newString: string, replaceAll: boolean): (EditParts & { content: string }) | Failure;

/** `RecordRules.failure` */
export declare function failure(method: string, code: string, path: string, detail: string): Failure;

/** `RecordRules.filterKeys` */
export declare function filterKeys(keys: string, base: string, glob?: string | undefined | null): Uint32Array | Failure;

/** `RecordRules.globKeys` */
export declare function globKeys(keys: string, pattern: string, base: string, bareRecursive: boolean): Uint32Array | Failure;

/** `RecordRules.globOrder` */
export declare function globOrder(modified: string, dialect: string): Uint32Array;

/** `RecordRules.grepTexts` */
export declare function grepTexts(paths: Array<string>, contents: Array<string>, pattern: string, maxCount?: number | undefined | null, lineChars?: number | undefined | null): PackedMatches | Failure;

/** `RecordRules.listKeys` */
export declare function listKeys(keys: string, dir: string): KeyListing;

/** `RecordRules.mimeOf` */
export declare function mimeOf(path: string): MimeOfPath;

/** `RecordRules.parsePath` */
export declare function parsePath(method: string, path: string): ParsedPath | Failure;

/** `RecordRules.planLines` */
export declare function planLines(lineFeeds: number, hasOpenLine: boolean, offset: number, limit: number): LinePlan | null;

/** `RecordRules.readBytes` */
export declare function readBytes(path: string, content: Uint8Array, offset: number, limit: number, dialect: string): ReadParts | Failure;

/** `RecordRules.readText` */
export declare function readText(path: string, content: string, offset: number, limit: number, dialect: string): ReadParts | Failure;

/** `RecordRules.storeContent` */
export declare function storeContent(path: string, content: string | Uint8Array): StoredContent | Failure;

/** `RecordRules.storeUpload` */
export declare function storeUpload(path: string, content: Uint8Array): StoredContent;

/** `RecordRules.transferCode` */
export declare function transferCode(code: string): string;

/** The version of the core that this addon was built with. */
export declare function version(): string;
