/** Uploads and downloads across mounts: one call per mount, one answer per item, in the order of the items. */

import { type Failure, isFailure, type Method } from "../binding/contract.js";
import { failure, thrown } from "../protocol/failure.js";
import { parseDownloads, parseUploads, refused, type TransferItem } from "../protocol/transfers.js";
import type {
  BackendProtocolV2,
  FileData,
  FileDownloadResponse,
  FileUploadResponse,
  MaybePromise,
} from "../protocol/types.js";
import { restorePath } from "./mount-call.js";
import type { Location } from "./routes.js";

type Find = (path: string) => Location | Failure;

/** Answers of a legacy `StateBackend`, which leaves it to the caller to store the files. */
type Uploads = FileUploadResponse[] & { filesUpdate?: Record<string, FileData> };

interface Placed<Value> {
  index: number;
  where: Location;
  value: Value;
}

export async function uploadToMounts(find: Find, files: unknown): Promise<Uploads> {
  const updates: Record<string, FileData>[] = [];
  const answers: Uploads = await transfer<Uint8Array, FileUploadResponse>({
    method: "uploadFiles",
    items: parseUploads(files),
    find,
    send: async (backend, batch) => {
      if (backend.uploadFiles === undefined) return null;
      const sent: Uploads = await backend.uploadFiles(batch.map(({ where, value }) => [where.inner, value]));
      if (sent.filesUpdate !== undefined) updates.push(sent.filesUpdate);
      return sent;
    },
    failed: (answer) => answer,
  });
  if (updates.length > 0) answers.filesUpdate = Object.assign({}, ...updates) as Record<string, FileData>;
  return answers;
}

export async function downloadFromMounts(find: Find, paths: unknown): Promise<FileDownloadResponse[]> {
  return transfer<string, FileDownloadResponse>({
    method: "downloadFiles",
    items: parseDownloads(paths),
    find,
    send: (backend, batch) => backend.downloadFiles?.(batch.map(({ where }) => where.inner)) ?? null,
    failed: (answer) => ({ ...answer, content: null }),
  });
}

interface Transfer<Value, Answer extends FileUploadResponse> {
  method: Method;
  items: TransferItem<Value>[];
  find: Find;
  /** `null` when the backend cannot do this. */
  send(backend: BackendProtocolV2, batch: Placed<Value>[]): MaybePromise<Answer[] | null>;
  failed(answer: FileUploadResponse): Answer;
}

async function transfer<Value, Answer extends FileUploadResponse>(job: Transfer<Value, Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  const batches = new Map<BackendProtocolV2, Placed<Value>[]>();
  job.items.forEach((item, index) => {
    const where = "failure" in item ? item.failure : job.find(item.path);
    if (isFailure(where) || "failure" in item) {
      answers[index] = job.failed(refused(item.path, where as Failure));
      return;
    }
    const placed = { index, where, value: item.value };
    const batch = batches.get(where.mount.backend);
    if (batch === undefined) batches.set(where.mount.backend, [placed]);
    else batch.push(placed);
  });
  const sendBatch = async (backend: BackendProtocolV2, batch: Placed<Value>[]): Promise<void> => {
    const sent = await sendTo(job, backend, batch);
    batch.forEach(({ index, where }, at) => {
      const path = job.items[index]?.path ?? where.outer;
      const answer = isFailure(sent) ? undefined : sent[at];
      if (answer === undefined) {
        const problem = isFailure(sent) ? sent : failure(job.method, "unavailable", where.outer, "no answer for it");
        answers[index] = job.failed(refused(path, problem));
        return;
      }
      const restored = { ...answer, path, error: answer.error ?? null };
      if (restored.message !== undefined) restored.message = restorePath(restored.message, where);
      answers[index] = restored;
    });
  };
  await Promise.all([...batches].map(([backend, batch]) => sendBatch(backend, batch)));
  return answers;
}

async function sendTo<Value, Answer extends FileUploadResponse>(
  job: Transfer<Value, Answer>,
  backend: BackendProtocolV2,
  batch: Placed<Value>[],
): Promise<Answer[] | Failure> {
  const path = batch[0]?.where.outer ?? "/";
  try {
    const sent = await job.send(backend, batch);
    return sent ?? failure(job.method, "unsupported", path);
  } catch (error) {
    return thrown(job.method, path, error);
  }
}
