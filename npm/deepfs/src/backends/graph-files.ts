/** The files of a graph's state, through the run's own channel or a runtime object. */

import { FileView } from "../adapters/file-view.js";
import { pathOf } from "../adapters/key-path.js";
import type { FilesAccess } from "../adapters/files-access.js";
import * as records from "../adapters/record-files.js";
import type { FilesUpdate } from "../adapters/turn.js";
import { type Failure, isFailure, type Method, type TransferParts } from "../binding/contract.js";
import { editOutcome } from "../binding/results.js";
import type { EditArguments, GrepArguments } from "../protocol/arguments.js";
import type { FileData } from "../protocol/file-data.js";
import type {
  DeleteResult,
  EditResult,
  FileDownloadResponse,
  GlobResult,
  GrepResult,
  LsResult,
  ReadRawResult,
  ReadResult,
  WriteResult,
} from "../protocol/results.js";
import { downloadAnswers, failedParts, goodItems, type TransferItem, uploadAnswers } from "../protocol/transfers.js";
import type { StateFiles, Uploaded } from "./state-files.js";

/** The protocol on records that the graph owns. Made for one call. */
export class GraphFiles implements StateFiles {
  private readonly view: FileView;

  /**
   * @param returnsUpdates - Whether each change also goes back to the caller, as the forms made from a runtime do.
   */
  constructor(
    private readonly access: FilesAccess,
    private readonly settings: records.RecordSettings,
    private readonly returnsUpdates: boolean,
  ) {
    this.view = new FileView(access);
  }

  ls(path: string): LsResult {
    return this.at("ls", path, (pair) => records.ls(this.view, pair, this.settings));
  }

  read(path: string, lines: { offset: number; limit: number }): ReadResult {
    return this.at("read", path, (pair) => records.read(this.view, pair, lines, this.settings));
  }

  readRaw(path: string): ReadRawResult {
    return this.at("readRaw", path, (pair) => records.readRaw(this.view, pair, this.settings));
  }

  write(path: string, content: string | Uint8Array, now: string): WriteResult {
    return this.at<WriteResult>("write", path, (pair) => {
      const stored = records.write(this.view, pair, content, this.settings, now);
      return isFailure(stored) ? stored : { path, ...this.send({ [pair.path]: stored.record }) };
    });
  }

  edit(asked: EditArguments, now: string): EditResult {
    return this.at<EditResult>("edit", asked.path, (pair) => {
      const edited = records.edit(this.view, pair, asked, this.settings, now);
      return isFailure(edited)
        ? edited
        : { path: asked.path, ...this.send({ [pair.path]: edited.record }), ...editOutcome(edited) };
    });
  }

  grep(asked: GrepArguments): GrepResult {
    return this.at("grep", asked.path, (pair) => records.grep(this.view, asked, pair, this.settings));
  }

  glob(pattern: string, path: string): GlobResult {
    return this.at("glob", path, (pair) => records.glob(this.view, pattern, pair, this.settings));
  }

  delete(path: string): DeleteResult {
    return this.at<DeleteResult>("delete", path, (pair) => {
      const keys = records.remove(this.view, pair);
      return isFailure(keys) ? keys : { path, ...this.send(Object.fromEntries(keys.map((key) => [key, null]))) };
    });
  }

  upload(items: TransferItem<Uint8Array>[], now: string): Uploaded {
    const update: Record<string, FileData> = {};
    const { paths, values } = goodItems(items);
    const parts = values.map((content, index): TransferParts => {
      const stored = this.at<Failure | null>("uploadFiles", paths[index] ?? "", (pair) => {
        const file = records.upload(this.view, pair, content, this.settings, now);
        if (isFailure(file)) {
          return file;
        }
        update[pair.path] = file.record;
        this.view.add(pair.path, file.record);
        return null;
      });
      return stored === null ? { error: null } : failedParts(stored);
    });
    const answers = uploadAnswers(items, parts);
    if (Object.keys(update).length > 0) {
      this.access.send(update);
    }
    return this.returnsUpdates ? Object.assign(answers, { filesUpdate: update }) : answers;
  }

  download(items: TransferItem<string>[]): FileDownloadResponse[] {
    const parts = goodItems(items).paths.map((path) => {
      const content = this.at<Uint8Array | Failure>("downloadFiles", path, (pair) => records.download(this.view, pair));
      return isFailure(content) ? { ...failedParts(content), content: null } : { error: null, content };
    });
    return downloadAnswers(items, parts);
  }

  snapshot(): Record<string, FileData> {
    const { paths, records: values } = this.view.index();
    return Object.fromEntries(paths.map((path, index) => [path, values[index] as FileData]));
  }

  /** Sends an update. What it returns belongs into the result. */
  private send<Update extends FilesUpdate>(update: Update): { filesUpdate?: Update } {
    this.access.send(update);
    return this.returnsUpdates ? { filesUpdate: update } : {};
  }

  /** Runs an operation on the path that the caller's text means. */
  private at<T>(method: Method, shown: string, operation: (pair: records.PathPair) => T): T | Failure {
    const parsed = pathOf(method, shown);
    return isFailure(parsed) ? parsed : operation({ shown, path: this.view.locate(parsed.path) });
  }
}
