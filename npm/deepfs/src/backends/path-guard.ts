/** A backend behind rules about paths, checked on the normalised path and on where it leads. */

import { type Failure, isFailure, type Method } from "../binding/contract.js";
import * as args from "../protocol/arguments.js";
import { failure } from "../protocol/failure.js";
import { parseDownloads, parseUploads, refused, type TransferItem } from "../protocol/transfers.js";
import type {
  BackendProtocolV2,
  DeleteResult,
  FileDownloadResponse,
  FilesystemOperation,
  FileUploadResponse,
  GlobResult,
  GrepMatch,
} from "../protocol/types.js";
import { cutMatches, grepKept } from "./capped-grep.js";
import { normalPath } from "./normal-path.js";
import { resolveTarget } from "./resolve-target.js";
import { covers } from "./routes.js";
import { type Wrapped, wrapBackend, type WrapperMethods } from "./wrapper.js";

/** Rules about paths. */
export interface PathRules {
  /** For each path, which is normalised and has no final slash, whether the operation may touch it. */
  allows(operation: FilesystemOperation, paths: readonly string[]): boolean[];
  /** Folders and files that rules against writing begin at; deleting what holds one deletes it too. */
  readonly guarded: readonly string[];
}

/** How many links are followed at the same time. */
const RESOLVED_AT_ONCE = 32;

/** Everything below a folder; walks leave `.git` out unless the pattern names it. */
const WHOLE_TREE = ["**/*", "**/.git/**"];

/** Why a path can not be walked that is no folder but a pipe, or a link that leads nowhere within: it is deleted itself. */
const HOLDS_NOTHING = new Set(["outside_root", "symlink_loop", "not_a_regular_file"]);

/** A path that passed, or why it did not. */
type Checked = string | Failure;

/** Puts rules in front of a backend. `execute` is left as it is, or taken away with `null`. */
export function guardPaths(wrapped: Wrapped, rules: PathRules, execute: WrapperMethods["execute"]): BackendProtocolV2 {
  return wrapBackend(wrapped, { ...new PathGuard(wrapped, rules).methods(), execute });
}

class PathGuard {
  constructor(
    private readonly wrapped: Wrapped,
    private readonly rules: PathRules,
  ) {}

  methods(): Omit<WrapperMethods, "execute"> {
    const { backend } = this.wrapped;
    return {
      ls: async (value) => {
        const path = await this.check("ls", "read", value);
        if (isFailure(path)) return path;
        const result = await backend.ls(path);
        return result.files === undefined ? result : { ...result, files: this.readable(result.files) };
      },
      read: async (value, ...window) => {
        const path = await this.check("read", "read", value);
        return isFailure(path) ? path : backend.read(path, ...window);
      },
      readRaw: async (value) => {
        const path = await this.check("readRaw", "read", value);
        return isFailure(path) ? path : backend.readRaw(path);
      },
      write: async (value, ...content) => {
        const path = await this.check("write", "write", value);
        return isFailure(path) ? path : backend.write(path, ...content);
      },
      edit: async (value, ...change) => {
        const path = await this.check("edit", "write", value);
        return isFailure(path) ? path : backend.edit(path, ...change);
      },
      delete: (value) => this.remove(value),
      glob: async (pattern, base) => {
        const path = await this.check("glob", "read", base ?? "/");
        if (isFailure(path)) return path;
        const result = await backend.glob(pattern, base === undefined ? base : path);
        return result.files === undefined ? result : { ...result, files: this.readable(result.files) };
      },
      grep: (...query) => this.search(...query),
      uploadFiles: (files) => this.upload(files),
      downloadFiles: (paths) => this.download(paths),
    };
  }

  private async search(...[pattern, base, glob, maxCount]: Parameters<BackendProtocolV2["grep"]>) {
    const query = args.parseGrep(pattern, base, glob, maxCount);
    if (isFailure(query)) return query;
    const path = await this.check("grep", "read", query.path);
    if (isFailure(path)) return path;
    const open = base === undefined || base === null || base === "";
    const result = await grepKept(
      async (cap) => this.wrapped.backend.grep(query.pattern, open ? base : path, query.glob, cap),
      (matches) => this.readableLines(matches),
      query.maxCount,
    );
    return cutMatches(result, query.maxCount);
  }

  /** Deletes what the rules let go, with all that it holds. */
  private async remove(value: string): Promise<DeleteResult> {
    const path = normalPath("delete", value);
    if (isFailure(path)) return path;
    // A link is deleted, not what it leads to: only the folder that holds it is resolved.
    const slash = path.lastIndexOf("/");
    const folder = await this.target("delete", path.slice(0, slash) || "/");
    if (isFailure(folder)) return failure("delete", folder.code, path);
    const target = `${folder === "/" ? "" : folder}${path.slice(slash)}`;
    const guarded = this.rules.guarded.filter((inside) => covers(path, inside) || covers(target, inside));
    if (!this.rules.allows("write", [path, target, ...guarded]).every(Boolean)) return denied("delete", "write", path);
    for (const pattern of this.rules.guarded.length === 0 ? [] : WHOLE_TREE) {
      const inside: GlobResult = await this.wrapped.backend.glob(pattern, path);
      if (HOLDS_NOTHING.has(inside.code ?? "")) break;
      if (inside.error || inside.truncated) {
        return failure(
          "delete",
          "denied",
          path,
          "what it holds cannot be checked against the rules; delete parts of it",
        );
      }
      const files = inside.files ?? [];
      const targets = path === target ? [] : files.map((file) => target + plain(file.path).slice(path.length));
      const all = [...files.map((file) => plain(file.path)), ...targets];
      if (!this.rules.allows("write", all).every(Boolean)) {
        return failure("delete", "denied", path, "permission denied for write on something that it holds");
      }
    }
    const result = await this.wrapped.backend.delete?.(path);
    return result ?? failure("delete", "unsupported", path);
  }

  private async upload(files: unknown): Promise<FileUploadResponse[]> {
    const send = this.wrapped.backend.uploadFiles;
    return this.transfer<Uint8Array, FileUploadResponse>("uploadFiles", "write", parseUploads(files), {
      send: async (batch) => (await send?.(batch)) ?? [],
      failed: (answer) => answer,
    });
  }

  private async download(paths: unknown): Promise<FileDownloadResponse[]> {
    const send = this.wrapped.backend.downloadFiles;
    return this.transfer<string, FileDownloadResponse>("downloadFiles", "read", parseDownloads(paths), {
      send: async (batch) => (await send?.(batch.map(([path]) => path))) ?? [],
      failed: (answer) => ({ ...answer, content: null }),
    });
  }

  /** Sends on the items that the rules allow and answers for all of them, in order. */
  private async transfer<Value, Answer extends FileUploadResponse>(
    method: Method,
    operation: FilesystemOperation,
    items: TransferItem<Value>[],
    via: { send(batch: [string, Value][]): Promise<Answer[]>; failed(answer: FileUploadResponse): Answer },
  ): Promise<Answer[]> {
    const checked = await inBatches(items, (item) =>
      "failure" in item ? Promise.resolve(item.failure) : this.check(method, operation, item.path),
    );
    const batch: [string, Value][] = [];
    items.forEach((item, index) => {
      const path = checked[index];
      if (typeof path === "string" && "value" in item) batch.push([path, item.value]);
    });
    const sent = batch.length === 0 ? [] : await via.send(batch);
    const answers: Answer[] & { filesUpdate?: unknown } = [];
    let at = 0;
    items.forEach((item, index) => {
      const path = checked[index];
      if (isFailure(path)) {
        answers.push(via.failed(refused(item.path, path)));
        return;
      }
      const answer = sent[at++] ?? via.failed(refused(item.path, failure(method, "unavailable", item.path)));
      answers.push({ ...answer, path: item.path });
    });
    const { filesUpdate } = sent as { filesUpdate?: unknown };
    if (filesUpdate !== undefined) answers.filesUpdate = filesUpdate;
    return answers;
  }

  /** The normalised path, if the rules allow the operation there and where the path leads. */
  private async check(method: Method, operation: FilesystemOperation, value: unknown): Promise<Checked> {
    const path = normalPath(method, value);
    if (isFailure(path)) return path;
    if (!this.rules.allows(operation, [path])[0]) return denied(method, operation, path);
    const target = await this.target(method, path);
    if (isFailure(target)) return target;
    return target === path || this.rules.allows(operation, [target])[0] ? path : denied(method, operation, path);
  }

  /** Where a path leads; what does not exist yet lies in the folder that does. */
  private async target(method: Method, path: string): Promise<Checked> {
    let existing = path;
    let missing = "";
    for (;;) {
      const target = await resolveTarget(this.wrapped.given, existing);
      if (!isFailure(target)) return (target.path === "/" && missing !== "" ? "" : target.path) + missing;
      if (target.code !== "file_not_found" && target.code !== "not_a_directory") {
        return failure(method, target.code, path);
      }
      if (existing === "/") return path;
      const slash = existing.lastIndexOf("/");
      missing = existing.slice(slash) + missing;
      existing = existing.slice(0, slash) || "/";
    }
  }

  private readable<Row extends { path: string }>(rows: readonly Row[]): Row[] {
    const allowed = this.rules.allows(
      "read",
      rows.map((row) => plain(row.path)),
    );
    return rows.filter((_, index) => allowed[index]);
  }

  /** Lines of files that may be read, links followed. */
  private async readableLines(matches: readonly GrepMatch[]): Promise<GrepMatch[]> {
    const paths = [...new Set(matches.map((match) => match.path))];
    const checked = await inBatches(paths, (path) => this.check("grep", "read", path));
    const allowed = new Set(paths.filter((_, index) => typeof checked[index] === "string"));
    return matches.filter((match) => allowed.has(match.path));
  }
}

function denied(method: Method, operation: FilesystemOperation, path: string): Failure {
  return failure(method, "denied", path, `permission denied for ${operation}`);
}

/** A row's path as the rules see it. */
function plain(path: string): string {
  const rooted = path.startsWith("/") ? path : `/${path}`;
  return rooted.length > 1 && rooted.endsWith("/") ? rooted.slice(0, -1) : rooted;
}

async function inBatches<Item, Answer>(
  items: readonly Item[],
  each: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let at = 0; at < items.length; at += RESOLVED_AT_ONCE) {
    const batch = items.slice(at, at + RESOLVED_AT_ONCE).map(each);
    for (const answer of await Promise.all(batch)) answers.push(answer);
  }
  return answers;
}
