/** The methods of a backend behind a policy. */

import { type Failure, isFailure, type Method } from "../binding/contract.js";
import * as args from "../protocol/arguments.js";
import { failure } from "../protocol/failure.js";
import { parseDownloads, parseUploads, refused, type TransferItem } from "../protocol/transfers.js";
import type {
  BackendProtocolV2,
  Coded,
  ExecuteResponse,
  FileDownloadResponse,
  FileUploadResponse,
  MaybePromise,
} from "../protocol/types.js";
import { normalPath } from "./normal-path.js";
import type { PolicyCall } from "./policy.js";
import type { Ending, PolicyGate } from "./policy-gate.js";
import { type Wrapped, wrapBackend, type WrapperMethods } from "./wrapper.js";

/** Exit code of a command that was not run, as shells have it for a file that may not be executed. */
const NOT_EXECUTED = 126;

interface AnyResult extends Coded {
  error?: string;
}

/** Puts the gate in front of `guarded`; commands go to the wrapped backend itself. */
export function policyMethods(wrapped: Wrapped, guarded: BackendProtocolV2, gate: PolicyGate): BackendProtocolV2 {
  /** One call about one path. The backend gets the path normalised. */
  const single = async <Result extends AnyResult>(
    method: Method,
    value: unknown,
    perform: (path: string) => MaybePromise<Result | Failure>,
    facts: Partial<PolicyCall> = {},
  ): Promise<Result | Failure> => {
    const path = normalPath(method, value);
    return gate.run<Result | Failure>(
      { method, paths: isFailure(path) ? [] : [path], ...facts },
      async () => (isFailure(path) ? path : perform(path)),
      (problem) => problem,
      (result) => result,
    );
  };

  const methods: WrapperMethods = {
    ls: (value) => single("ls", value, (path) => guarded.ls(path)),
    read: (value, ...window) =>
      single("read", value, async (path) => {
        const result = await guarded.read(path, ...window);
        return gate.sizeProblem("read", "read", path, result.content) ?? result;
      }),
    readRaw: (value) =>
      single("readRaw", value, async (path) => {
        const result = await guarded.readRaw(path);
        const content = result.data?.content;
        return (
          gate.sizeProblem("read", "readRaw", path, Array.isArray(content) ? content.join("\n") : content) ?? result
        );
      }),
    write: (value, content) =>
      single("write", value, async (path) => {
        const parsed = args.parseContent("write", path, content);
        if (isFailure(parsed)) return parsed;
        return (await gate.inspect({ method: "write", path, content: parsed })) ?? guarded.write(path, content);
      }),
    edit: (value, oldString, newString, replaceAll) =>
      single("edit", value, async (path) => {
        const edit = args.parseEdit(path, oldString, newString, replaceAll);
        if (isFailure(edit)) return edit;
        const problem = await gate.inspect({ method: "edit", path, content: edit.newString });
        return problem ?? guarded.edit(path, edit.oldString, edit.newString, edit.replaceAll);
      }),
    delete: (value) =>
      single("delete", value, async (path) => (await guarded.delete?.(path)) ?? failure("delete", "unsupported", path)),
    glob: (pattern, base) =>
      single("glob", base ?? "/", (path) => guarded.glob(pattern, base === undefined ? base : path), { pattern }),
    grep: (pattern, base, glob, maxCount) =>
      single("grep", base ?? "/", (path) => guarded.grep(pattern, base ? path : base, glob, maxCount), { pattern }),
    uploadFiles: (files) => upload(guarded, gate, files),
    downloadFiles: (paths) => download(guarded, gate, paths),
    execute: (command, ...rest) =>
      gate.run<ExecuteResponse>(
        { method: "execute", paths: [], command },
        async () => (await wrapped.execute?.(command, ...rest)) ?? { output: "", exitCode: null, truncated: false },
        (problem) => ({ output: problem.error, exitCode: NOT_EXECUTED, truncated: false }),
        (result) => (result.exitCode === 0 ? {} : { error: `exit code ${result.exitCode}` }),
      ),
  };
  return wrapBackend(wrapped, methods);
}

async function upload(guarded: BackendProtocolV2, gate: PolicyGate, files: unknown): Promise<FileUploadResponse[]> {
  const items = parseUploads(files).map((item) => placed("uploadFiles", item));
  const inspect = async (item: Placed<Uint8Array>): Promise<Placed<Uint8Array>> => {
    if ("failure" in item) return item;
    const problem = await gate.inspect({ method: "uploadFiles", path: item.path, content: item.value });
    return problem === undefined ? item : { asked: item.asked, path: item.path, failure: problem };
  };
  const perform = async (): Promise<FileUploadResponse[]> => {
    const checked = await Promise.all(items.map(inspect));
    const sent = checked.flatMap((item) =>
      "failure" in item ? [] : [[item.path, item.value] as [string, Uint8Array]],
    );
    const answers = sent.length === 0 ? [] : ((await guarded.uploadFiles?.(sent)) ?? []);
    return inOrder("uploadFiles", checked, answers, (answer) => answer);
  };
  return gate.run(
    { method: "uploadFiles", paths: items.map(({ path }) => path) },
    perform,
    (problem) => items.map(({ asked }) => refused(asked, problem)),
    firstProblem,
  );
}

async function download(guarded: BackendProtocolV2, gate: PolicyGate, paths: unknown): Promise<FileDownloadResponse[]> {
  const items = parseDownloads(paths).map((item) => placed("downloadFiles", item));
  const empty = (answer: FileUploadResponse): FileDownloadResponse => ({ ...answer, content: null });
  const perform = async (): Promise<FileDownloadResponse[]> => {
    const sent = items.flatMap((item) => ("failure" in item ? [] : [item.path]));
    const answers = sent.length === 0 ? [] : ((await guarded.downloadFiles?.(sent)) ?? []);
    return inOrder("downloadFiles", items, answers, empty).map((answer) => {
      const problem = gate.sizeProblem("read", "downloadFiles", answer.path, answer.content);
      return problem === undefined ? answer : empty(refused(answer.path, problem));
    });
  };
  return gate.run(
    { method: "downloadFiles", paths: items.map(({ path }) => path) },
    perform,
    (problem) => items.map(({ asked }) => empty(refused(asked, problem))),
    firstProblem,
  );
}

/** An item of a transfer with its path normalised, and as it was asked for. */
type Placed<Value> = TransferItem<Value> & { asked: string };

function placed<Value>(method: Method, item: TransferItem<Value>): Placed<Value> {
  const asked = item.path;
  if ("failure" in item) return { ...item, asked };
  const path = normalPath(method, asked);
  return isFailure(path) ? { path: asked, asked, failure: path } : { path, asked, value: item.value };
}

/** One answer per item: the item's own failure, or the next answer of the backend. */
function inOrder<Value, Answer extends FileUploadResponse>(
  method: Method,
  items: readonly Placed<Value>[],
  answers: readonly Answer[],
  failed: (answer: FileUploadResponse) => Answer,
): Answer[] {
  let at = 0;
  const all: Answer[] & { filesUpdate?: unknown } = items.map((item) => {
    if ("failure" in item) return failed(refused(item.asked, item.failure));
    const answer = answers[at++] ?? failed(refused(item.asked, failure(method, "unavailable", item.asked)));
    return { ...answer, path: item.asked };
  });
  const { filesUpdate } = answers as { filesUpdate?: unknown };
  if (filesUpdate !== undefined) all.filesUpdate = filesUpdate;
  return all;
}

function firstProblem(answers: readonly FileUploadResponse[]): Ending {
  const failed = answers.find((answer) => answer.error !== null);
  if (failed === undefined) return {};
  return { error: failed.message ?? String(failed.error), ...(failed.code === undefined ? {} : { code: failed.code }) };
}
