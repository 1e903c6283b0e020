/**
 * Records of graph state and stores: every shape that one was ever stored in, and the shapes that deepfs writes.
 */

import { bytesOf } from "../protocol/arguments.js";
import type { FileData, FileDataV2 } from "../protocol/file-data.js";

/** A record, read. */
export interface StoredFile {
  /** Text, or the bytes of what is not text (or is text in an encoding other than UTF-8). */
  readonly content: string | Uint8Array;
  /** The type that the record itself tells; `null` where it tells none. */
  readonly mimeType: string | null;
  /** ISO times; empty where the record has none. */
  readonly createdAt: string;
  readonly modifiedAt: string;
  /** The format that an edit keeps. */
  readonly format: "v1" | "v2";
  /** How many line feeds a text has, once somebody has counted them. */
  lineFeeds?: number;
}

/** What a record looks like from outside: any of its fields may be missing or of another type. */
interface Loose {
  content?: unknown;
  mimeType?: unknown;
  encoding?: unknown;
  created_at?: unknown;
  modified_at?: unknown;
}

interface Cached {
  /** The content that was read: a record changed in place is read again. */
  source: unknown;
  modified: unknown;
  file: StoredFile | null;
  sizeBytes: number;
}

/** Records are large and mostly unchanged between calls: lines are joined and base64 is decoded once per record. */
const cache = new WeakMap<object, Cached>();

/**
 * Reads a record.
 *
 * Understands text (`v2`), lines (`v1`), bytes in every JavaScript form, and what becomes of bytes on the way through
 * JSON: base64 with `encoding: "base64"` (as Python writes it too), `{ type: "Buffer", data }`, and the damaged
 * `{ "0": 137, "1": 80, … }`.
 *
 * @returns `null` for what is no record: listings and searches leave it out, a read of it is an error.
 */
export function openRecord(record: unknown): StoredFile | null {
  return lookUp(record)?.file ?? null;
}

/** The size of a record's content in bytes; 0 for what is no record. */
export function sizeOfRecord(record: unknown): number {
  const cached = lookUp(record);
  if (cached === null || cached.file === null) {
    return 0;
  }
  if (cached.sizeBytes < 0) {
    const { content } = cached.file;
    cached.sizeBytes = typeof content === "string" ? utf8Bytes(content) : content.byteLength;
  }
  return cached.sizeBytes;
}

function lookUp(record: unknown): Cached | null {
  if (typeof record !== "object" || record === null) {
    return null;
  }
  try {
    const { content, modified_at: modified } = record as Loose;
    const known = cache.get(record);
    if (known !== undefined && known.source === content && known.modified === modified) {
      return known;
    }
    const read: Cached = { source: content, modified, file: readRecord(record as Loose), sizeBytes: -1 };
    cache.set(record, read);
    return read;
  } catch {
    // A revoked proxy, or a getter that throws: no record of ours.
    return null;
  }
}

function readRecord(record: Loose): StoredFile | null {
  const content = readContent(record.content, record.encoding);
  return content === null
    ? null
    : {
        content,
        mimeType: textOr(record.mimeType, null),
        createdAt: textOr(record.created_at, ""),
        modifiedAt: textOr(record.modified_at, ""),
        format: isLines(record.content) ? "v1" : "v2",
      };
}

function readContent(content: unknown, encoding: unknown): string | Uint8Array | null {
  const text = isLines(content) ? content.join("\n") : content;
  if (typeof text === "string") {
    return encoding === "base64" ? decodeBase64(text) : text;
  }
  return bytesOf(text) ?? bytesFromJson(text);
}

/** Every element is looked at: one number among the lines would make `join` invent text. */
function isLines(content: unknown): content is string[] {
  return Array.isArray(content) && content.every((line) => typeof line === "string");
}

function textOr<T>(value: unknown, fallback: T): string | T {
  return typeof value === "string" && value !== "" ? value : fallback;
}

/** Bytes that went through JSON: a list of numbers, a `Buffer`'s form, or an object with an index for each byte. */
function bytesFromJson(value: unknown): Uint8Array | null {
  if (typeof value !== "object" || value === null) {
    return null;
  }
  if (Array.isArray(value)) {
    return bytesFromNumbers(value);
  }
  const { type, data } = value as { type?: unknown; data?: unknown };
  if (type === "Buffer" && Array.isArray(data)) {
    return bytesFromNumbers(data);
  }
  // Integer keys come first and in ascending order, so the n-th key of a whole one is n.
  const keys = Object.keys(value);
  return keys.every((key, index) => key === String(index)) ? bytesFromNumbers(Object.values(value)) : null;
}

function bytesFromNumbers(values: unknown[]): Uint8Array | null {
  const isByte = (value: unknown): boolean =>
    typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255;
  return values.every(isByte) ? Uint8Array.from(values as number[]) : null;
}

/** Base64, standard or URL-safe; `null` when it is not. */
export function decodeBase64(text: string): Uint8Array | null {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = new Uint8Array(binary.length);
    for (let index = 0; index < binary.length; index += 1) {
      bytes[index] = binary.charCodeAt(index);
    }
    return bytes;
  } catch {
    return null;
  }
}

/** Bytes as standard base64, in steps: one call with all bytes as arguments overflows the stack. */
export function encodeBase64(bytes: Uint8Array): string {
  const stepBytes = 0x8000;
  const parts: string[] = [];
  for (let start = 0; start < bytes.length; start += stepBytes) {
    parts.push(String.fromCharCode(...bytes.subarray(start, start + stepBytes)));
  }
  return btoa(parts.join(""));
}

/** Node's own count is many times faster; asked for by a computed name, so that no bundler brings a stand-in. */
const nodeBuffer = (globalThis as Record<string, unknown>)["Buffer"] as
  | { byteLength?: (text: string) => number }
  | undefined;

/** The size of a text in UTF-8. */
export function utf8Bytes(text: string): number {
  if (typeof nodeBuffer?.byteLength === "function") {
    return nodeBuffer.byteLength(text);
  }
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x80) {
      // Two units of a pair are four bytes, so each adds one; any other unit from U+0800 adds two.
      bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
    }
  }
  return bytes;
}

/** What a record is made of. */
export interface RecordDraft {
  content: string | Uint8Array;
  mimeType: string;
  /** The time of the call, as ISO text. */
  now: string;
  /** The record that this one replaces: it gives the time of creation. */
  previous: StoredFile | null;
  format: "v1" | "v2";
}

/** Why a record of the older format cannot be made. */
export const V1_HOLDS_TEXT = 'the file format "v1" holds text only, and this is binary';

/** A record to store; `null` when the format is `v1`, which holds text only, and the content is bytes. */
export function newRecord(draft: RecordDraft): FileData | null {
  const created = draft.previous?.createdAt || draft.now;
  if (draft.format === "v2") {
    const { content, mimeType, now } = draft;
    return { content, mimeType, created_at: created, modified_at: now };
  }
  return typeof draft.content === "string"
    ? { content: draft.content.split("\n"), created_at: created, modified_at: draft.now }
    : null;
}

/** A record as the current format, for `readRaw`. `mimeType` is used where the record tells none. */
export function asV2(file: StoredFile, mimeType: string): FileDataV2 {
  return {
    content: file.content,
    mimeType: file.mimeType ?? mimeType,
    created_at: file.createdAt,
    modified_at: file.modifiedAt,
  };
}

/** Whether a MIME type is one of text, as the protocol has it: `read` counts lines in these and no others. */
export function isTextType(mimeType: string): boolean {
  return (
    mimeType.startsWith("text/") ||
    mimeType === "application/json" ||
    mimeType === "application/javascript" ||
    mimeType === "image/svg+xml"
  );
}
