/**
 * The operations of the protocol on files that are records, in a graph's state or in a store. Each reads what one call
 * sees and, if it changes something, gives the record that makes the change.
 */

import { type EditParts, type Failure, isFailure, type Method } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import type { EditArguments, GrepArguments } from "../protocol/arguments.js";
import { failure } from "../protocol/failure.js";
import type { FileData } from "../protocol/file-data.js";
import type { GlobResult, GrepResult, LsResult, ReadRawResult, ReadResult } from "../protocol/results.js";
import type { SearchLimits } from "./budget.js";
import { asV2, newRecord, openRecord, type StoredFile, utf8Bytes, V1_HOLDS_TEXT } from "./file-data.js";
import type { FileView } from "./file-view.js";
import { ALL_LINES, editRecord, mimeOfRecord, readRecord, unreadable } from "./record-read.js";
import { globRecords, grepRecords, listRecords } from "./record-search.js";

/** What a backend's options make of the operations. */
export interface RecordSettings {
  fileFormat: "v1" | "v2";
  createOnly: boolean;
  bareRecursive: boolean;
  strict: boolean;
  lineChars: number | null;
  limits: SearchLimits & { readBytes?: number; writeBytes?: number };
}

/** A path as the caller spelt it and as it is meant. */
export interface PathPair {
  shown: string;
  path: string;
}

/** What there is at and around one path. */
export type FileLookup = Pick<FileView, "find" | "isFolder" | "fileAbove">;

export function ls(view: FileView, at: PathPair, settings: RecordSettings): LsResult {
  return strictly(
    listRecords(view.index(), at.path, settings.limits),
    at,
    settings,
    () => view.find(at.path) !== undefined,
  );
}

/** A listing, or the error that takes the place of an empty one where the options say so. */
export function strictly(
  result: LsResult,
  { shown, path }: PathPair,
  settings: RecordSettings,
  isFile: () => boolean,
): LsResult {
  if (!settings.strict || path === "/" || (result.files ?? []).length > 0) {
    return result;
  }
  return failure("ls", isFile() ? "not_a_directory" : "file_not_found", shown);
}

export function glob(view: FileView, pattern: string, { path }: PathPair, settings: RecordSettings): GlobResult {
  return globRecords(view.index(), pattern, path, "state", settings.bareRecursive, settings.limits);
}

export function grep(view: FileView, asked: GrepArguments, { path }: PathPair, settings: RecordSettings): GrepResult {
  return grepRecords(view.index(), asked, path, settings.lineChars, settings.limits);
}

export function read(
  view: FileLookup,
  at: PathPair,
  lines: { offset: number; limit: number },
  settings: RecordSettings,
): ReadResult {
  const file = existing("read", view, at);
  if (isFailure(file)) {
    return file;
  }
  const result = readRecord(at.path, file, lines, "state");
  return tooLarge("read", at.shown, result.content ?? "", settings.limits.readBytes) ?? result;
}

export function readRaw(view: FileLookup, at: PathPair, settings: RecordSettings): ReadRawResult {
  const record = view.find(at.path);
  const file = existing("readRaw", view, at);
  if (isFailure(file)) {
    return file;
  }
  const over = tooLarge("readRaw", at.shown, file.content, settings.limits.readBytes);
  if (over !== null) {
    return over;
  }
  const text =
    typeof file.content === "string" ? null : readRecord(at.path, file, { offset: 0, limit: ALL_LINES }, "state");
  if (typeof text?.content === "string" && text.encoding !== undefined) {
    // Kept as bytes because it is not UTF-8: it is shown as the other backends and `read` show it.
    const data = { ...asV2(file, ""), content: text.content, mimeType: text.mimeType ?? "text/plain" };
    return { data, encoding: text.encoding };
  }
  // The record itself where it is one of the two forms, as others keep it; else what could be read out of it.
  return { data: copyOf(isProtocolRecord(record, file) ? record : asV2(file, mimeOfRecord(at.path, file))) };
}

/** A record that its caller may change: lines and bytes are the state's own, and everybody else's, otherwise. */
function copyOf(record: FileData): FileData {
  if (!("mimeType" in record)) {
    return { ...record, content: [...record.content] };
  }
  const { content } = record;
  return { ...record, content: typeof content === "string" ? content : Uint8Array.from(content) };
}

function isProtocolRecord(record: FileData | undefined, file: StoredFile): record is FileData {
  const raw: unknown = record?.content;
  return (
    record !== undefined &&
    (file.format === "v1" || (raw === file.content && "mimeType" in record)) &&
    file.createdAt !== "" &&
    file.modifiedAt !== ""
  );
}

/** A file to store, as a record. */
export interface Stored {
  record: FileData;
}

export function write(
  view: FileLookup,
  at: PathPair,
  content: string | Uint8Array,
  settings: RecordSettings,
  now: string,
): Stored | Failure {
  const blocked = place("write", view, at);
  if (blocked !== null) {
    return blocked;
  }
  const previous = openRecord(view.find(at.path));
  if (settings.createOnly && view.find(at.path) !== undefined) {
    return failure("write", "already_exists", at.shown);
  }
  const stored = getBinding().rules.storeContent(at.path, content);
  if (isFailure(stored)) {
    return stored;
  }
  const format = previous?.format === "v1" && typeof stored.content === "string" ? "v1" : settings.fileFormat;
  return store("write", at, stored.content, stored.mimeType, previous, format, settings, now);
}

export function edit(
  view: FileLookup,
  at: PathPair,
  asked: EditArguments,
  settings: RecordSettings,
  now: string,
): (Stored & EditParts) | Failure {
  const file = existing("edit", view, at);
  if (isFailure(file)) {
    return file;
  }
  const edited = editRecord(at.path, file, asked);
  if (isFailure(edited)) {
    return edited;
  }
  const { content, occurrences, filled } = edited;
  const stored = store("edit", at, content, mimeOfRecord(at.path, file), file, file.format, settings, now);
  return isFailure(stored) ? stored : { record: stored.record, occurrences, filled };
}

/** Stores an uploaded file. Bytes that are text become text, all others stay as they are. */
export function upload(
  view: FileLookup,
  at: PathPair,
  content: Uint8Array,
  settings: RecordSettings,
  now: string,
): Stored | Failure {
  const blocked = place("uploadFiles", view, at);
  if (blocked !== null) {
    return blocked;
  }
  const stored = getBinding().rules.storeUpload(at.path, content);
  const previous = openRecord(view.find(at.path));
  return store("uploadFiles", at, stored.content, stored.mimeType, previous, settings.fileFormat, settings, now);
}

/** The keys to remove for a file, or for a folder with all it holds. */
export function remove(view: FileView, { shown, path }: PathPair): string[] | Failure {
  if (path === "/") {
    return failure("delete", "root_refused", shown);
  }
  const keys = view.keysBelow(path);
  return keys.length === 0 ? failure("delete", absence(view, path), shown) : keys;
}

export function download(view: FileLookup, at: PathPair): Uint8Array | Failure {
  const file = existing("downloadFiles", view, at);
  if (isFailure(file)) {
    return file;
  }
  const { content } = file;
  // A copy: the record in the state must not change when the caller changes what it got.
  return typeof content === "string" ? new TextEncoder().encode(content) : Uint8Array.from(content);
}

function existing(
  method: "read" | "readRaw" | "edit" | "downloadFiles",
  view: FileLookup,
  { shown, path }: PathPair,
): StoredFile | Failure {
  const record = view.find(path);
  if (record === undefined) {
    return failure(method, path === "/" || view.isFolder(path) ? "is_directory" : absence(view, path), shown);
  }
  return openRecord(record) ?? unreadable(method, shown);
}

/** Why nothing is at a path. */
export function absence(view: Pick<FileLookup, "fileAbove">, path: string): string {
  return view.fileAbove(path) === null ? "file_not_found" : "not_a_directory";
}

/** Why no file can be put at a path: a path is a file or a folder, never both. */
function place(method: "write" | "uploadFiles", view: FileLookup, { shown, path }: PathPair): Failure | null {
  if (path === "/") {
    return failure(method, "is_directory", shown);
  }
  if (view.find(path) !== undefined) {
    return null;
  }
  if (view.fileAbove(path) !== null) {
    return failure(method, "not_a_directory", shown);
  }
  return view.isFolder(path) ? failure(method, "is_directory", shown) : null;
}

function store(
  method: Method,
  { shown }: PathPair,
  content: string | Uint8Array,
  mimeType: string,
  previous: StoredFile | null,
  format: "v1" | "v2",
  settings: RecordSettings,
  now: string,
): Stored | Failure {
  const over = tooLarge(method, shown, content, settings.limits.writeBytes);
  if (over !== null) {
    return over;
  }
  // Bytes are copied: the caller may go on using its own.
  const kept = typeof content === "string" ? content : Uint8Array.from(content);
  const record = newRecord({ content: kept, mimeType, now, previous, format });
  return record === null ? failure(method, "invalid_content", shown, V1_HOLDS_TEXT) : { record };
}

/** The failure for content over a limit of the options; `null` when it fits. */
export function tooLarge(
  method: Method,
  shown: string,
  content: string | Uint8Array,
  limit: number | undefined,
): Failure | null {
  if (limit === undefined) {
    return null;
  }
  const bytes = typeof content === "string" ? utf8Bytes(content) : content.byteLength;
  if (bytes <= limit) {
    return null;
  }
  const what = method === "read" || method === "readRaw" ? "the limit" : "the limit for a write";
  return failure(method, "too_large", shown, `${bytes} bytes, ${what} is ${limit}`);
}
