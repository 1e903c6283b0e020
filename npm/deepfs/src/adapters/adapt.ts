/**
 * Any backend, of either version, as one of the current version.
 *
 * The adapted backend never answers with `undefined` and does not throw: what the backend threw becomes an error
 * result. Two things pass through: LangGraph's interrupts, and errors of `execute`, whose answer has no place for one.
 */

import type { Failure, Method } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import type {
  AnyBackendProtocol,
  AnySandboxProtocol,
  BackendFactory,
  BackendProtocolV2,
  SandboxBackendProtocolV2,
} from "../protocol/backend.js";
import { warnDeprecated } from "../protocol/deprecated.js";
import { failure, isControlFlow, thrown } from "../protocol/failure.js";
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
    adapted.uploadFiles = (...args): Promise<FileUploadResponse[]> =>
      transferAnswers<FileUploadResponse>(backend, "uploadFiles", args, {
        pathOf: (item) => (item as readonly unknown[] | null | undefined)?.[0],
        isAnswer: () => true,
        refuse: (refusal) => refusal,
      });
  }
  if (typeof backend.downloadFiles === "function") {
    adapted.downloadFiles = (...args): Promise<FileDownloadResponse[]> =>
      transferAnswers<FileDownloadResponse>(backend, "downloadFiles", args, {
        pathOf: (item) => item,
        isAnswer: ({ content, error }) => (content ?? error ?? null) !== null,
        refuse: (refusal) => ({ ...refusal, content: null }),
      });
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

/**
 * A list becomes the result's field, a text its error, and no answer at all the empty result. What is no row is left out.
 */
function rows<T extends object>(answer: unknown, field: "files" | "matches", empty: T): T {
  if (typeof answer === "string") {
    return { error: answer } as T;
  }
  const result = Array.isArray(answer) ? { [field]: answer as unknown } : object<Record<string, unknown>>(answer);
  const list = result?.[field];
  if (list === undefined || (Array.isArray(list) && list.every(isRow))) {
    return (result as T | null) ?? empty;
  }
  return { ...result, [field]: Array.isArray(list) ? list.filter(isRow) : [] } as T;
}

function isRow(row: unknown): boolean {
  return typeof (row as { path?: unknown } | null | undefined)?.path === "string";
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
  return typeof answer === "object" && answer !== null && !Array.isArray(answer) ? (answer as T) : null;
}

function noAnswer(method: Method, path: unknown): Failure {
  return failure(method, "unavailable", textOf(path), "the backend did not say whether it worked");
}

interface Transfer<Answer> {
  pathOf(item: unknown): unknown;
  /** Whether an object says what became of its item. */
  isAnswer(answer: Partial<Answer>): boolean;
  refuse(refusal: FileUploadResponse): Answer;
}

/** One answer per item, whatever the backend said or threw. */
async function transferAnswers<Answer extends object>(
  backend: object,
  method: "uploadFiles" | "downloadFiles",
  args: readonly unknown[],
  { pathOf, isAnswer, refuse }: Transfer<Answer>,
): Promise<Answer[]> {
  const [items] = args;
  const paths = Array.isArray(items) ? items.map((item: unknown) => textOf(pathOf(item))) : [];
  let problem = (path: string): Failure => noAnswer(method, path);
  let answers: unknown;
  try {
    answers = await Reflect.apply((backend as Record<string, () => unknown>)[method] as () => unknown, backend, args);
  } catch (error) {
    if (isControlFlow(error)) {
      throw error;
    }
    problem = (path) => thrown(method, path, error);
  }
  if (!Array.isArray(answers)) {
    return paths.map((path) => refuse(refused(path, problem(path))));
  }
  const told = (answer: unknown): answer is Answer => {
    const row = object<Answer>(answer);
    return row !== null && isAnswer(row);
  };
  // The list itself where it is sound: it may carry more than its items.
  return answers.every(told)
    ? answers
    : answers.map((answer: unknown, at) => {
        const path = paths[at] ?? "";
        return told(answer) ? answer : refuse(refused(path, problem(path)));
      });
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
