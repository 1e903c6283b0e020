/** `StoreBackend`: files in a LangGraph store, which outlive threads. */

import { fault, failureOf } from "../adapters/fault.js";
import { openRecord } from "../adapters/file-data.js";
import {
  bytesOfFile,
  contentBytes,
  editFile,
  type FileTable,
  globTable,
  grepFiles,
  isFolder,
  listTable,
  mimeTypeOf,
  parseFilePath,
  readFile,
  readRawFile,
  searchedPaths,
} from "../adapters/records.js";
import { type Failure, isFailure, type LimitParts, type Method } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import { editOutcome } from "../binding/results.js";
import {
  type EditArguments,
  parseContent,
  parseEdit,
  parseGlob,
  parseGrep,
  parsePath,
  parseSearchPath,
  parseWindow,
  type EditOptions,
  type ReadWindow,
} from "../protocol/arguments.js";
import { warnDeprecated } from "../protocol/deprecated.js";
import { failure } from "../protocol/failure.js";
import { parseDownloads, parseUploads, refused, transferred } from "../protocol/transfers.js";
import type {
  BackendOptions,
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
import { fileOf, putFile, putManyFiles, removeFiles } from "./store/files.js";
import { forgetFolder, maybeFolder, throughFile } from "./store/folders.js";
import { getItem, getItems, scan, unwrapped, type Place } from "./store/items.js";
import { holding, type LockScope } from "./store/lock.js";
import { checkedNamespace, namespaceOf, type StoreBackendNamespaceFactory } from "./store/namespace.js";
import { type Row, survey, type Survey } from "./store/path-index.js";
import { type Run, runOf } from "./store/run.js";

export type { StoreBackendContext, StoreBackendNamespaceFactory } from "./store/namespace.js";

/** Options of {@link StoreBackend}. */
export interface StoreBackendOptions<StateT = unknown> extends BackendOptions {
  /** The store; without one, that of the running graph. */
  store?: GraphStore;
  /** Where the files are: labels, or a function of the run that gives them. */
  namespace?: string[] | StoreBackendNamespaceFactory<StateT>;
  /** Spell labels with letters, digits and `-` only, reversibly, for stores that refuse others (default false). */
  encodeNamespace?: boolean;
  /**
   * Where changes of one file wait for each other: among all processes that use the store (default), or in this one
   * only, which saves three small requests per change. An `InMemoryStore` is always of one process.
   */
  locking?: LockScope;
  /** `"create"`: `write` refuses files that exist (default `"overwrite"`). */
  writeMode?: "overwrite" | "create";
  /** `ls` of a missing path, or of a file, is an error (default false). */
  strict?: boolean;
  /** `"recursive"`: a bare `*.ts` matches at every depth (default `"flat"`). */
  bareGlob?: "flat" | "recursive";
  /** Longest matching line that `grep` hands out, in characters. */
  maxLineLength?: number;
  /** Caps; see {@link LimitParts}. */
  limits?: LimitParts;
}

const DEFAULT_WRITE_BYTES = 256 << 20;
const DIALECT = "store";

/**
 * Files in a LangGraph store.
 *
 * ```ts
 * const memories = new StoreBackend({ namespace: (rt) => ["memories", rt.serverInfo.user.identity] });
 * ```
 */
export class StoreBackend implements BackendProtocolV2 {
  private readonly runtime: Record<string, unknown> | undefined;
  private readonly namespace: string[] | StoreBackendNamespaceFactory | undefined;
  private readonly options: StoreBackendOptions;

  constructor(options?: StoreBackendOptions);
  /** @deprecated Pass the options only. */
  constructor(stateAndStore: StateAndStore, options?: StoreBackendOptions);
  constructor(first?: StateAndStore | StoreBackendOptions, second?: StoreBackendOptions) {
    const isRuntime = typeof first === "object" && first !== null && "state" in first;
    if (isRuntime) {
      warnDeprecated("new StoreBackend(runtime)", "pass the options only: new StoreBackend({ namespace })");
    }
    this.runtime = isRuntime ? (first as unknown as Record<string, unknown>) : undefined;
    this.options = (isRuntime ? second : (first as StoreBackendOptions | undefined)) ?? {};
    const { namespace, encodeNamespace } = this.options;
    this.namespace = Array.isArray(namespace) ? checkedNamespace(namespace, encodeNamespace === true) : namespace;
  }

  async ls(path: string): Promise<LsResult> {
    const base = parseSearchPath("ls", path, "/");
    if (isFailure(base)) return base;
    return this.during("ls", base, async (place) => {
      const { rows } = await survey(place, this.scope(place));
      return listTable(tableOf(rows), base, this.options.strict === true);
    });
  }

  async read(filePath: string, offset?: number | ReadWindow, limit?: number): Promise<ReadResult> {
    const raw = parsePath("read", filePath);
    if (isFailure(raw)) return raw;
    const window = parseWindow(raw, offset, limit);
    if (isFailure(window)) return window;
    return this.reading("read", raw, (path, item) => readFile(path, fileOf(item), window, DIALECT));
  }

  async readRaw(filePath: string): Promise<ReadRawResult> {
    const raw = parsePath("readRaw", filePath);
    if (isFailure(raw)) return raw;
    return this.reading("readRaw", raw, (path, item) => readRawFile(path, fileOf(item)));
  }

  async write(filePath: string, content: string | Uint8Array): Promise<WriteResult> {
    const raw = parsePath("write", filePath);
    if (isFailure(raw)) return raw;
    const given = parseContent("write", raw, content);
    if (isFailure(given)) return given;
    const path = parseFilePath("write", raw);
    if (isFailure(path)) return path;
    const stored = getBinding().rules.storeContent(path, given);
    if (isFailure(stored)) return stored;
    const tooLarge = this.tooLarge("write", raw, stored.content);
    if (tooLarge !== null) return tooLarge;
    return this.during("write", raw, (place) =>
      holding(place, { paths: [path] }, this.scope(place), async (hold) => {
        const previous = await getItem(place, path);
        if (previous === null) await this.mayCreate(place, path);
        if (previous !== null && this.options.writeMode === "create") throw fault("already_exists");
        await putFile(place, { path, ...stored, previous }, this.format(), hold);
        return { path: raw, filesUpdate: null };
      }),
    );
  }

  async edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll?: boolean | EditOptions,
  ): Promise<EditResult> {
    const edit = parseEdit(filePath, oldString, newString, replaceAll);
    if (isFailure(edit)) return edit;
    const raw = edit.path;
    const path = parseFilePath("edit", raw);
    if (isFailure(path)) return path;
    return this.during("edit", raw, async (place) => {
      const done = await this.editAt(place, path, edit);
      // Nothing under the path as it was spelt: perhaps under the other spelling of the same letters.
      return done ?? (await this.editAt(place, (await this.found(place, path)).path, edit)) ?? gone();
    });
  }

  async delete(filePath: string): Promise<DeleteResult> {
    const raw = parsePath("delete", filePath);
    if (isFailure(raw)) return raw;
    const path = parseFilePath("delete", raw);
    if (isFailure(path)) return path;
    return this.during("delete", raw, (place) =>
      holding(place, { paths: [], below: path }, this.scope(place), async (hold): Promise<DeleteResult> => {
        const { rows, items } = await survey(place, null);
        const gone = [...rows.keys()].filter((key) => key === path || key.startsWith(`${path}/`));
        // What is no file is not listed, but can be removed by its name.
        if (!gone.includes(path) && (await getItem(place, path)) !== null) gone.push(path);
        if (gone.length === 0) throw fault("file_not_found");
        await removeFiles(place, gone, items === null || hasMarks(items, gone), hold);
        return { path: raw, filesUpdate: null };
      }),
    );
  }

  async glob(pattern: string, path?: string): Promise<GlobResult> {
    const args = parseGlob(pattern, path);
    if (isFailure(args)) return args;
    return this.during("glob", args.path, async (place) => {
      const { rows } = await survey(place, this.scope(place));
      const isRecursive = this.options.bareGlob === "recursive";
      return globTable(tableOf(rows), args.pattern, args.path, DIALECT, isRecursive);
    });
  }

  async grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
  ): Promise<GrepResult> {
    const args = parseGrep(pattern, path, glob, maxCount);
    if (isFailure(args)) return args;
    return this.during("grep", args.path, async (place): Promise<GrepResult> => {
      const seen = await survey(place, this.scope(place));
      const paths = searchedPaths([...seen.rows.keys()], args.path, args.glob);
      if (isFailure(paths)) return paths;
      const items = await itemsToSearch(place, seen, paths);
      const files = paths.flatMap((at) => {
        const file = openRecord(items.get(at)?.value ?? null);
        return file === null ? [] : [{ path: at, file }];
      });
      return grepFiles(files, args.pattern, args.maxCount, this.lineChars());
    });
  }

  async uploadFiles(files: Array<[string, Uint8Array]>): Promise<FileUploadResponse[]> {
    const uploads = parseUploads(files).map((item) => {
      if ("failure" in item) return { raw: item.path, problem: item.failure };
      const path = parseFilePath("uploadFiles", item.path);
      if (isFailure(path)) return { raw: item.path, problem: path };
      const stored = getBinding().rules.storeUpload(path, item.value);
      const problem = this.tooLarge("uploadFiles", item.path, stored.content);
      return problem === null ? { raw: item.path, path, stored } : { raw: item.path, problem };
    });
    // Of a path that comes twice, the last one stays.
    const wanted = new Map(uploads.flatMap((upload) => (upload.problem ? [] : [[upload.path, upload.stored] as const])));
    const problems = new Map<string, unknown>();
    const all = [...wanted.keys()];
    const outcome = await this.during("uploadFiles", "", (place) =>
      holding(place, { paths: all }, this.scope(place), async (hold) => {
        const blocked = await throughFile(place, all);
        for (const path of blocked) problems.set(path, fault("not_a_directory"));
        const paths = all.filter((path) => !blocked.has(path));
        const previous = await getItems(place, paths);
        const files = [...wanted].filter(([path]) => !blocked.has(path));
        const news = files.map(([path, stored], index) => ({ path, ...stored, previous: previous[index] ?? null }));
        await putManyFiles(place, news, this.format(), hold, (done, problem) => {
          for (const path of done) problems.set(path, problem);
        });
        return {};
      }),
    );
    return uploads.map((upload) => {
      if (upload.problem) return refused(upload.raw, upload.problem);
      if (isFailure(outcome)) return refused(upload.raw, { ...outcome, error: outcome.error });
      const problem = problems.get(upload.path);
      return problem === null ? transferred(upload.raw) : refused(upload.raw, failureOf("uploadFiles", upload.raw, problem));
    });
  }

  async downloadFiles(paths: string[]): Promise<FileDownloadResponse[]> {
    const wanted = parseDownloads(paths).map((item) => {
      if ("failure" in item) return { raw: item.path, problem: item.failure };
      const path = parseFilePath("downloadFiles", item.path);
      return isFailure(path) ? { raw: item.path, problem: path } : { raw: item.path, path };
    });
    return Promise.all(
      wanted.map(async (one): Promise<FileDownloadResponse> => {
        if (one.problem) return { ...refused(one.raw, one.problem), content: null };
        const found = await this.reading("downloadFiles", one.raw, (_, item) => ({ bytes: bytesOfFile(fileOf(item)) }));
        return isFailure(found)
          ? { ...refused(one.raw, found), content: null }
          : { ...transferred(one.raw), content: found.bytes };
      }),
    );
  }

  /** The namespace of the files, for the run that is going on. */
  protected getNamespace(): string[] {
    return namespaceOf(this.run(), this.namespace, this.options.encodeNamespace === true);
  }

  private run(): Run {
    return runOf(this.runtime);
  }

  private place(): Place {
    const store = this.run().store ?? this.options.store;
    const chosen = this.runtime === undefined ? (this.options.store ?? store) : store;
    if (chosen === undefined) {
      throw fault("unavailable", "there is no store: give the option store, or run in a graph that was compiled with one");
    }
    return { store: unwrapped(chosen), namespace: this.getNamespace() };
  }

  /** Runs one method; whatever is thrown becomes its result. */
  private async during<T>(method: Method, path: string, work: (place: Place) => Promise<T>): Promise<T | Failure> {
    try {
      return await work(this.place());
    } catch (thrown) {
      return failureOf(method, path, thrown);
    }
  }

  private reading<T>(method: Method, raw: string, use: (path: string, item: StoreItem) => T): Promise<T | Failure> {
    return this.during(method, raw, async (place) => {
      const path = parseFilePath(method, raw);
      if (isFailure(path)) return path;
      const { item } = await this.found(place, path);
      return use(path, item);
    });
  }

  /** Edits the file at exactly this path; null when there is none. */
  private editAt(place: Place, path: string, edit: EditArguments): Promise<EditResult | null> {
    return holding(place, { paths: [path] }, this.scope(place), async (hold): Promise<EditResult | null> => {
      const item = await getItem(place, path);
      if (item === null) return null;
      const file = fileOf(item);
      const edited = editFile(path, file, edit);
      if (isFailure(edited)) return edited;
      const tooLarge = this.tooLarge("edit", edit.path, edited.content);
      if (tooLarge !== null) return tooLarge;
      const { content } = edited;
      await putFile(place, { path, content, mimeType: mimeTypeOf(path, file), previous: item }, this.format(), hold);
      return { path: edit.path, filesUpdate: null, ...editOutcome(edited) };
    });
  }

  /** The item under a path, or under the one other spelling of it that has the same letters. */
  private async found(place: Place, path: string): Promise<{ path: string; item: StoreItem }> {
    const item = await getItem(place, path);
    if (item !== null) return { path, item };
    const { rows } = await survey(place, null);
    if (isFolder(rows.keys(), path)) throw fault("is_directory");
    const [same, ...more] = [...rows.keys()].filter((key) => key.normalize() === path.normalize());
    const other = same === undefined || more.length > 0 ? null : await getItem(place, same);
    if (same === undefined || other === null) throw fault("file_not_found");
    return { path: same, item: other };
  }

  /** Refuses a path that leads through a file, or that names a folder. */
  private async mayCreate(place: Place, path: string): Promise<void> {
    if ((await throughFile(place, [path])).size > 0) throw fault("not_a_directory");
    if (!maybeFolder(place, path)) return;
    const { rows } = await survey(place, null);
    if (isFolder(rows.keys(), path)) throw fault("is_directory");
    forgetFolder(place, path);
  }

  private tooLarge(method: Method, path: string, content: string | Uint8Array): Failure | null {
    const limit = this.options.limits?.writeBytes ?? DEFAULT_WRITE_BYTES;
    const size = contentBytes(content);
    return size <= limit ? null : failure(method, "too_large", path, `${size} bytes, the limit is ${limit}`);
  }

  private format(): "v1" | "v2" {
    return this.options.fileFormat ?? "v2";
  }

  private lineChars(): number | null {
    return this.options.maxLineLength ?? this.options.limits?.lineChars ?? null;
  }

  private scope(place: Place): LockScope {
    const isOfThisProcess = /^(InMemory|Memory)Store$/.test(place.store.constructor.name);
    return isOfThisProcess || typeof place.store.search !== "function" ? "process" : (this.options.locking ?? "store");
  }
}

function tableOf(rows: ReadonlyMap<string, Row>): FileTable {
  const all = [...rows.values()];
  return {
    paths: [...rows.keys()],
    sizeBytes: (index) => all[index]?.sizeBytes ?? 0,
    modified: (index) => all[index]?.modified ?? "",
  };
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

function gone(): never {
  throw fault("file_not_found");
}

/** Whether any of the files has a row in the index. */
function hasMarks(items: ReadonlyMap<string, StoreItem>, paths: readonly string[]): boolean {
  return paths.some((path) => Object.keys(items.get(path)?.value ?? {}).some((field) => field.startsWith("deepfs:")));
}
