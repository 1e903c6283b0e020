/** What is in a record: its text or bytes, for reading and for editing. The core decides; records only cross as asked. */

import { type DialectName, type Failure, isFailure, type ReadParts } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import { readResult } from "../binding/results.js";
import type { EditArguments } from "../protocol/arguments.js";
import { failure } from "../protocol/failure.js";
import type { FileData, FileDataV2 } from "../protocol/file-data.js";
import type { ReadResult } from "../protocol/results.js";
import { isWellFormed, toWellFormed } from "../protocol/well-formed.js";
import { editWindow } from "./edit-window.js";
import { isTextType, openRecord, type StoredFile } from "./file-data.js";

/** More lines than any file has. */
const ALL_LINES = Number.MAX_SAFE_INTEGER;

const UNREADABLE = "the stored record is damaged: its content is neither text nor bytes";

/** The failure of a method that met a record of no known shape. */
export function unreadable(method: "read" | "readRaw" | "edit" | "downloadFiles", path: string): Failure {
  return failure(method, "io", path, UNREADABLE);
}

/** The type of a record: what it tells itself, else what its path tells. */
export function mimeOfRecord(path: string, file: StoredFile): string {
  return file.mimeType ?? getBinding().rules.mimeOf(path).mimeType;
}

/** A window of a record's text, or a binary record whole. */
export function readRecord(
  path: string,
  file: StoredFile,
  lines: { offset: number; limit: number },
  dialect: DialectName,
): ReadResult {
  const told = toldType(file);
  if (told !== null && !isTextType(told)) {
    // What the record calls binary is handed out as it is, also where another writer kept it as base64 text.
    const { content } = file;
    return { content: typeof content === "string" ? content : Uint8Array.from(content), mimeType: told };
  }
  const { rules } = getBinding();
  const parts: ReadParts | Failure =
    typeof file.content === "string"
      ? rules.readText(path, toWellFormed(file.content), lines.offset, lines.limit, dialect)
      : rules.readBytes(path, file.content, lines.offset, lines.limit, dialect);
  return readResult(isFailure(parts) || told === null ? parts : { ...parts, mimeType: told });
}

/** The type that a record tells; `null` where it says no more than that these are bytes. */
function toldType(file: StoredFile): string | null {
  return file.mimeType === "application/octet-stream" ? null : file.mimeType;
}

/** Whether a record is text where its content is a string: base64 of a picture is one, too. */
function isText(path: string, file: StoredFile): boolean {
  return isTextType(mimeOfRecord(path, file)) || getBinding().rules.mimeOf(path).text;
}

/** Whether a record is text in the current format, as its own type says. */
function isPlainText(record: FileData | undefined): record is FileDataV2 & { content: string } {
  return (
    typeof record?.content === "string" &&
    "mimeType" in record &&
    typeof record.mimeType === "string" &&
    isTextType(record.mimeType) &&
    !("encoding" in record)
  );
}

/** The record's content after an edit. */
export interface Edited {
  content: string | Uint8Array;
  occurrences: number;
  filled: boolean;
}

/** Edits a record's content. `shown` is the path as the caller spelt it. */
export function editRecord(path: string, file: StoredFile, asked: EditArguments): Edited | Failure {
  const { path: shown, oldString, newString, replaceAll } = asked;
  const { rules } = getBinding();
  if (typeof file.content !== "string") {
    return rules.editBytes(shown, file.content, oldString, newString, replaceAll);
  }
  if (!isText(path, file)) {
    return failure("edit", "binary_file", shown);
  }
  const { content } = file;
  const { start, end } = editWindow(content, oldString, newString) ?? { start: 0, end: content.length };
  const part = content.slice(start, end);
  if (!isWellFormed(part)) {
    return failure("edit", "encoding", shown, "its text has a lone surrogate; write the file anew");
  }
  const edited = rules.editText(shown, part, oldString, newString, replaceAll);
  return isFailure(edited)
    ? edited
    : { ...edited, content: content.slice(0, start) + edited.content + content.slice(end) };
}

/** Texts of records that are kept as bytes because they are not UTF-8. */
const decoded = new WeakMap<Uint8Array, string | null>();

/** The text that a search looks at; `null` for binary records and damaged ones. */
export function searchText(path: string, record: FileData | undefined): string | null {
  if (isPlainText(record)) {
    // By far most records: read without being remembered one by one.
    return record.content;
  }
  const file = openRecord(record);
  if (file === null) {
    return null;
  }
  const { content } = file;
  if (typeof content === "string") {
    return isText(path, file) ? content : null;
  }
  const told = toldType(file);
  if (told !== null && !isTextType(told)) {
    return null;
  }
  let text = decoded.get(content);
  if (text === undefined) {
    const parts = getBinding().rules.readBytes(path, content, 0, ALL_LINES, "state");
    text = !isFailure(parts) && typeof parts.content === "string" ? parts.content : null;
    decoded.set(content, text);
  }
  return text;
}
