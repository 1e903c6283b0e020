/** One tree of files out of several backends, each at a folder of its own. */

import { type Failure, isFailure, type Method } from "../binding/contract.js";
import { adaptBackendProtocol, adaptSandboxProtocol } from "../adapters/adapt.js";
import * as args from "../protocol/arguments.js";
import { failure } from "../protocol/failure.js";
import { isSandboxBackend, isSandboxProtocol } from "../protocol/guards.js";
import type {
  AnyBackendProtocol,
  BackendProtocolV2,
  DeleteResult,
  EditResult,
  ExecuteResponse,
  FileDownloadResponse,
  FileUploadResponse,
  GlobResult,
  GrepResult,
  LsResult,
  ReadRawResult,
  ReadResult,
  WriteResult,
} from "../protocol/types.js";
import { listMounts } from "./composite-list.js";
import { globMounts, grepMounts, type SearchStart, type Warned } from "./composite-search.js";
import { downloadFromMounts, uploadToMounts } from "./composite-transfer.js";
import { type AnyResult, ask, restorePath } from "./mount-call.js";
import { normalPath } from "./normal-path.js";
import { oneOf } from "./one-of.js";
import {
  arrangeRoutes,
  isMountFolder,
  type Location,
  locate,
  type Mount,
  mountsBelow,
  outerPaths,
  routeRoot,
  type Routes,
} from "./routes.js";
import { type ResolvedTarget, resolveTarget } from "./resolve-target.js";
import { STATE_STORAGE, stateStorage } from "./state-storage.js";

/** What changes how a {@link CompositeBackend} works. */
export interface CompositeOptions {
  /** What a bare pattern such as `*.ts` means to `glob`: set it as on the backends (default `"flat"`). */
  bareGlob?: "flat" | "recursive";
}

/**
 * Routes each path to the backend with the longest matching prefix; the default takes the rest.
 *
 * Paths are normalised before they are routed, and every answer carries the full path. `glob` and `grep` ask all the
 * mounts that the search covers at the same time; one that fails adds a sentence to `warnings` and does not fail the
 * search. A mount is a folder: it shows up in the listing of the folder above, hides what the default has there, and
 * can be emptied, but neither written nor deleted itself.
 *
 * ```ts
 * const backend = new CompositeBackend(new StateBackend(), { "/memories/": new StoreBackend() });
 * ```
 */
export class CompositeBackend implements BackendProtocolV2 {
  private readonly fallback: AnyBackendProtocol;
  private readonly routes: Routes;
  private readonly prefixes: readonly string[];
  private readonly bareRecursive: boolean;

  /**
   * @param defaultBackend Takes the paths that no route covers, and runs the commands if it can.
   * @param routes Backends by the folder that they are seen at; a final slash makes no difference.
   * @throws When a route is not a folder, two routes are the same folder, or a backend is not an object.
   */
  constructor(
    defaultBackend: AnyBackendProtocol,
    routes: Record<string, AnyBackendProtocol>,
    options: CompositeOptions = {},
  ) {
    if (typeof routes !== "object" || routes === null) {
      throw new TypeError("CompositeBackend: the routes must be an object of backends by path");
    }
    const keys = new Map<string, string>();
    const mounts = Object.entries(routes).map(([key, backend]) => {
      const root = routeRoot(key);
      const twin = keys.get(root);
      if (twin !== undefined) {
        throw new Error(
          `CompositeBackend: the routes ${JSON.stringify(twin)} and ${JSON.stringify(key)} are one folder`,
        );
      }
      keys.set(root, key);
      return mountAt(root, backend, `the route ${JSON.stringify(key)}`);
    });
    this.fallback = defaultBackend;
    this.routes = arrangeRoutes(mountAt("", defaultBackend, "the default backend"), mounts);
    this.prefixes = [...keys.keys()].map((root) => `${root}/`);
    oneOf("bareGlob", options.bareGlob, ["flat", "recursive"]);
    this.bareRecursive = options.bareGlob === "recursive";
  }

  /** The id of the default backend if that is a sandbox, otherwise empty. */
  get id(): string {
    return isSandboxBackend(this.fallback) ? this.fallback.id : "";
  }

  /** The folders of the routes, each with a final slash, in the order they were given. */
  get routePrefixes(): string[] {
    return [...this.prefixes];
  }

  /** Whether a value is a composite, by its shape: true across copies of the package and for the upstream's class. */
  static isInstance(backend: unknown): backend is CompositeBackend {
    return (
      typeof backend === "object" &&
      backend !== null &&
      Array.isArray((backend as { routePrefixes?: unknown }).routePrefixes)
    );
  }

  /** What is directly in a folder, mounts included. */
  async ls(path: string): Promise<LsResult & Warned> {
    const where = this.find("ls", path);
    return isFailure(where) ? where : listMounts(this.routes, where);
  }

  /** Lines of a text (`offset` from 0; 500 by default), or a binary file whole. */
  async read(filePath: string, offset?: number | args.ReadWindow, limit?: number): Promise<ReadResult> {
    const where = this.findFile("read", filePath);
    if (isFailure(where)) return where;
    const window = args.parseWindow(where.outer, offset, limit);
    if (isFailure(window)) return window;
    return ask("read", where, () => where.mount.backend.read(where.inner, window.offset, window.limit));
  }

  /** A whole file with its times. */
  async readRaw(filePath: string): Promise<ReadRawResult> {
    const where = this.findFile("readRaw", filePath);
    return isFailure(where) ? where : ask("readRaw", where, () => where.mount.backend.readRaw(where.inner));
  }

  /** Creates or replaces a file. */
  async write(filePath: string, content: string | Uint8Array): Promise<WriteResult> {
    const where = this.findFile("write", filePath);
    if (isFailure(where)) return where;
    // The protocol's type says text only; backends of deepfs take bytes as well.
    const result = await ask("write", where, () => where.mount.backend.write(where.inner, content as string));
    return this.withFullPath(where, result);
  }

  /** Replaces the one occurrence of a text, or every one. */
  async edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll?: boolean | args.EditOptions,
  ): Promise<EditResult> {
    const where = this.findFile("edit", filePath);
    if (isFailure(where)) return where;
    const edit = args.parseEdit(where.outer, oldString, newString, replaceAll);
    if (isFailure(edit)) return edit;
    const { oldString: from, newString: to, replaceAll: all } = edit;
    const result = await ask("edit", where, () => where.mount.backend.edit(where.inner, from, to, all), [from, to]);
    return this.withFullPath(where, result);
  }

  /** Deletes a file or a folder. A mount, and a folder that holds one, is refused: nothing of it is deleted. */
  async delete(filePath: string): Promise<DeleteResult> {
    const where = this.find("delete", filePath);
    if (isFailure(where)) return where;
    if (where.outer === "/") return failure("delete", "root_refused", where.outer);
    const inside = mountsBelow(this.routes, where.outer);
    if (isMountFolder(this.routes, where.outer)) {
      const names = inside.length === 0 ? "a mount" : `a folder that holds the mount '${inside[0]?.root}/'`;
      const way = "which can not be deleted as a whole; delete what you mean inside it";
      return failure("delete", "denied", where.outer, `it is ${names}, ${way}`);
    }
    const remove = where.mount.backend.delete?.bind(where.mount.backend);
    if (remove === undefined) return failure("delete", "unsupported", where.outer);
    return this.withFullPath(where, await ask("delete", where, () => remove(where.inner)));
  }

  /** Files whose path below `path` matches a pattern, in that mount and in those below it. */
  async glob(pattern: string, path?: string): Promise<GlobResult & Warned> {
    const query = args.parseGlob(pattern, path);
    if (isFailure(query)) return query;
    const start = this.searchStart("glob", path, query.path);
    return isFailure(start) ? start : globMounts(this.routes, start, query.pattern, this.bareRecursive);
  }

  /** Lines that hold a text literally, in the mount of `path` and in those below it. */
  async grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
  ): Promise<GrepResult & Warned> {
    const query = args.parseGrep(pattern, path, glob, maxCount);
    if (isFailure(query)) return query;
    const start = this.searchStart("grep", path, query.path);
    return isFailure(start) ? start : grepMounts(this.routes, start, query);
  }

  /** Stores files, each in its mount; one answer per file, in order. */
  async uploadFiles(files: Array<[string, Uint8Array]>): Promise<FileUploadResponse[]> {
    return uploadToMounts((path) => this.findFile("uploadFiles", path), files);
  }

  /** Fetches files, each from its mount; one answer per path, in order. */
  async downloadFiles(paths: string[]): Promise<FileDownloadResponse[]> {
    return downloadFromMounts((path) => this.findFile("downloadFiles", path), paths);
  }

  /**
   * Runs a command on the default backend; commands know nothing of the routes.
   *
   * @param rest Whatever the default backend's `execute` takes beyond the command.
   * @throws When the default backend runs no commands; `id` is empty then.
   */
  execute(command: string, ...rest: unknown[]): Promise<ExecuteResponse> {
    if (!isSandboxBackend(this.fallback)) {
      throw new Error(
        "Default backend doesn't support command execution (SandboxBackendProtocol): " +
          "give the CompositeBackend a default backend that does",
      );
    }
    const execute = this.fallback.execute as (command: string, ...rest: unknown[]) => ReturnType<typeof this.execute>;
    return Promise.resolve(execute.call(this.fallback, command, ...rest));
  }

  /** Where a path leads once links are followed, for rules about targets. */
  async resolveTarget(path: string): Promise<ResolvedTarget> {
    const where = this.find("read", path);
    if (isFailure(where)) return where;
    const target = await resolveTarget(where.mount.given, where.inner);
    if (isFailure(target)) return { ...target, error: restorePath(target.error, where) };
    return { path: outerPaths(this.routes, where.mount)(target.path) ?? where.outer };
  }

  /** See {@link STATE_STORAGE}. */
  [STATE_STORAGE](path?: string): unknown {
    if (path === undefined) return undefined;
    const where = this.find("read", path);
    return isFailure(where) ? undefined : stateStorage(where.mount.given, where.inner);
  }

  private find(method: Method, value: unknown): Location | Failure {
    const path = normalPath(method, value);
    if (isFailure(path)) return path;
    const where = locate(this.routes, path);
    // A relative path means something of its own to a disk backend without virtual paths.
    const relative = where.mount.root === "" && typeof value === "string" && !value.startsWith("/");
    return relative ? { ...where, inner: path.slice(1) } : where;
  }

  /** As {@link find}, for methods about a file, which a mount and the folders above it are not. */
  private findFile(method: Method, value: unknown): Location | Failure {
    const where = this.find(method, value);
    if (isFailure(where) || !isMountFolder(this.routes, where.outer)) return where;
    return failure(method, "is_directory", where.outer);
  }

  /** `given` is the path argument as sent: without one, the base starts at its own default. */
  private searchStart(method: Method, given: unknown, path: string): SearchStart | Failure {
    const where = this.find(method, path);
    if (isFailure(where)) return where;
    const open = where.mount.root === "" && (given === undefined || given === null || given === "");
    return { where, inner: open ? undefined : where.inner };
  }

  private withFullPath<Result extends AnyResult & { path?: string }>(where: Location, result: Result): Result {
    if (where.mount.root === "" || result.path === undefined) return result;
    return { ...result, path: where.outer };
  }
}

function mountAt(root: string, given: AnyBackendProtocol, what: string): Mount {
  if (typeof given !== "object" || given === null) {
    const hint = typeof given === "function" ? "; call the factory and pass what it makes" : "";
    throw new TypeError(`CompositeBackend: ${what} is not a backend but ${args.typeName(given)}${hint}`);
  }
  const backend = isSandboxProtocol(given) ? adaptSandboxProtocol(given) : adaptBackendProtocol(given);
  return { root, backend, given };
}
