/** `uploadFiles` of a store: every file checked by itself, then all put with one claim, in batches. */

import { fault, failureOf } from "../../adapters/fault.js";
import * as records from "../../adapters/record-files.js";
import type { RecordSettings } from "../../adapters/record-files.js";
import { type Failure, isFailure } from "../../binding/contract.js";
import { getBinding } from "../../binding/current.js";
import { failure } from "../../protocol/failure.js";
import { parseUploads, refused } from "../../protocol/transfers.js";
import type { FileUploadResponse, StoreItem } from "../../protocol/types.js";
import { type NewFile, putManyFiles } from "./files.js";
import { throughFile } from "./folders.js";
import { getItems, type Place } from "./items.js";
import { holding, type LockScope } from "./lock.js";
import { fetchedAt, isFolderNow, locateAll } from "./lookup.js";
import { survey } from "./path-index.js";

/** From so many files on, it is looked first which of them are there, and not asked for each. */
const MANY_PATHS = 100;

/** One file of the call: where it goes, or why it cannot be stored. */
type Upload = { shown: string; path: string; content: Uint8Array } | { shown: string; problem: Failure };

/** Runs the work in the store, or says why there is none. */
type InStore = (work: (place: Place, scope: LockScope) => Promise<Record<string, never>>) => Promise<object>;

export async function uploadAll(
  files: unknown,
  settings: RecordSettings,
  now: string,
  inStore: InStore,
): Promise<FileUploadResponse[]> {
  const uploads = parseUploads(files).map((item): Upload => {
    if ("failure" in item) return { shown: item.path, problem: item.failure };
    const parsed = getBinding().rules.parsePath("uploadFiles", item.path);
    if (isFailure(parsed)) return { shown: item.path, problem: parsed };
    if (parsed.path === "/") return { shown: item.path, problem: failure("uploadFiles", "is_directory", item.path) };
    return { shown: item.path, path: parsed.path, content: item.value };
  });
  const good = uploads.flatMap((upload) => ("problem" in upload ? [] : [upload]));
  const outcomes = new Map<string, unknown>();
  const whole =
    good.length === 0
      ? {}
      : await inStore(async (place, scope) => {
          const located = await locateAll(
            place,
            good.map(({ path }) => path),
          );
          good.forEach((upload, index) => (upload.path = located[index] ?? upload.path));
          // Of a path that comes twice, the last one stays.
          const wanted = new Map(good.map((upload) => [upload.path, upload]));
          const paths = [...wanted.keys()];
          await holding(place, { paths }, scope, async (hold) => {
            const blocked = new Set(await throughFile(place, paths));
            const taken = new TakenPaths();
            const previous = await existing(place, paths);
            const news: NewFile[] = [];
            for (const [path, upload] of wanted) {
              const item = previous.get(path) ?? null;
              const isThroughFile = blocked.has(path) || taken.isThroughFile(path);
              const isFolder = taken.isFolder(path) || (item === null && (await isFolderNow(place, path)));
              const target = fetchedAt(path, item, { isThroughFile, isFolder });
              const stored = records.upload(target, upload, upload.content, settings, now);
              if (isFailure(stored)) outcomes.set(path, stored);
              else {
                taken.add(path);
                news.push({ path, record: stored.record, previous: item });
              }
            }
            await putManyFiles(place, news, hold, (done, problem) => {
              for (const path of done) outcomes.set(path, problem);
            });
          });
          return {};
        });
  return uploads.map((upload) => {
    if ("problem" in upload) return refused(upload.shown, upload.problem);
    const outcome = isFailure(whole) ? whole : outcomes.get(upload.path);
    if (outcome === null) return { path: upload.shown, error: null };
    const problem = isFailure(outcome) ? outcome : failureOf("uploadFiles", upload.shown, outcome ?? fault("io"));
    return refused(upload.shown, problem);
  });
}

/** The items that are under the paths already. */
async function existing(place: Place, paths: readonly string[]): Promise<ReadonlyMap<string, StoreItem>> {
  const { rows } = paths.length > MANY_PATHS ? await survey(place, null) : { rows: null };
  const asked = rows === null ? paths : paths.filter((path) => rows.has(path));
  const items = await getItems(place, asked);
  return new Map(asked.flatMap((path, index) => (items[index] ? [[path, items[index]] as const] : [])));
}

/** What the files of one call make of the paths: of a file and a folder at one path, the one given first stays. */
class TakenPaths {
  private readonly files = new Set<string>();
  private readonly folders = new Set<string>();

  add(path: string): void {
    this.files.add(path);
    for (const folder of foldersAbove(path)) this.folders.add(folder);
  }

  isFolder(path: string): boolean {
    return this.folders.has(path);
  }

  isThroughFile(path: string): boolean {
    return foldersAbove(path).some((folder) => this.files.has(folder));
  }
}

function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) folders.push(path.slice(0, end));
  return folders;
}
