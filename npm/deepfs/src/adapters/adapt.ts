/**
 * Any backend, of either version, as one of the current version.
 *
 * The adapted backend never answers with `undefined` and does not throw: what the backend threw becomes an error
 * result. Two things pass through: LangGraph's interrupts, and errors of `execute`, whose answer has no place for one.
 */

import { type Failure, isFailure, type Method } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import type {
  AnyBackendProtocol,
  AnySandboxProtocol,
  BackendFactory,
  BackendProtocolV2,
  SandboxBackendProtocolV2,
} from "../protocol/backend.js";
import { warnDeprecated } from "../protocol/deprecated.js";
import { failure, thrown } from "../protocol/failure.js";
import { applyGrepMaxCount } from "../protocol/grep-cap.js";
import { isSandboxProtocol } from "../protocol/guards.js";
import type {
  DeleteResult,
  EditResult,
  FileDownloadResponse,
  FileUploadResponse,
  GlobResult,
  GrepResult,
  LsResult,
  ReadRawResult,
  ReadResult,
  WriteResult,
} from "../protocol/results.js";
import type { BackendRuntime, ToolRun } from "../protocol/runtime.js";
import { refused } from "../protocol/transfers.js";
import { asV2, openRecord } from "./file-data.js";

/** A backend of the current version in front of one of either version. */
export function adaptBackendProtocol(backend: AnyBackendProtocol): BackendProtocolV2 {
  const adapted: BackendProtocolV2 = {
    async ls(...args): Promise<LsResult> {
      return rows<LsResult>(await answerOf(backend, "ls", ["ls", "lsInfo"], args, args[0]), "files", { files: [] });
    },
    async read(...args): Promise<ReadResult> {
      const answer = await answerOf(backend, "read", ["read"], args, args[0]);
      if (typeof answer === "string") {
        return { content: answer };
      }
      return object<ReadResult>(answer) ?? failure("read", "file_not_found", textOf(args[0]));
    },
    async readRaw(...args): Promise<ReadRawResult> {
      return rawResult(textOf(args[0]), await answerOf(backend, "readRaw", ["readRaw"], args, args[0]));
    },
    async glob(...args): Promise<GlobResult> {
      const answer = await answerOf(backend, "glob", ["glob", "globInfo"], args, args[1] ?? "/");
      return rows<GlobResult>(answer, "files", { files: [] });
    },
    async grep(...args): Promise<GrepResult> {
      const answer = await answerOf(backend, "grep", ["grep", "grepRaw"], args, args[1] ?? "/");
      return applyGrepMaxCount({ result: rows<GrepResult>(answer, "matches", { matches: [] }), maxCount: args[3] });
    },
    async write(...args): Promise<WriteResult> {
      const answer = await answerOf(backend, "write", ["write"], args, args[0]);
      return object<WriteResult>(answer) ?? noAnswer("write", args[0]);
    },
    async edit(...args): Promise<EditResult> {
      const answer = await answerOf(backend, "edit", ["edit"], args, args[0]);
      return object<EditResult>(answer) ?? noAnswer("edit", args[0]);
    },
  };
  addOptionalMethods(adapted, backend);
  const { routePrefixes } = backend as { routePrefixes?: unknown };
  if (Array.isArray(routePrefixes)) {
    // How an agent finds out that this is a composite.
    Object.defineProperty(adapted, "routePrefixes", { value: routePrefixes, enumerable: true, configurable: true });
  }
  return adapted;
}

/** A method that the backend lacks stays absent: an agent asks whether it is there. */
function addOptionalMethods(adapted: BackendProtocolV2, backend: AnyBackendProtocol): void {
  if (typeof backend.delete === "function") {
    adapted.delete = async (...args): Promise<DeleteResult> => {
      const answer = await answerOf(backend, "delete", ["delete"], args, args[0]);
      return object<DeleteResult>(answer) ?? noAnswer("delete", args[0]);
    };
  }
  if (typeof backend.uploadFiles === "function") {
    adapted.uploadFiles = async (...args): Promise<FileUploadResponse[]> => {
      const answer = await answerOf(backend, "uploadFiles", ["uploadFiles"], args, "");
      return Array.isArray(answer) ? answer : refuseAll("uploadFiles", args[0], (item) => item?.[0], answer);
    };
  }
  if (typeof backend.downloadFiles === "function") {
    adapted.downloadFiles = async (...args): Promise<FileDownloadResponse[]> => {
      const answer = await answerOf(backend, "downloadFiles", ["downloadFiles"], args, "");
      return Array.isArray(answer)
        ? answer
        : refuseAll("downloadFiles", args[0], (item) => item, answer).map((row) => ({ ...row, content: null }));
    };
  }
}

/** A sandbox of the current version in front of one of either version. */
export function adaptSandboxProtocol(sandbox: AnySandboxProtocol): SandboxBackendProtocolV2 {
  const adapted = adaptBackendProtocol(sandbox) as SandboxBackendProtocolV2;
  // All arguments: a backend may take options that the protocol does not name.
  adapted.execute = (...args) => sandbox.execute(...args);
  // Read at each use: some sandboxes get their id when they start.
  Object.defineProperty(adapted, "id", { get: () => sandbox.id, enumerable: true, configurable: true });
  return adapted;
}

/** A backend, or the one that a (deprecated) factory makes for this run, in the current version. */
export async function resolveBackend(
  backend: AnyBackendProtocol | BackendFactory,
  runtime: BackendRuntime | ToolRun,
): Promise<BackendProtocolV2> {
  const resolved = await madeFor(backend, runtime);
  return isSandboxProtocol(resolved) ? adaptSandboxProtocol(resolved) : adaptBackendProtocol(resolved);
}

/** The backend itself, or what a factory makes for this run, as it is. */
export async function madeFor(
  backend: AnyBackendProtocol | BackendFactory,
  runtime: BackendRuntime | ToolRun,
): Promise<AnyBackendProtocol> {
  if (typeof backend !== "function") {
    return backend;
  }
  warnDeprecated("a function that makes a backend", "pass the backend itself: it finds the run that it is part of");
  return backend(runtime as BackendRuntime);
}

/**
 * What the first of the named methods that the backend has answers, or the failure for what it threw.
 *
 * Methods are looked up and called on the backend at each call: subclasses, proxies and later changes all count.
 */
async function answerOf(
  backend: object,
  method: Method,
  names: readonly string[],
  args: readonly unknown[],
  path: unknown,
): Promise<unknown> {
  try {
    for (const name of names) {
      const candidate = (backend as Record<string, unknown>)[name];
      if (typeof candidate === "function") {
        return await Reflect.apply(candidate, backend, args);
      }
    }
    return failure(method, "unsupported", textOf(path));
  } catch (error) {
    return thrown(method, textOf(path), error);
  }
}

/** A list becomes the result's field, a text its error, and no answer at all the empty result. */
function rows<T extends object>(answer: unknown, field: "files" | "matches", empty: T): T {
  if (Array.isArray(answer)) {
    return { [field]: answer } as T;
  }
  if (typeof answer === "string") {
    return { error: answer } as T;
  }
  return object<T>(answer) ?? empty;
}

function rawResult(path: string, answer: unknown): ReadRawResult {
  const result = object<ReadRawResult>(answer);
  if (result === null) {
    return failure("readRaw", "file_not_found", path);
  }
  if ("data" in result || "error" in result) {
    return result;
  }
  const file = openRecord(result);
  return file === null
    ? failure("readRaw", "unavailable", path, "the backend's answer is not a file")
    : { data: asV2(file, getBinding().rules.mimeOf(path).mimeType) };
}

function object<T extends object>(answer: unknown): T | null {
  return typeof answer === "object" && answer !== null ? (answer as T) : null;
}

function noAnswer(method: Method, path: unknown): Failure {
  return failure(method, "unavailable", textOf(path), "the backend did not say whether it worked");
}

/** The same failure for each item of a transfer that failed as a whole. */
function refuseAll<T>(
  method: Method,
  items: readonly T[],
  pathOf: (item: T) => unknown,
  answer: unknown,
): FileUploadResponse[] {
  return (Array.isArray(items) ? items : []).map((item) => {
    const path = textOf(pathOf(item));
    return refused(path, isFailure(answer) ? answer : noAnswer(method, path));
  });
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
