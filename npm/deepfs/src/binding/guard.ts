/**
 * The last net under a build of the core. A panic that the addon caught, a trap of the WASM module, an argument that
 * the glue could not convert: they arrive as exceptions, and become the failures that the contract promises.
 */

import { isFailure } from "./contract.js";
import type {
  Binding,
  CancelHandle,
  DiskHandle,
  DiskParts,
  DownloadParts,
  ExecuteParts,
  Failure,
  MeaningParts,
  MemoryHandle,
  Method,
  RecordParts,
  RecordRules,
  ShellHandle,
  ShellParts,
  TransferParts,
} from "./contract.js";

/** The classes and functions that a build exports, before they are guarded. */
export interface Exports extends RecordRules {
  version(): string;
  Memory: new (meaning: MeaningParts) => MemoryHandle;
}

/** What the addon exports besides. */
export interface NativeExports extends Exports {
  Disk: new (parts: DiskParts) => DiskHandle;
  Shell: new (parts: ShellParts) => ShellHandle;
  Cancel: new () => CancelHandle;
}

export function guardMemory(rules: RecordRules, Base: Exports["Memory"]): Binding["Memory"] {
  const caught = catcher(rules);
  return class Memory extends Base {
    override ls(path: string) {
      return caught("ls", path, () => super.ls(path));
    }
    override read(path: string, offset: number, limit: number) {
      return caught("read", path, () => super.read(path, offset, limit));
    }
    override readRaw(path: string) {
      return caught("readRaw", path, () => super.readRaw(path));
    }
    override write(path: string, content: string | Uint8Array, now: string) {
      return caught("write", path, () => super.write(path, content, now));
    }
    override edit(path: string, oldString: string, newString: string, replaceAll: boolean, now: string) {
      return caught("edit", path, () => super.edit(path, oldString, newString, replaceAll, now));
    }
    override glob(pattern: string, path: string) {
      return caught("glob", path, () => super.glob(pattern, path));
    }
    override grep(pattern: string, path: string, glob: string | null, maxCount: number | null) {
      return caught("grep", path, () => super.grep(pattern, path, glob, maxCount));
    }
    override delete(path: string) {
      return caught("delete", path, () => super.delete(path));
    }
    override upload(paths: string[], contents: Uint8Array[], now: string) {
      return settle(
        () => super.upload(paths, contents, now),
        (error) => paths.map((path) => transferFailure(rules, "uploadFiles", path, error)),
      );
    }
    override download(paths: string[]) {
      return settle(
        () => super.download(paths),
        (error) => paths.map((path) => downloadFailure(rules, path, error)),
      );
    }
    override restore(records: RecordParts[]) {
      return caught("uploadFiles", "/", () => super.restore(records));
    }
  };
}

export function guardDisk(rules: RecordRules, Base: NativeExports["Disk"]): NativeExports["Disk"] {
  const caught = asyncCatcher(rules);
  return class Disk extends Base {
    override ls(path: string, cancel?: CancelHandle) {
      return caught("ls", path, () => super.ls(path, cancel));
    }
    override read(path: string, offset: number, limit: number, cancel?: CancelHandle) {
      return caught("read", path, () => super.read(path, offset, limit, cancel));
    }
    override readNow(path: string, offset: number, limit: number) {
      return settle(
        () => super.readNow(path, offset, limit),
        () => null,
      );
    }
    override readRaw(path: string, cancel?: CancelHandle) {
      return caught("readRaw", path, () => super.readRaw(path, cancel));
    }
    override write(path: string, content: string | Uint8Array) {
      return caught("write", path, () => super.write(path, content));
    }
    override edit(path: string, oldString: string, newString: string, replaceAll: boolean) {
      return caught("edit", path, () => super.edit(path, oldString, newString, replaceAll));
    }
    override glob(pattern: string, path: string, cancel?: CancelHandle) {
      return caught("glob", path, () => super.glob(pattern, path, cancel));
    }
    override grep(pattern: string, path: string, glob: string | null, maxCount: number | null, cancel?: CancelHandle) {
      return caught("grep", path, () => super.grep(pattern, path, glob, maxCount, cancel));
    }
    override delete(path: string, cancel?: CancelHandle) {
      return caught("delete", path, () => super.delete(path, cancel));
    }
    override upload(paths: string[], contents: Uint8Array[], cancel?: CancelHandle) {
      return settleLater(
        () => super.upload(paths, contents, cancel),
        (error) => paths.map((path) => transferFailure(rules, "uploadFiles", path, error)),
      );
    }
    override download(paths: string[], cancel?: CancelHandle) {
      return settleLater(
        () => super.download(paths, cancel),
        (error) => ({
          contents: paths.map(() => null),
          failures: paths.map((path) => transferFailure(rules, "downloadFiles", path, error)),
        }),
      );
    }
    override resolve(path: string) {
      return caught("read", path, () => super.resolve(path));
    }
  };
}

export function guardShell(rules: RecordRules, Base: NativeExports["Shell"]): NativeExports["Shell"] {
  const caught = asyncCatcher(rules);
  return class Shell extends Base {
    override execute(command: string, timeoutMs?: number, cancel?: CancelHandle) {
      return settleLater(
        () => super.execute(command, timeoutMs, cancel),
        (error): ExecuteParts => ({
          output: internal(rules, "execute", "", error).error,
          exitCode: 1,
          truncated: false,
        }),
      );
    }
    override close() {
      return caught("execute", "/", () => super.close());
    }
  };
}

/** The rules that answer with a {@link Failure} are guarded; the others take any well-formed text and cannot fail. */
export function guardRules(raw: RecordRules): RecordRules {
  const caught = catcher(raw);
  return {
    parsePath: (method, path) => caught(method, path, () => raw.parsePath(method, path)),
    failure: (method, code, path, detail) => withEmptyList(method, raw.failure(method, code, path, detail)),
    transferCode: (code) => raw.transferCode(code),
    mimeOf: (path) => raw.mimeOf(path),
    listKeys: (keys, dir) => raw.listKeys(keys, dir),
    filterKeys: (keys, base, glob) => caught("grep", base, () => raw.filterKeys(keys, base, glob)),
    globKeys: (keys, pattern, base, bareRecursive) =>
      caught("glob", base, () => raw.globKeys(keys, pattern, base, bareRecursive)),
    globOrder: (modified, dialect) => raw.globOrder(modified, dialect),
    grepTexts: (paths, contents, pattern, maxCount, lineChars) =>
      caught("grep", "/", () => raw.grepTexts(paths, contents, pattern, maxCount, lineChars)),
    planLines: (lineFeeds, hasOpenLine, offset, limit) => raw.planLines(lineFeeds, hasOpenLine, offset, limit) ?? null,
    readText: (path, content, offset, limit, dialect) =>
      caught("read", path, () => raw.readText(path, content, offset, limit, dialect)),
    readBytes: (path, content, offset, limit, dialect) =>
      caught("read", path, () => raw.readBytes(path, content, offset, limit, dialect)),
    editText: (path, content, oldString, newString, replaceAll) =>
      caught("edit", path, () => raw.editText(path, content, oldString, newString, replaceAll)),
    editBytes: (path, content, oldString, newString, replaceAll) =>
      caught("edit", path, () => raw.editBytes(path, content, oldString, newString, replaceAll)),
    storeContent: (path, content) => caught("write", path, () => raw.storeContent(path, content)),
    storeUpload: (path, content) => raw.storeUpload(path, content),
  };
}

/**
 * The failure of a listing or a search, with the empty list that callers of upstream read without looking at `error`; anything
 * else as it is.
 */
function withEmptyList<T>(method: Method, value: T): T {
  if (!isFailure(value)) {
    return value;
  }
  return hasList(method) ? { ...value, [method === "grep" ? "matches" : "files"]: [] } : value;
}

function hasList(method: Method): boolean {
  return method === "ls" || method === "glob" || method === "grep";
}

function catcher(rules: RecordRules) {
  return <T>(method: Method, path: string, call: () => T): T | Failure =>
    withEmptyList(
      method,
      settle<T | Failure>(call, (error) => internal(rules, method, path, error)),
    );
}

function asyncCatcher(rules: RecordRules) {
  return <T>(method: Method, path: string, call: () => Promise<T>): Promise<T | Failure> => {
    const settled = settleLater<T | Failure>(call, (error) => internal(rules, method, path, error));
    // A promise more for every call is time that shows beside a small read.
    return hasList(method) ? settled.then((value) => withEmptyList(method, value)) : settled;
  };
}

function settle<T>(call: () => T, otherwise: (error: unknown) => T): T {
  try {
    return call();
  } catch (error) {
    return otherwise(error);
  }
}

function settleLater<T>(call: () => Promise<T>, otherwise: (error: unknown) => T): Promise<T> {
  try {
    return call().catch(otherwise);
  } catch (error) {
    return Promise.resolve(otherwise(error));
  }
}

function internal(rules: RecordRules, method: Method, path: string, error: unknown): Failure {
  const detail = error instanceof Error ? error.message : String(error);
  return rules.failure(method, "internal", path, detail);
}

function transferFailure(rules: RecordRules, method: Method, path: string, error: unknown): TransferParts {
  const failure = internal(rules, method, path, error);
  return { error: rules.transferCode(failure.code), code: failure.code, message: failure.error };
}

function downloadFailure(rules: RecordRules, path: string, error: unknown): DownloadParts {
  return { ...transferFailure(rules, "downloadFiles", path, error), content: null };
}
