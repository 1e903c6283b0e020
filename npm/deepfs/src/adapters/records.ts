/**
 * The operations on files that JavaScript holds by path: graph state, stores, hubs. What they mean is the core's; this
 * only brings paths and records across and results back.
 */

import { type DialectName, type EditParts, type Failure, isFailure, type Method } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import { readResult } from "../binding/results.js";
import { unpackMatchesInTurns } from "../binding/unpack.js";
import { failure } from "../protocol/failure.js";
import type { FileData, FileInfo, GlobResult, GrepResult, LsResult, ReadRawResult, ReadResult } from "../protocol/types.js";
import { asV2, isTextType, type StoredFile, utf8Bytes } from "./file-data.js";

/** Files by normalised path, with what listings say of them; sizes and times are asked for when needed. */
export interface FileTable {
  readonly paths: string[];
  sizeBytes(index: number): number;
  /** ISO text; empty where not known. */
  modified(index: number): string;
}

/** A file to search. */
export interface SearchedFile {
  readonly path: string;
  readonly file: StoredFile;
}

/** What is directly in a folder. */
export function listTable(table: FileTable, path: string, isStrict: boolean): LsResult {
  const { rules } = getBinding();
  const base = rules.parsePath("ls", path);
  if (isFailure(base)) return base;
  const listing = rules.listKeys(table.paths, base.path);
  const folders = listing.folders === "" ? [] : listing.folders.split("\0");
  let folder = 0;
  const files = Array.from(listing.files, (index) =>
    index < 0 ? folderInfo(folders[folder++] ?? "") : fileInfo(table, index),
  );
  if (isStrict && files.length === 0 && base.path !== "/") {
    return failure("ls", table.paths.includes(base.path) ? "not_a_directory" : "file_not_found", path);
  }
  return { files };
}

/** Files that a glob matches, in the order of the dialect. */
export function globTable(
  table: FileTable,
  pattern: string,
  path: string,
  dialect: DialectName,
  bareRecursive: boolean,
): GlobResult {
  const { rules } = getBinding();
  const base = rules.parsePath("glob", path);
  if (isFailure(base)) return base;
  const modified = table.paths.map((_, index) => table.modified(index));
  const found = rules.globKeys(table.paths, modified, pattern, base.path, dialect, bareRecursive);
  return isFailure(found) ? found : { files: Array.from(found, (index) => fileInfo(table, index)) };
}

/** The paths that a search at `base` with grep's file filter has to look into, in the order of its answer. */
export function searchedPaths(paths: string[], base: string, glob: string | null): string[] | Failure {
  const { rules } = getBinding();
  const parsed = rules.parsePath("grep", base);
  if (isFailure(parsed)) return parsed;
  const found = rules.filterKeys(paths, parsed.path, glob);
  return isFailure(found) ? found : Array.from(found, (index) => paths[index] ?? "");
}

/** Lines that hold `pattern`, in the files as ordered; binary files are left out. */
export async function grepFiles(
  files: readonly SearchedFile[],
  pattern: string,
  maxCount: number | null,
  lineChars: number | null,
): Promise<GrepResult> {
  const texts = files.map(({ path, file }) => ({ path, text: textOf(path, file) }));
  const searched = texts.filter((entry): entry is { path: string; text: string } => entry.text !== null);
  const found = getBinding().rules.grepTexts(
    searched.map(({ path }) => path),
    searched.map(({ text }) => text),
    pattern,
    maxCount,
    lineChars,
  );
  if (isFailure(found)) return found;
  const matches = await unpackMatchesInTurns(found);
  return found.truncated ? { matches, truncated: true } : { matches };
}

/** A window of a file's text, or a binary file whole. */
export function readFile(
  path: string,
  file: StoredFile,
  window: { offset: number; limit: number },
  dialect: DialectName,
): ReadResult {
  const { rules } = getBinding();
  const { content } = file;
  if (typeof content !== "string") {
    return readResult(rules.readBytes(path, content, window.offset, window.limit, dialect));
  }
  const mimeType = mimeTypeOf(path, file);
  // Binary content as upstream once stored it: base64 text that no field names as such.
  if (!isTextType(mimeType)) return { content, mimeType };
  const read = rules.readText(path, content, window.offset, window.limit, dialect);
  return readResult(isFailure(read) ? read : { ...read, mimeType });
}

/** The whole file with its times. */
export function readRawFile(path: string, file: StoredFile): ReadRawResult {
  const data: FileData =
    file.format === "v1" && typeof file.content === "string"
      ? { content: file.content.split("\n"), created_at: file.createdAt, modified_at: file.modifiedAt }
      : asV2(file, mimeTypeOf(path, file));
  return { data };
}

/** The file's bytes. */
export function bytesOfFile(file: StoredFile): Uint8Array {
  return typeof file.content === "string" ? new TextEncoder().encode(file.content) : file.content;
}

/** The content after an edit. */
export function editFile(
  path: string,
  file: StoredFile,
  edit: { oldString: string; newString: string; replaceAll: boolean },
): (EditParts & { content: string | Uint8Array }) | Failure {
  const { rules } = getBinding();
  const { oldString, newString, replaceAll } = edit;
  return typeof file.content === "string"
    ? rules.editText(path, file.content, oldString, newString, replaceAll)
    : rules.editBytes(path, file.content, oldString, newString, replaceAll);
}

/** The normalised path of a file: the root is none. */
export function parseFilePath(method: Method, path: string): string | Failure {
  const parsed = getBinding().rules.parsePath(method, path);
  if (isFailure(parsed)) return parsed;
  if (parsed.path !== "/") return parsed.path;
  return failure(method, method === "delete" ? "root_refused" : "is_directory", path);
}

/** The MIME type that a record tells, else the one that its path tells. */
export function mimeTypeOf(path: string, file: StoredFile): string {
  return file.mimeType ?? getBinding().rules.mimeOf(path).mimeType;
}

/** Whether any of the paths lies below `folder`. */
export function isFolder(paths: Iterable<string>, folder: string): boolean {
  const prefix = folder === "/" ? "/" : `${folder}/`;
  for (const path of paths) {
    if (path.startsWith(prefix)) return true;
  }
  return false;
}

/** The text to search; null for what is binary. */
function textOf(path: string, file: StoredFile): string | null {
  const { content } = file;
  if (typeof content === "string") return isTextType(mimeTypeOf(path, file)) ? content : null;
  const read = getBinding().rules.readBytes(path, content, 0, Number.MAX_SAFE_INTEGER, "store");
  return isFailure(read) || typeof read.content !== "string" ? null : read.content;
}

function fileInfo(table: FileTable, index: number): FileInfo {
  return {
    path: table.paths[index] ?? "",
    is_dir: false,
    size: table.sizeBytes(index),
    modified_at: table.modified(index),
  };
}

function folderInfo(path: string): FileInfo {
  return { path, is_dir: true, size: 0, modified_at: "" };
}

/** The size of content in bytes. */
export function contentBytes(content: string | Uint8Array): number {
  return typeof content === "string" ? utf8Bytes(content) : content.byteLength;
}
