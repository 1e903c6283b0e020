/** `ContextHubBackend`: text files in an agent repository of LangSmith's Context Hub. */

import { failureOf } from "../adapters/fault.js";
import { type Failure, isFailure, type Method } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import { editOutcome, readResult } from "../binding/results.js";
import { unpackMatchesInTurns } from "../binding/unpack.js";
import {
  type EditOptions,
  parseContent,
  parseEdit,
  parseGlob,
  parseGrep,
  parsePath,
  parseSearchPath,
  parseWindow,
  type ReadWindow,
} from "../protocol/arguments.js";
import { failure } from "../protocol/failure.js";
import { parseDownloads, parseUploads, refused } from "../protocol/transfers.js";
import type {
  BackendProtocolV2,
  DeleteResult,
  EditResult,
  FileDownloadResponse,
  FileInfo,
  FileUploadResponse,
  GlobResult,
  GrepResult,
  LsResult,
  ReadRawResult,
  ReadResult,
  WriteResult,
} from "../protocol/types.js";
import { utf8Bytes } from "../adapters/file-data.js";
import { defaultClient, type HubClient } from "./hub/client.js";
import { blockedBy, deleting, editing, holdsBelow, type HubFiles, type Intent, putting, uploading } from "./hub/intents.js";
import { HubRepository } from "./hub/repository.js";

export type { HubClient, HubEntry } from "./hub/client.js";

/** Options of {@link ContextHubBackend}. */
export interface ContextHubBackendOptions {
  /** A `Client` of `langsmith`; by default one made from the environment. */
  client?: HubClient;
  /** `"create"`: `write` refuses files that exist (default `"overwrite"`). */
  writeMode?: "overwrite" | "create";
  /** `ls` of a missing path, or of a file, is an error (default false). */
  strict?: boolean;
  /** `"recursive"`: a bare `*.ts` matches at every depth (default `"flat"`). */
  bareGlob?: "flat" | "recursive";
  /** Longest matching line that `grep` hands out, in characters. */
  maxLineLength?: number;
}

/** The Hub keeps text and no types. */
const MIME_TYPE = "text/plain";
const TEXT_ONLY = "Context Hub holds UTF-8 text only";

/**
 * Text files in an agent repository of Context Hub.
 *
 * ```ts
 * const backend = new ContextHubBackend("my-agent"); // or "owner/my-agent"
 * ```
 */
export class ContextHubBackend implements BackendProtocolV2 {
  private readonly repository: HubRepository;
  private readonly options: ContextHubBackendOptions;

  /** @param identifier The repository, as `name` or `owner/name`. It is created by the first change. */
  constructor(identifier: string, options: ContextHubBackendOptions = {}) {
    const { client } = options;
    this.options = options;
    this.repository = new HubRepository(identifier, client === undefined ? defaultClient : () => Promise.resolve(client));
  }

  /** Paths of linked repositories, with the handles of these. */
  async getLinkedEntries(): Promise<Record<string, string>> {
    return Object.fromEntries((await this.repository.known()).links);
  }

  /** Whether the repository exists and has a commit. */
  async hasPriorCommits(): Promise<boolean> {
    return (await this.repository.known()).commitHash !== null;
  }

  async ls(path?: string): Promise<LsResult> {
    const raw = parseSearchPath("ls", path, "/");
    if (isFailure(raw)) return raw;
    return this.reading("ls", raw, (base, files) => {
      const paths = pathsOf(files);
      const { rules } = getBinding();
      const listing = rules.listKeys(paths, base);
      const folders = listing.folders.split("\0");
      let folder = 0;
      const rows = Array.from(listing.files, (index): FileInfo =>
        index < 0 ? { path: folders[folder++] ?? "", is_dir: true, size: 0 } : fileInfo(paths[index] ?? "", files),
      );
      if (this.options.strict !== true || rows.length > 0 || base === "/") return { files: rows };
      return failure("ls", files.has(base.slice(1)) ? "not_a_directory" : "file_not_found", raw);
    });
  }

  async read(filePath: string, offset?: number | ReadWindow, limit?: number): Promise<ReadResult> {
    const raw = parsePath("read", filePath);
    if (isFailure(raw)) return raw;
    const window = parseWindow(raw, offset, limit);
    if (isFailure(window)) return window;
    return this.readingText("read", raw, (text, path) => {
      const read = getBinding().rules.readText(path, text, window.offset, window.limit, "store");
      return readResult(isFailure(read) ? read : { ...read, mimeType: MIME_TYPE });
    });
  }

  async readRaw(filePath: string): Promise<ReadRawResult> {
    const raw = parsePath("readRaw", filePath);
    if (isFailure(raw)) return raw;
    // The Hub tells no times of files.
    const now = new Date().toISOString();
    return this.readingText("readRaw", raw, (content) => ({
      data: { content, mimeType: MIME_TYPE, created_at: now, modified_at: now },
    }));
  }

  async write(filePath: string, content: string | Uint8Array): Promise<WriteResult> {
    const raw = parsePath("write", filePath);
    if (isFailure(raw)) return raw;
    const given = parseContent("write", raw, content);
    if (isFailure(given)) return given;
    const text = typeof given === "string" ? given : textOf(given);
    if (text === null) return failure("write", "invalid_content", raw, TEXT_ONLY);
    const isCreateOnly = this.options.writeMode === "create";
    const done = await this.changing("write", raw, (path) => putting(raw, path, text, isCreateOnly));
    return isFailure(done) ? done : { path: raw, filesUpdate: null };
  }

  async edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll?: boolean | EditOptions,
  ): Promise<EditResult> {
    const edit = parseEdit(filePath, oldString, newString, replaceAll);
    if (isFailure(edit)) return edit;
    const done = await this.changing("edit", edit.path, (path) => editing(edit.path, path, edit));
    if (isFailure(done)) return done;
    const { occurrences = 0, filled = false } = done;
    return { path: edit.path, filesUpdate: null, ...editOutcome({ occurrences, filled }) };
  }

  async delete(filePath: string): Promise<DeleteResult> {
    const raw = parsePath("delete", filePath);
    if (isFailure(raw)) return raw;
    const done = await this.changing("delete", raw, (path) => deleting(raw, path));
    return isFailure(done) ? done : { path: raw };
  }

  async glob(pattern: string, path?: string): Promise<GlobResult> {
    const args = parseGlob(pattern, path);
    if (isFailure(args)) return args;
    return this.reading("glob", args.path, (base, files) => {
      const paths = pathsOf(files);
      const isRecursive = this.options.bareGlob === "recursive";
      // Without times, the order is by path.
      const found = getBinding().rules.globKeys(paths, null, args.pattern, base, "store", isRecursive);
      return isFailure(found) ? found : { files: Array.from(found, (index) => fileInfo(paths[index] ?? "", files)) };
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
    return this.reading("grep", args.path, async (base, files): Promise<GrepResult> => {
      const { rules } = getBinding();
      const all = pathsOf(files);
      const chosen = rules.filterKeys(all, base, args.glob);
      if (isFailure(chosen)) return chosen;
      const paths = Array.from(chosen, (index) => all[index] ?? "");
      const texts = paths.map((at) => files.get(at.slice(1)) ?? "");
      const found = rules.grepTexts(paths, texts, args.pattern, args.maxCount, this.options.maxLineLength ?? null);
      if (isFailure(found)) return found;
      const matches = await unpackMatchesInTurns(found);
      return found.truncated ? { matches, truncated: true } : { matches };
    });
  }

  async uploadFiles(files: Array<[string, Uint8Array]>): Promise<FileUploadResponse[]> {
    const uploads = parseUploads(files).map((item) => {
      if ("failure" in item) return { raw: item.path, problem: item.failure };
      const path = hubPath("uploadFiles", item.path);
      if (isFailure(path)) return { raw: item.path, problem: path };
      const text = textOf(item.value);
      return text === null
        ? { raw: item.path, problem: failure("uploadFiles", "invalid_content", item.path, TEXT_ONLY) }
        : { raw: item.path, path, text };
    });
    const texts = new Map(uploads.flatMap((upload) => (upload.problem ? [] : [[upload.path, upload.text] as const])));
    const done = texts.size === 0 ? null : await this.during("uploadFiles", "", () => this.repository.change(uploading(texts)));
    return uploads.map((upload) => {
      if (upload.problem) return refused(upload.raw, upload.problem);
      if (isFailure(done)) return refused(upload.raw, done);
      if (done?.changes.has(upload.path)) return { path: upload.raw, error: null };
      const blocked = blockedBy(texts, upload.path) ?? "not_a_directory";
      return refused(upload.raw, failure("uploadFiles", blocked, upload.raw));
    });
  }

  async downloadFiles(paths: string[]): Promise<FileDownloadResponse[]> {
    const encoder = new TextEncoder();
    const answers = parseDownloads(paths).map(async (item): Promise<FileDownloadResponse> => {
      if ("failure" in item) return { ...refused(item.path, item.failure), content: null };
      const found = await this.readingText("downloadFiles", item.path, (text) => ({ bytes: encoder.encode(text) }));
      return isFailure(found)
        ? { ...refused(item.path, found), content: null }
        : { path: item.path, error: null, content: found.bytes };
    });
    return Promise.all(answers);
  }

  /** Runs a method on the files as they are visible now. */
  private reading<T>(
    method: Method,
    raw: string,
    use: (path: string, files: HubFiles) => T | Failure | Promise<T | Failure>,
  ): Promise<T | Failure> {
    return this.during(method, raw, async () => {
      const path = getBinding().rules.parsePath(method, raw);
      return isFailure(path) ? path : use(path.path, await this.repository.files());
    });
  }

  private readingText<T>(method: Method, raw: string, use: (text: string, path: string) => T): Promise<T | Failure> {
    return this.reading(method, raw, (path, files) => {
      const text = files.get(path.slice(1));
      if (text !== undefined) return use(text, path);
      const isFolder = path === "/" || holdsBelow(files, path.slice(1));
      return failure(method, isFolder ? "is_directory" : "file_not_found", raw);
    });
  }

  private changing(method: Method, raw: string, intend: (path: string) => Intent): Promise<Awaited<ReturnType<HubRepository["change"]>>> {
    return this.during(method, raw, async () => {
      const path = hubPath(method, raw);
      return isFailure(path) ? path : this.repository.change(intend(path));
    });
  }

  private async during<T>(method: Method, path: string, work: () => Promise<T>): Promise<T | Failure> {
    try {
      return await work();
    } catch (thrown) {
      return failureOf(method, path, thrown);
    }
  }
}

/** The Hub's spelling of a file's path: without the leading slash. */
function hubPath(method: Method, raw: string): string | Failure {
  const parsed = getBinding().rules.parsePath(method, raw);
  if (isFailure(parsed)) return parsed;
  if (parsed.path !== "/") return parsed.path.slice(1);
  return failure(method, method === "delete" ? "root_refused" : "is_directory", raw);
}

function pathsOf(files: HubFiles): string[] {
  return Array.from(files.keys(), (path) => `/${path}`);
}

function fileInfo(path: string, files: HubFiles): FileInfo {
  return { path, is_dir: false, size: utf8Bytes(files.get(path.slice(1)) ?? "") };
}

/** The text of UTF-8 bytes; null when they are something else. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
