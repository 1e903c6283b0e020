/** Files that a `StateBackend` holds itself, in the core's memory. */

import { marked } from "../adapters/budget.js";
import { asV2, openRecord, V1_HOLDS_TEXT } from "../adapters/file-data.js";
import {
  type Failure,
  isFailure,
  type MemoryHandle,
  type Method,
  type RecordParts,
  type StoredContent,
} from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import { editOutcome, readResult } from "../binding/results.js";
import { unpackFiles, unpackMatches } from "../binding/unpack.js";
import { bytesOf, type EditArguments, type GrepArguments } from "../protocol/arguments.js";
import { failure } from "../protocol/failure.js";
import type { FileData, FileDataV2 } from "../protocol/file-data.js";
import type {
  DeleteResult,
  EditResult,
  FileDownloadResponse,
  FileUploadResponse,
  GlobResult,
  GrepResult,
  LsResult,
  ReadRawResult,
  ReadResult,
  WriteResult,
} from "../protocol/results.js";
import { downloadAnswers, goodItems, type TransferItem, uploadAnswers } from "../protocol/transfers.js";
import { isWellFormed } from "../protocol/well-formed.js";
import type { StateFiles } from "./state-files.js";

/** Files to start with: records, or just their contents. */
export type FilesInput = Readonly<Record<string, FileData | string | Uint8Array>>;

/** The files as the core takes them; a failure for a path or a content that cannot be. */
export function recordParts(files: FilesInput, now: string): RecordParts[] | Failure {
  if (typeof files !== "object" || files === null) {
    return failure("write", "invalid_argument", "", "files must be an object of paths and records");
  }
  const { rules } = getBinding();
  const parts: RecordParts[] = [];
  for (const [key, value] of Object.entries(files)) {
    if (!isWellFormed(key)) {
      return failure("write", "invalid_path", key, "it has a lone surrogate, which has no UTF-8 form");
    }
    const parsed = rules.parsePath("write", key);
    if (isFailure(parsed)) {
      return parsed;
    }
    const { path } = parsed;
    const plain = typeof value === "string" ? value : bytesOf(value);
    const file = openRecord(plain === null ? value : { content: plain });
    if (file === null || (typeof file.content === "string" && !isWellFormed(file.content))) {
      return failure("write", "invalid_content", key, "it is neither a record, nor text, nor bytes");
    }
    const { content, mimeType, created_at, modified_at } = asV2(file, rules.mimeOf(path).mimeType);
    parts.push({ path, content, mimeType, created_at: created_at || now, modified_at: modified_at || now });
  }
  return parts;
}

/** A record in a format: bytes stay as they are, for which `v1` has no form. */
function inFormat(record: FileDataV2, format: "v1" | "v2"): FileData {
  const { content, created_at, modified_at } = record;
  return format === "v1" && typeof content === "string"
    ? { content: content.split("\n"), created_at, modified_at }
    : record;
}

/** The protocol on files in the core's memory. */
export class OwnFiles implements StateFiles {
  constructor(
    private readonly memory: MemoryHandle,
    private readonly format: "v1" | "v2",
  ) {}

  ls(path: string): LsResult {
    const packed = this.memory.ls(path);
    return isFailure(packed) ? packed : marked({ files: unpackFiles(packed) }, packed);
  }

  read(path: string, lines: { offset: number; limit: number }): ReadResult {
    return readResult(this.memory.read(path, lines.offset, lines.limit));
  }

  readRaw(path: string): ReadRawResult {
    const parts = this.memory.readRaw(path);
    if (isFailure(parts)) {
      return parts;
    }
    const { content, mimeType, created, modified, encoding } = parts;
    const record = { content, mimeType, created_at: created, modified_at: modified };
    const data = inFormat(record, this.format);
    return encoding === undefined ? { data } : { data, encoding };
  }

  write(path: string, content: string | Uint8Array, now: string): WriteResult {
    if (this.format === "v1") {
      const stored = getBinding().rules.storeContent(path, content);
      const refused = isFailure(stored) ? stored : this.refusedByFormat("write", path, stored);
      if (refused !== null) {
        return refused;
      }
    }
    return this.memory.write(path, content, now) ?? { path };
  }

  edit(asked: EditArguments, now: string): EditResult {
    const { path, oldString, newString, replaceAll } = asked;
    const done = this.memory.edit(path, oldString, newString, replaceAll, now);
    return isFailure(done) ? done : { path, ...editOutcome(done) };
  }

  grep({ pattern, path, glob, maxCount }: GrepArguments): GrepResult {
    const packed = this.memory.grep(pattern, path, glob, maxCount);
    return isFailure(packed) ? packed : marked({ matches: unpackMatches(packed) }, packed);
  }

  glob(pattern: string, path: string): GlobResult {
    const packed = this.memory.glob(pattern, path);
    return isFailure(packed) ? packed : marked({ files: unpackFiles(packed) }, packed);
  }

  delete(path: string): DeleteResult {
    return this.memory.delete(path) ?? { path };
  }

  upload(items: TransferItem<Uint8Array>[], now: string): FileUploadResponse[] {
    const checked = items.map((item): TransferItem<Uint8Array> => {
      if ("failure" in item || this.format === "v2") {
        return item;
      }
      const stored = getBinding().rules.storeUpload(item.path, item.value);
      const problem = this.refusedByFormat("uploadFiles", item.path, stored);
      return problem === null ? item : { path: item.path, failure: problem };
    });
    const { paths, values } = goodItems(checked);
    return uploadAnswers(checked, this.memory.upload(paths, values, now));
  }

  download(items: TransferItem<string>[]): FileDownloadResponse[] {
    return downloadAnswers(items, this.memory.download(goodItems(items).paths));
  }

  snapshot(): Record<string, FileData> {
    const records = this.memory.snapshot();
    return Object.fromEntries(records.map(({ path, ...record }) => [path, inFormat(record, this.format)]));
  }

  private refusedByFormat(method: Method, path: string, stored: StoredContent): Failure | null {
    return this.format === "v1" && typeof stored.content !== "string"
      ? failure(method, "invalid_content", path, V1_HOLDS_TEXT)
      : null;
  }
}
