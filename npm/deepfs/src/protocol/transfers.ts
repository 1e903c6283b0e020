/**
 * The arguments and answers of `uploadFiles` and `downloadFiles`: lists in which each item stands for itself.
 *
 * An item that is no good gets its own error and the others go on. An argument that is no list at all has no items to
 * answer for; its error is the one answer of the list.
 */

import { type DownloadParts, type Failure, isFailure, type Method, type TransferParts } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import { bytesOf, loneSurrogate, parsePath, typeName } from "./arguments.js";
import { failure } from "./failure.js";
import type { FileDownloadResponse, FileOperationError, FileUploadResponse } from "./results.js";
import { loneSurrogateAt } from "./well-formed.js";

/** More items than this are a mistake (a sparse array, a hostile `length`), not a transfer. */
const MAX_ITEMS = 1_000_000;

/** The part of an answer that uploads and downloads share. */
export type TransferAnswer = FileUploadResponse;

/** One item of a transfer: what to do, or why it cannot be done. */
export type TransferItem<T> = { path: string; value: T } | { path: string; failure: Failure };

/** The files of `uploadFiles`, item by item. */
export function parseUploads(files: unknown): TransferItem<Uint8Array>[] {
  return parseItems<Uint8Array>("uploadFiles", "files", files, (item) => {
    const pair = pairOf(item);
    if (pair === null) {
      const problem = `each file must be a pair of path and bytes, not ${typeName(item)}`;
      return { path: "", failure: failure("uploadFiles", "invalid_argument", "", problem) };
    }
    const [first, second] = pair;
    const path = parsePath("uploadFiles", first);
    if (typeof path !== "string") {
      return { path: typeof first === "string" ? first : "", failure: path };
    }
    const content = uploadContent(path, second);
    return isFailure(content) ? { path, failure: content } : { path, value: content };
  });
}

/** The paths of `downloadFiles`, item by item. */
export function parseDownloads(paths: unknown): TransferItem<string>[] {
  return parseItems<string>("downloadFiles", "paths", paths, (item) => {
    const path = parsePath("downloadFiles", item);
    return typeof path === "string"
      ? { path, value: path }
      : { path: typeof item === "string" ? item : "", failure: path };
  });
}

function parseItems<T>(
  method: Method,
  name: string,
  list: unknown,
  parse: (item: unknown) => TransferItem<T>,
): TransferItem<T>[] {
  const refuse = (problem: string): TransferItem<T>[] => [
    { path: "", failure: failure(method, "invalid_argument", "", problem) },
  ];
  try {
    if (!Array.isArray(list)) {
      return refuse(`${name} must be an array, not ${typeName(list)}`);
    }
    if (list.length > MAX_ITEMS) {
      return refuse(`${name} has ${list.length} items, the limit is ${MAX_ITEMS}`);
    }
    // `from` visits holes too: every index gets its answer.
    return Array.from(list as unknown[], parse);
  } catch {
    // A revoked proxy, or an array whose getters throw.
    return refuse(`${name} cannot be read`);
  }
}

function pairOf(item: unknown): readonly [unknown, unknown] | null {
  try {
    return Array.isArray(item) ? [item[0], item[1]] : null;
  } catch {
    return null;
  }
}

function uploadContent(path: string, value: unknown): Uint8Array | Failure {
  if (typeof value === "string") {
    const at = loneSurrogateAt(value);
    return at < 0
      ? new TextEncoder().encode(value)
      : failure("uploadFiles", "invalid_content", path, loneSurrogate("content", at));
  }
  const problem = `content must be a Uint8Array, not ${typeName(value)}`;
  return bytesOf(value) ?? failure("uploadFiles", "invalid_argument", path, problem);
}

/** The items that can be handled, as the core takes them. */
export function goodItems<T>(items: readonly TransferItem<T>[]): { paths: string[]; values: T[] } {
  const good = items.filter((item) => "value" in item);
  return { paths: good.map((item) => item.path), values: good.map((item) => item.value) };
}

/** The answers of an upload, in order. `parts` are those for the good items. */
export function uploadAnswers(
  items: readonly TransferItem<Uint8Array>[],
  parts: readonly TransferParts[],
): FileUploadResponse[] {
  return inPlace(items, parts, refused, answered);
}

/** The answers of a download, in order. `parts` are those for the good items. */
export function downloadAnswers(
  items: readonly TransferItem<string>[],
  parts: readonly DownloadParts[],
): FileDownloadResponse[] {
  return inPlace(
    items,
    parts,
    (path, problem) => ({ ...refused(path, problem), content: null }),
    (path, part) => {
      const content = part.content ?? null;
      // Most files can be read, and a copy of the answer takes longer than making it.
      return (part.error ?? null) === null ? { path, error: null, content } : { ...answered(path, part), content };
    },
  );
}

function inPlace<T, Parts, Answer>(
  items: readonly TransferItem<T>[],
  parts: readonly Parts[],
  refuse: (path: string, problem: Failure) => Answer,
  accept: (path: string, part: Parts) => Answer,
): Answer[] {
  let next = 0;
  return items.map((item) => {
    if ("failure" in item) {
      return refuse(item.path, item.failure);
    }
    const part = parts[next];
    next += 1;
    return part === undefined
      ? refuse(item.path, { error: "the core gave no answer", code: "internal" })
      : accept(item.path, part);
  });
}

/** The parts of an answer for a failure that was found before the core was asked. */
export function failedParts(problem: Failure): TransferParts {
  return { error: getBinding().rules.transferCode(problem.code), code: problem.code, message: problem.error };
}

/** The answer for an item that worked. */
export function transferred(path: string): TransferAnswer {
  return { path, error: null };
}

/** The answer for an item that failed: one of the protocol's four codes, with the finer code and the sentence. */
export function refused(path: string, problem: Failure): TransferAnswer {
  return answered(path, failedParts(problem));
}

/** The answer for an item, from its parts. */
export function answered(path: string, parts: TransferParts): TransferAnswer {
  // The addon leaves out what is null.
  const error = (parts.error ?? null) as FileOperationError | null;
  const answer: TransferAnswer = { path, error };
  if (error !== null && parts.code !== undefined) {
    answer.code = parts.code;
  }
  if (error !== null && parts.message !== undefined) {
    answer.message = parts.message;
  }
  return answer;
}
