/** What is in a record: its text or bytes, for reading and for editing. The core decides; records only cross as asked. */

import { type DialectName, type Failure, isFailure, type ReadParts } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import { FAST_PATHS } from "../binding/fast-paths.js";
import { readResult } from "../binding/results.js";
import type { EditArguments } from "../protocol/arguments.js";
import { failure } from "../protocol/failure.js";
import type { FileData, FileDataV2 } from "../protocol/file-data.js";
import type { ReadResult } from "../protocol/results.js";
import { isWellFormed, toWellFormed } from "../protocol/well-formed.js";
import { isTextType, openRecord, type StoredFile } from "./file-data.js";
import { plainEdit } from "./plain-edit.js";

/** More lines than any file has. */
export const ALL_LINES = Number.MAX_SAFE_INTEGER;

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
  const planned = typeof file.content === "string" ? readPlanned(path, file, file.content, told, lines) : null;
  if (planned !== null) {
    return planned;
  }
  const parts: ReadParts | Failure =
    typeof file.content === "string"
      ? rules.readText(path, toWellFormed(file.content), lines.offset, lines.limit, dialect)
      : rules.readBytes(path, file.content, lines.offset, lines.limit, dialect);
  // A record that calls itself text is not believed where its bytes are none.
  const believed = !isFailure(parts) && told !== null && typeof parts.content === "string";
  return readResult(believed ? { ...parts, mimeType: told } : parts);
}

/** Of no longer text can a window be over the core's limit. */
const PLANNED_UNITS = 64 << 20;

/**
 * A window of a text that stays where it is: its line feeds are counted here, once for each record; the core tells between which
 * of them the window is, and only the window is cut out. `null` where the answer is not lines.
 */
function readPlanned(
  path: string,
  file: StoredFile,
  content: string,
  told: string | null,
  lines: { offset: number; limit: number },
): ReadResult | null {
  if (!FAST_PATHS || content === "" || content.length > PLANNED_UNITS) {
    return null;
  }
  const { rules } = getBinding();
  file.lineFeeds ??= countLineFeeds(content);
  const plan = rules.planLines(file.lineFeeds, !content.endsWith("\n"), lines.offset, lines.limit);
  if (plan === null) {
    return null;
  }
  const { skip, until, ...span } = plan;
  const start = afterLineFeed(content, 0, skip);
  const end = until === undefined ? content.length : afterLineFeed(content, start, until - skip) - 1;
  const text = span.endLine < span.startLine ? "" : content.slice(start, end);
  return readResult({ content: toWellFormed(text), mimeType: told ?? rules.mimeOf(path).mimeType, ...span });
}

function countLineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    count += 1;
  }
  return count;
}

/** Where the text goes on after the `nth` line feed from `start` on; `start` for none. */
function afterLineFeed(text: string, start: number, nth: number): number {
  let at = start;
  for (let passed = 0; passed < nth; passed += 1) {
    at = text.indexOf("\n", at) + 1;
  }
  return at;
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
  const plain = plainEdit(file.content, oldString, newString);
  if (plain !== null) {
    return { content: plain, occurrences: 1, filled: false };
  }
  return isWellFormed(file.content)
    ? rules.editText(shown, file.content, oldString, newString, replaceAll)
    : failure("edit", "encoding", shown, "its text has a lone surrogate; write the file anew");
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
