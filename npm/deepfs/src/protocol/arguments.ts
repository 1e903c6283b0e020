/**
 * Arguments as JavaScript callers send them, checked once. Everything behind this file may trust its types.
 *
 * Nothing here throws, whatever it is handed: a bad argument is the caller's failure and becomes an error result.
 */

import { type Failure, isFailure, type Method } from "../binding/contract.js";
import { failure } from "./failure.js";
import { loneSurrogateAt } from "./well-formed.js";

/** Lines that `read` hands out when it is not told. */
export const DEFAULT_READ_LIMIT = 500;

/** More lines than any file has; stands for "all". */
const ALL_LINES = Number.MAX_SAFE_INTEGER;

/**
 * What `read` takes in place of two numbers.
 *
 * ```ts
 * await backend.read("/server.log", { offset: 1000, limit: 50 });
 * ```
 */
export interface ReadWindow {
  /** The first line, counted from 0 (default 0). Below 0 it is 0. */
  offset?: number | null;
  /** How many lines (default {@link DEFAULT_READ_LIMIT}); `Infinity` for all. */
  limit?: number | null;
}

/** What `edit` takes in place of a boolean. */
export interface EditOptions {
  /** Replace every occurrence, and not only one (default false). */
  replaceAll?: boolean | null;
}

/** A path argument. */
export function parsePath(method: Method, value: unknown): string | Failure {
  if (typeof value !== "string") {
    return failure(method, "invalid_argument", typeName(value), `the path must be a string, not ${typeName(value)}`);
  }
  const at = loneSurrogateAt(value);
  return at < 0
    ? value
    : failure(method, "invalid_path", value, `it has a lone surrogate at position ${at}, which has no UTF-8 form`);
}

/** The path of a search, which may be left out: `fallback` stands for no path. */
export function parseSearchPath(method: Method, value: unknown, fallback: string): string | Failure {
  return value === undefined || value === null || value === "" ? fallback : parsePath(method, value);
}

/** A text argument that is not a path, named `name` in the sentence. */
export function parseText(method: Method, path: string, name: string, value: unknown): string | Failure {
  if (typeof value !== "string") {
    return failure(method, "invalid_argument", path, `${name} must be a string, not ${typeName(value)}`);
  }
  const at = loneSurrogateAt(value);
  return at < 0 ? value : failure(method, "invalid_content", path, loneSurrogate(name, at));
}

/** The content of a file: text or bytes. */
export function parseContent(method: Method, path: string, value: unknown): string | Uint8Array | Failure {
  if (typeof value === "string") {
    return parseText(method, path, "content", value);
  }
  return (
    bytesOf(value) ??
    failure(method, "invalid_argument", path, `content must be a string or a Uint8Array, not ${typeName(value)}`)
  );
}

/** The window of `read`: two numbers, or an object with both. */
export function parseWindow(
  path: string,
  first: unknown,
  second: unknown,
): { offset: number; limit: number } | Failure {
  let offset = first;
  let limit = second;
  if (typeof first === "object" && first !== null) {
    try {
      ({ offset, limit } = first as { offset: unknown; limit: unknown });
    } catch {
      return failure("read", "invalid_argument", path, "offset and limit can not be read from the object");
    }
  }
  const from = lineCount(path, "offset", offset, 0);
  const count = lineCount(path, "limit", limit, DEFAULT_READ_LIMIT);
  if (typeof from !== "number") {
    return from;
  }
  return typeof count === "number" ? { offset: from, limit: count } : count;
}

/** The fourth argument of `edit`: a boolean, or an object that holds it. */
export function parseReplaceAll(path: string, value: unknown): boolean | Failure {
  let flag = value;
  if (typeof value === "object" && value !== null) {
    try {
      flag = (value as EditOptions).replaceAll;
    } catch {
      return failure("edit", "invalid_argument", path, "replaceAll can not be read from the object");
    }
  }
  if (flag === undefined || flag === null) {
    return false;
  }
  return typeof flag === "boolean"
    ? flag
    : failure("edit", "invalid_argument", path, `replaceAll must be a boolean, not ${typeName(flag)}`);
}

/** What `edit` is asked to do. */
export interface EditArguments {
  path: string;
  oldString: string;
  newString: string;
  replaceAll: boolean;
}

export function parseEdit(
  filePath: unknown,
  oldString: unknown,
  newString: unknown,
  replaceAll: unknown,
): EditArguments | Failure {
  const path = parsePath("edit", filePath);
  if (typeof path !== "string") {
    return path;
  }
  const from = parseText("edit", path, "oldString", oldString);
  if (typeof from !== "string") {
    return from;
  }
  const to = parseText("edit", path, "newString", newString);
  if (typeof to !== "string") {
    return to;
  }
  const all = parseReplaceAll(path, replaceAll);
  return typeof all === "boolean" ? { path, oldString: from, newString: to, replaceAll: all } : all;
}

/** What `grep` is asked for. */
export interface GrepArguments {
  pattern: string;
  path: string;
  glob: string | null;
  maxCount: number | null;
}

/** The arguments of `grep`; `fallback` is the path searched when none is given. */
export function parseGrep(
  pattern: unknown,
  path: unknown,
  glob: unknown,
  maxCount: unknown,
  fallback = "/",
): GrepArguments | Failure {
  const base = parseSearchPath("grep", path, fallback);
  if (typeof base !== "string") {
    return base;
  }
  const text = parseText("grep", base, "pattern", pattern);
  if (typeof text !== "string") {
    return text;
  }
  const filter = glob === undefined || glob === null || glob === "" ? null : parseText("grep", base, "glob", glob);
  if (isFailure(filter)) {
    return filter;
  }
  const cap = parseMaxCount(base, maxCount);
  return isFailure(cap) ? cap : { pattern: text, path: base, glob: filter, maxCount: cap };
}

/** The arguments of `glob`; `fallback` is the path searched when none is given. */
export function parseGlob(
  pattern: unknown,
  path: unknown,
  fallback = "/",
): { pattern: string; path: string } | Failure {
  const base = parseSearchPath("glob", path, fallback);
  if (typeof base !== "string") {
    return base;
  }
  const text = parseText("glob", base, "pattern", pattern);
  return typeof text === "string" ? { pattern: text, path: base } : text;
}

/** The cap of `grep`; `null` is no cap. */
function parseMaxCount(path: string, value: unknown): number | null | Failure {
  if (value === undefined || value === null || value === Number.POSITIVE_INFINITY) {
    return null;
  }
  if (typeof value !== "number") {
    return failure("grep", "invalid_argument", path, `maxCount must be a number, not ${typeName(value)}`);
  }
  if (Number.isNaN(value)) {
    return null;
  }
  return value < 0
    ? failure("grep", "invalid_argument", path, "maxCount must not be negative")
    : Math.min(Math.floor(value), ALL_LINES);
}

function lineCount(path: string, name: string, value: unknown, fallback: number): number | Failure {
  if (value === undefined || value === null) {
    return fallback;
  }
  if (typeof value !== "number") {
    return failure("read", "invalid_argument", path, `${name} must be a number, not ${typeName(value)}`);
  }
  return Number.isNaN(value) ? fallback : Math.min(Math.max(0, Math.floor(value)), ALL_LINES);
}

/**
 * Bytes in any of the forms JavaScript has for them, as a plain `Uint8Array`; `null` for anything else.
 * Shares the memory, except where that is shared between threads already: such bytes could change under a call.
 */
export function bytesOf(value: unknown): Uint8Array | null {
  try {
    if (ArrayBuffer.isView(value)) {
      const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
      return tagOf(value.buffer) === "SharedArrayBuffer" ? Uint8Array.from(bytes) : bytes;
    }
    return tagOf(value) === "ArrayBuffer" ? new Uint8Array(value as ArrayBuffer) : null;
  } catch {
    // A detached buffer or a revoked proxy.
    return null;
  }
}

/** The class of a built-in object, also of one from another realm. */
function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** What a value is, for a sentence. Never runs code of the value. */
export function typeName(value: unknown): string {
  return value === null ? "null" : typeof value;
}

export function loneSurrogate(name: string, at: number): string {
  return `${name} has a lone surrogate at position ${at} (half of a two-part character), which can not be stored as UTF-8`;
}
