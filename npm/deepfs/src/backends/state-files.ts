/** Where the files of a `StateBackend` are, as its methods use them once the arguments are checked. */

import type { EditArguments, GrepArguments } from "../protocol/arguments.js";
import type { FileData } from "../protocol/file-data.js";
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
import type { TransferItem } from "../protocol/transfers.js";

/** Paths are as the caller spelt them; `now` is the time of the call as ISO text. */
export interface StateFiles {
  ls(path: string): LsResult;
  read(path: string, lines: { offset: number; limit: number }): ReadResult;
  readRaw(path: string): ReadRawResult;
  write(path: string, content: string | Uint8Array, now: string): WriteResult;
  edit(asked: EditArguments, now: string): EditResult;
  grep(asked: GrepArguments): GrepResult;
  glob(pattern: string, path: string): GlobResult;
  delete(path: string): DeleteResult;
  upload(items: TransferItem<Uint8Array>[], now: string): Uploaded;
  download(items: TransferItem<string>[]): FileDownloadResponse[];
  snapshot(): Record<string, FileData>;
}

/** The answers of an upload; with the update, where the caller has to apply it. */
export type Uploaded = FileUploadResponse[] & { filesUpdate?: Record<string, FileData> };
