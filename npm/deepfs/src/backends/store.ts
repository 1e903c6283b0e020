/** `StoreBackend`: files in a LangGraph store, which outlive threads. */

import { fault, failureOf } from "../adapters/fault.js";
import { indexRecords } from "../adapters/file-index.js";
import { isAtOrBelow } from "../adapters/key-path.js";
import { globTable, listTable } from "../adapters/listing.js";
import * as records from "../adapters/record-files.js";
import type { PathPair } from "../adapters/record-files.js";
import { grepRecords } from "../adapters/record-search.js";
import { type Failure, isFailure, type Method } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import { joinKeys } from "../binding/keys.js";
import { editOutcome } from "../binding/results.js";
import {
  type EditOptions,
  parseContent,
  parseEdit,
  parseGlob,
  parseGrep,
  parsePath,
  parseWindow,
  type ReadWindow,
} from "../protocol/arguments.js";
import { warnDeprecated } from "../protocol/notices.js";
import { failure } from "../protocol/failure.js";
import type {
  BackendProtocolV2,
  DeleteResult,
  EditResult,
  FileDownloadResponse,
  FileUploadResponse,
  GlobResult,
  GraphStore,
  GrepResult,
  LsResult,
  ReadRawResult,
  ReadResult,
  StateAndStore,
  StoreItem,
  WriteResult,
} from "../protocol/types.js";
import { parseDownloads, refused } from "../protocol/transfers.js";
import { type StateBackendOptions, stateSettings, type StateSettings } from "./state-options.js";
import { putFile, removeFiles } from "./store/files.js";
import { getItem, getItems, type Place, scan, unwrapped } from "./store/items.js";
import { holding, type LockScope } from "./store/lock.js";
import { fetchFile, fetchTarget, locate, nothingAt } from "./store/lookup.js";
import { checkedNamespace, namespaceOf, type StoreBackendNamespaceFactory } from "./store/namespace.js";
import { survey, type Survey, tableOf } from "./store/path-index.js";
import { type Run, runOf } from "./store/run.js";
import { uploadAll } from "./store/upload.js";

export type { StoreBackendContext, StoreBackendNamespaceFactory } from "./store/namespace.js";

/** Options of {@link StoreBackend}. */
export interface StoreBackendOptions<StateT = unknown> extends Omit<StateBackendOptions, "files"> {
  /** The store; without one, that of the running graph. */
  store?: GraphStore;
  /**
   * Where the files are: labels, or a function of the run that gives them. By default the assistant's id and
   * `"filesystem"`, or `"filesystem"` alone where no assistant is known.
   */
  namespace?: string[] | StoreBackendNamespaceFactory<StateT>;
  /** Spell labels with letters, digits and `-` only, reversibly, for stores that refuse others (default false). */
  encodeNamespace?: boolean;
  /**
   * Where changes of one file wait for each other: among all processes that use the store (default), or in this one
   * only, which saves three small requests per change. An `InMemoryStore` is always of one process.
   */
  locking?: LockScope;
}

/**
 * Files in a LangGraph store: they outlive threads, and belong to whom the namespace says.
 *
 * No method throws or rejects for what happens during an operation: a failure is a result with `error`.
 *
 * @example
 * ```ts
 * const memories = new StoreBackend({ namespace: (rt) => ["memories", rt.serverInfo.user.identity] });
 * ```
 */
export class StoreBackend implements BackendProtocolV2 {
  // Plain properties: a proxy in front of a backend, or an object that inherits from one, still finds them.
  private readonly runtime: Record<string, unknown> | undefined;
  private readonly options: StoreBackendOptions;
  private readonly settings: StateSettings;
  private readonly labels: string[] | StoreBackendNamespaceFactory | undefined;

  /** @throws For a namespace, or another option, that cannot be. */
  constructor(options?: StoreBackendOptions);
  /** @deprecated Pass the options only: the backend finds the run that it is part of. */
  constructor(stateAndStore: StateAndStore, options?: StoreBackendOptions);
  constructor(first?: StateAndStore | StoreBackendOptions, second?: StoreBackendOptions) {
    const isRuntime = typeof first === "object" && first !== null && "state" in first;
    this.runtime = isRuntime ? (first as unknown as Record<string, unknown>) : undefined;
    this.options = (isRuntime ? second : (first as StoreBackendOptions | undefined)) ?? {};
    this.settings = stateSettings(this.options);
    const { namespace, encodeNamespace } = this.options;
    this.labels =
      typeof namespace === "function" ? namespace : namespace && checkedNamespace(namespace, encodeNamespace === true);
    if (isRuntime) {
      warnDeprecated(
        "StoreBackend(runtime)",
        "pass `new StoreBackend({ namespace })` as the backend, without a runtime",
      );
    }
  }

  /** What is directly in a folder. */
  ls(path: string): Promise<LsResult> {
    return this.run("ls", parsePath("ls", path), async (place, at) => {
      const { rows } = await survey(place, this.scope(place));
      return records.strictly(listTable(tableOf(rows), at.path, this.settings.limits), at, this.settings, () =>
        rows.has(at.path),
      );
    });
  }

  /** Lines of a text (`offset` from 0; 500 by default), or a binary file whole. */
  read(filePath: string, offset?: number | ReadWindow, limit?: number): Promise<ReadResult> {
    return this.run("read", parsePath("read", filePath), async (place, at) => {
      const lines = parseWindow(at.shown, offset, limit);
      if (isFailure(lines)) return lines;
      return records.read(await fetchFile(place, at.path), at, lines, this.settings);
    });
  }

  /** A whole file with its times. */
  readRaw(filePath: string): Promise<ReadRawResult> {
    return this.run("readRaw", parsePath("readRaw", filePath), async (place, at) => {
      return records.readRaw(await fetchFile(place, at.path), at, this.settings);
    });
  }

  /** Creates or replaces a file. */
  write(filePath: string, content: string | Uint8Array): Promise<WriteResult> {
    return this.run("write", parsePath("write", filePath), async (place, at) => {
      const data = parseContent("write", at.shown, content);
      if (isFailure(data)) return data;
      if (at.path === "/") return failure("write", "is_directory", at.shown);
      return holding(place, { paths: [at.path] }, this.scope(place), async (hold): Promise<WriteResult> => {
        const file = await fetchTarget(place, at.path);
        const stored = records.write(file, at, data, this.settings, now());
        if (isFailure(stored)) return stored;
        await putFile(place, { path: at.path, record: stored.record, previous: file.item }, hold);
        return { path: at.shown, filesUpdate: null };
      });
    });
  }

  /** Replaces the one occurrence of a text, or every one. */
  edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll?: boolean | EditOptions,
  ): Promise<EditResult> {
    const asked = parseEdit(filePath, oldString, newString, replaceAll);
    if (isFailure(asked)) return Promise.resolve(asked);
    return this.run("edit", asked.path, async (place, at) =>
      holding(place, { paths: [at.path] }, this.scope(place), async (hold): Promise<EditResult> => {
        const file = await fetchFile(place, at.path);
        const edited = records.edit(file, at, asked, this.settings, now());
        if (isFailure(edited)) return edited;
        const { record, occurrences, filled } = edited;
        await putFile(place, { path: at.path, record, previous: file.item }, hold);
        return { path: at.shown, filesUpdate: null, ...editOutcome({ occurrences, filled }) };
      }),
    );
  }

  /** Lines that hold a text literally. */
  grep(pattern: string, path?: string | null, glob?: string | null, maxCount?: number | null): Promise<GrepResult> {
    const asked = parseGrep(pattern, path, glob, maxCount);
    if (isFailure(asked)) return Promise.resolve(asked);
    return this.run("grep", asked.path, async (place, at): Promise<GrepResult> => {
      const seen = await survey(place, this.scope(place));
      const paths = searched([...seen.rows.keys()], at.path, asked.glob);
      if (isFailure(paths)) return paths;
      const items = await itemsToSearch(place, seen, paths);
      const found = paths.filter((key) => items.has(key));
      const values = found.map((key) => items.get(key)?.value as never);
      return grepRecords(indexRecords(found, values), asked, at.path, this.settings.lineChars, this.settings.limits);
    });
  }

  /** Files whose path below `path` matches a pattern, the latest changed first. */
  glob(pattern: string, path?: string): Promise<GlobResult> {
    const asked = parseGlob(pattern, path);
    if (isFailure(asked)) return Promise.resolve(asked);
    return this.run("glob", asked.path, async (place, at) => {
      const { rows } = await survey(place, this.scope(place));
      return globTable(
        tableOf(rows),
        asked.pattern,
        at.path,
        "store",
        this.settings.bareRecursive,
        this.settings.limits,
      );
    });
  }

  /** Removes a file, or a folder with all it holds. */
  delete(filePath: string): Promise<DeleteResult> {
    return this.run("delete", parsePath("delete", filePath), async (place, at) => {
      if (at.path === "/") return failure("delete", "root_refused", at.shown);
      return holding(place, { paths: [], below: at.path }, this.scope(place), async (hold): Promise<DeleteResult> => {
        const { rows, items } = await survey(place, null);
        const gone = [...rows.keys()].filter((key) => isAtOrBelow(key, at.path));
        // What is no file is not listed, but can be removed by its name.
        if (!rows.has(at.path) && (await getItem(place, at.path)) !== null) gone.push(at.path);
        if (gone.length === 0) {
          return failure("delete", records.absence(nothingAt(rows.keys(), at.path), at.path), at.shown);
        }
        await removeFiles(place, gone, items === null || hasMarks(items, gone), hold);
        return { path: at.shown, filesUpdate: null };
      });
    });
  }

  /** Stores files; one answer per file, in order. */
  async uploadFiles(files: Array<[string, Uint8Array]>): Promise<FileUploadResponse[]> {
    return uploadAll(files, this.settings, now(), (work) =>
      this.run("uploadFiles", "/", (place) => work(place, this.scope(place))),
    );
  }

  /** Fetches files; one answer per path, in order. */
  downloadFiles(paths: string[]): Promise<FileDownloadResponse[]> {
    const answers = parseDownloads(paths).map(async (item): Promise<FileDownloadResponse> => {
      if ("failure" in item) return { ...refused(item.path, item.failure), content: null };
      const found = await this.run("downloadFiles", item.path, async (place, at) => {
        const bytes = records.download(await fetchFile(place, at.path), at);
        return isFailure(bytes) ? bytes : { bytes };
      });
      return isFailure(found)
        ? { ...refused(item.path, found), content: null }
        : { path: item.path, error: null, content: found.bytes };
    });
    return Promise.all(answers);
  }

  /** The namespace of the files, for the run that is going on. */
  protected getNamespace(): string[] {
    return namespaceOf(this.currentRun(), this.labels, this.options.encodeNamespace === true);
  }

  /** Runs one method on the store and namespace of the run; whatever is thrown becomes its result. */
  private async run<T>(
    method: Method,
    path: string | Failure,
    work: (place: Place, at: PathPair) => Promise<T | Failure>,
  ): Promise<T | Failure> {
    if (isFailure(path)) return path;
    try {
      const parsed = getBinding().rules.parsePath(method, path);
      if (isFailure(parsed)) return parsed;
      const place = this.place();
      return await work(place, { shown: path, path: await locate(place, parsed.path) });
    } catch (thrown) {
      return failureOf(method, path, thrown);
    }
  }

  /** The store is looked for in the runtime, in the options, and in the graph that runs. */
  private place(): Place {
    const ofRun = this.currentRun().store;
    const store = this.runtime === undefined ? (this.options.store ?? ofRun) : (ofRun ?? this.options.store);
    if (store === undefined) {
      throw fault(
        "unavailable",
        "there is no store: give the option store, or run in a graph that was compiled with one",
      );
    }
    return { store: unwrapped(store), namespace: this.getNamespace() };
  }

  private currentRun(): Run {
    return runOf(this.runtime);
  }

  private scope({ store }: Place): LockScope {
    const isOfThisProcess = /^(InMemory|Memory)Store$/.test(store.constructor.name);
    return isOfThisProcess || typeof store.search !== "function" ? "process" : (this.options.locking ?? "store");
  }
}

function now(): string {
  return new Date().toISOString();
}

/** The paths that a grep looks into. */
function searched(paths: string[], base: string, glob: string | null): string[] | Failure {
  const found = getBinding().rules.filterKeys(joinKeys(paths), base, glob);
  return isFailure(found) ? found : Array.from(found, (index) => paths[index] ?? "");
}

/** The items to search: those already read, else the wanted ones alone where that moves less than everything. */
async function itemsToSearch(place: Place, seen: Survey, paths: string[]): Promise<ReadonlyMap<string, StoreItem>> {
  if (seen.items !== null) return seen.items;
  const bytesOf = (some: Iterable<string>): number => {
    let bytes = 0;
    for (const path of some) bytes += seen.rows.get(path)?.sizeBytes ?? 0;
    return bytes;
  };
  if (bytesOf(paths) > bytesOf(seen.rows.keys()) / 2) return scan(place);
  const items = await getItems(place, paths);
  return new Map(paths.flatMap((path, index) => (items[index] ? [[path, items[index]] as const] : [])));
}

/** Whether any of the files has a row in the index. */
function hasMarks(items: ReadonlyMap<string, StoreItem>, paths: readonly string[]): boolean {
  return paths.some((path) => Object.keys(items.get(path)?.value ?? {}).some((field) => field.startsWith("deepfs:")));
}
