/** `ContextHubBackend`: text files in an agent repository of LangSmith's Context Hub. */

import { failureOf } from "../adapters/fault.js";
import { utf8Bytes } from "../adapters/file-data.js";
import { indexRecords } from "../adapters/file-index.js";
import { type FileTable, globTable, listTable } from "../adapters/listing.js";
import * as records from "../adapters/record-files.js";
import { type FileLookup, type PathPair, strictly } from "../adapters/record-files.js";
import { grepRecords } from "../adapters/record-search.js";
import { type Failure, isFailure, type Method } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
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
import { failure } from "../protocol/failure.js";
import { parseDownloads, parseUploads, refused } from "../protocol/transfers.js";
import type {
  BackendProtocolV2,
  DeleteResult,
  EditResult,
  FileDownloadResponse,
  FileDataV2,
  FileUploadResponse,
  GlobResult,
  GrepResult,
  LsResult,
  ReadRawResult,
  ReadResult,
  WriteResult,
} from "../protocol/types.js";
import { defaultClient, type HubClient } from "./hub/client.js";
import {
  blockedBy,
  deleting,
  editing,
  holdsBelow,
  type HubFiles,
  type Intent,
  located,
  putting,
  uploading,
} from "./hub/intents.js";
import { HubRepository } from "./hub/repository.js";
import { type StateBackendOptions, stateSettings, type StateSettings } from "./state-options.js";

export type { HubClient, HubEntry } from "./hub/client.js";

/** Options of {@link ContextHubBackend}. */
export interface ContextHubBackendOptions extends Omit<StateBackendOptions, "files" | "fileFormat"> {
  /** A `Client` of `langsmith`; by default one made from the environment. */
  client?: HubClient;
}

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
  private readonly settings: StateSettings;

  /** @param identifier The repository, as `name` or `owner/name`. It is created by the first change. */
  constructor(identifier: string, options: ContextHubBackendOptions = {}) {
    const { client } = options;
    this.settings = stateSettings(options);
    this.repository = new HubRepository(
      identifier,
      client === undefined ? defaultClient : () => Promise.resolve(client),
    );
  }

  /** Paths of linked repositories, with the handles of these. */
  async getLinkedEntries(): Promise<Record<string, string>> {
    return Object.fromEntries((await this.repository.known()).links);
  }

  /** Whether the repository exists and has a commit. */
  async hasPriorCommits(): Promise<boolean> {
    return (await this.repository.known()).commitHash !== null;
  }

  /** What is directly in a folder. */
  async ls(path?: string): Promise<LsResult> {
    const asked = path === undefined ? "/" : parsePath("ls", path);
    if (isFailure(asked)) return asked;
    return this.reading("ls", asked, (at, files) =>
      strictly(listTable(tableOf(files), at.path, this.settings.limits), at, this.settings, () =>
        files.has(at.path.slice(1)),
      ),
    );
  }

  /** Lines of a text (`offset` from 0; 500 by default). */
  async read(filePath: string, offset?: number | ReadWindow, limit?: number): Promise<ReadResult> {
    const asked = parsePath("read", filePath);
    if (isFailure(asked)) return asked;
    const lines = parseWindow(asked, offset, limit);
    if (isFailure(lines)) return lines;
    return this.reading("read", asked, (at, files) => records.read(lookupIn(files), at, lines, this.settings));
  }

  /** A whole file. The Hub tells no times: they are those of the call. */
  async readRaw(filePath: string): Promise<ReadRawResult> {
    const asked = parsePath("readRaw", filePath);
    if (isFailure(asked)) return asked;
    return this.reading("readRaw", asked, (at, files) => records.readRaw(lookupIn(files), at, this.settings));
  }

  /** Creates or replaces a file. Context Hub holds UTF-8 text only: other bytes are refused. */
  async write(filePath: string, content: string | Uint8Array): Promise<WriteResult> {
    const raw = parsePath("write", filePath);
    if (isFailure(raw)) return raw;
    const given = parseContent("write", raw, content);
    if (isFailure(given)) return given;
    const text = typeof given === "string" ? given : textOf(given);
    if (text === null) return failure("write", "invalid_content", raw, TEXT_ONLY);
    const over = records.tooLarge("write", raw, text, this.settings.limits.writeBytes);
    if (over !== null) return over;
    const done = await this.changing("write", raw, (path) => putting(raw, path, text, this.settings.createOnly));
    return isFailure(done) ? done : { path: raw, filesUpdate: null };
  }

  /** Replaces the one occurrence of a text, or every one. After another writer was first, on the text as it is then. */
  async edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll?: boolean | EditOptions,
  ): Promise<EditResult> {
    const edit = parseEdit(filePath, oldString, newString, replaceAll);
    if (isFailure(edit)) return edit;
    const done = await this.changing("edit", edit.path, (path) => editing(path, edit, this.settings.limits.writeBytes));
    if (isFailure(done)) return done;
    const { occurrences = 0, filled = false } = done;
    return { path: edit.path, filesUpdate: null, ...editOutcome({ occurrences, filled }) };
  }

  /** Removes a file, or a folder with all it holds. */
  async delete(filePath: string): Promise<DeleteResult> {
    const raw = parsePath("delete", filePath);
    if (isFailure(raw)) return raw;
    const done = await this.changing("delete", raw, (path) => deleting(raw, path));
    return isFailure(done) ? done : { path: raw };
  }

  /** Files whose path below `path` matches a pattern. */
  async glob(pattern: string, path?: string): Promise<GlobResult> {
    const asked = parseGlob(pattern, path);
    if (isFailure(asked)) return asked;
    return this.reading("glob", asked.path, (at, files) =>
      globTable(tableOf(files), asked.pattern, at.path, "store", this.settings.bareRecursive, this.settings.limits),
    );
  }

  /** Lines that hold a text literally. */
  async grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
  ): Promise<GrepResult> {
    const asked = parseGrep(pattern, path, glob, maxCount);
    if (isFailure(asked)) return asked;
    return this.reading("grep", asked.path, (at, files) => {
      const all = Array.from(files, ([path, text]) => recordOf(path, text));
      return grepRecords(
        indexRecords(pathsOf(files), all),
        asked,
        at.path,
        this.settings.lineChars,
        this.settings.limits,
      );
    });
  }

  /** Stores files in one commit; one answer per file, in order. */
  async uploadFiles(files: Array<[string, Uint8Array]>): Promise<FileUploadResponse[]> {
    const uploads = parseUploads(files).map((item) => {
      if ("failure" in item) return { raw: item.path, problem: item.failure };
      const path = hubPath("uploadFiles", item.path);
      if (isFailure(path)) return { raw: item.path, problem: path };
      const text = textOf(item.value);
      if (text === null)
        return { raw: item.path, problem: failure("uploadFiles", "invalid_content", item.path, TEXT_ONLY) };
      const over = records.tooLarge("uploadFiles", item.path, item.value, this.settings.limits.writeBytes);
      return over === null ? { raw: item.path, path, text } : { raw: item.path, problem: over };
    });
    const texts = new Map(uploads.flatMap((upload) => (upload.problem ? [] : [[upload.path, upload.text] as const])));
    const done =
      texts.size === 0 ? null : await this.during("uploadFiles", "", () => this.repository.change(uploading(texts)));
    return uploads.map((upload) => {
      if (upload.problem) return refused(upload.raw, upload.problem);
      if (isFailure(done)) return refused(upload.raw, done);
      const reason = done?.refused?.get(upload.path);
      return reason === undefined
        ? { path: upload.raw, error: null }
        : refused(upload.raw, failure("uploadFiles", reason, upload.raw));
    });
  }

  /** Fetches files; one answer per path, in order. */
  async downloadFiles(paths: string[]): Promise<FileDownloadResponse[]> {
    const answers = parseDownloads(paths).map(async (item): Promise<FileDownloadResponse> => {
      if ("failure" in item) return { ...refused(item.path, item.failure), content: null };
      const found = await this.reading("downloadFiles", item.path, (at, files) => {
        const bytes = records.download(lookupIn(files), at);
        return isFailure(bytes) ? bytes : { bytes };
      });
      return isFailure(found)
        ? { ...refused(item.path, found), content: null }
        : { path: item.path, error: null, content: found.bytes };
    });
    return Promise.all(answers);
  }

  /** Runs a method on the files as they are visible now. */
  private reading<T>(
    method: Method,
    asked: string,
    use: (at: PathPair, files: HubFiles) => T | Failure,
  ): Promise<T | Failure> {
    return this.during(method, asked, async () => {
      const parsed = getBinding().rules.parsePath(method, asked);
      if (isFailure(parsed)) return parsed;
      const files = await this.repository.files();
      return use({ shown: asked, path: `/${located(files, parsed.path.slice(1))}` }, files);
    });
  }

  private changing(
    method: Method,
    raw: string,
    intend: (path: string) => Intent,
  ): Promise<Awaited<ReturnType<HubRepository["change"]>>> {
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

function tableOf(files: HubFiles): FileTable {
  const paths = pathsOf(files);
  const texts = [...files.values()];
  return {
    paths,
    row: (at) => ({ path: paths[at] ?? "", is_dir: false, size: utf8Bytes(texts[at] ?? "") }),
    modified: () => "",
  };
}

function lookupIn(files: HubFiles): FileLookup {
  return {
    find: (path) => {
      const text = files.get(path.slice(1));
      return text === undefined ? undefined : recordOf(path, text);
    },
    isFolder: (path) => holdsBelow(files, path.slice(1)),
    fileAbove: (path) => (blockedBy(files, path.slice(1)) === "not_a_directory" ? path : null),
  };
}

/** A file as a record. The Hub keeps text and no types: a binary type that the name tells would be wrong. */
function recordOf(path: string, content: string): FileDataV2 {
  const told = getBinding().rules.mimeOf(path);
  const now = new Date().toISOString();
  return { content, mimeType: told.text ? told.mimeType : "text/plain", created_at: now, modified_at: now };
}

/** The text of UTF-8 bytes; null when they are something else. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
