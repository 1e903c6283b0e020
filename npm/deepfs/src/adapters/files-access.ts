/** The files of the graph that a call is in, and how to change them. */

import type { FileData } from "../protocol/file-data.js";
import { Relatives } from "./family.js";
import type { GraphTask } from "./graph.js";
import { type FileRecords, type FilesUpdate, Turn } from "./turn.js";

/** Files of a graph and how to change them. */
export interface FilesAccess {
  /** The step during which `files` does not change; `null` where its owner may change it at any time. */
  readonly step: string | null;
  /** The files without what is in `latest`. */
  readonly files: FileRecords;
  /** What this step has changed in them so far: `null` for a removed key. */
  readonly latest: ReadonlyMap<string, FileData | null>;
  /** Sends an update, and lets the other tasks of the step, and graphs that run beside this one, know of it. */
  send(update: FilesUpdate): void;
}

const FILES = "files";
const NOTHING: ReadonlyMap<string, FileData | null> = new Map();

/**
 * The files channel of a task's graph.
 *
 * @throws Whatever LangGraph throws for a graph without such a channel.
 */
export function channelFiles(task: GraphTask): FilesAccess {
  const committed = asFiles(task.committed(FILES));
  if (committed === null) {
    // A channel without a first value has no object that the tasks could share.
    const files = asFiles(task.fresh(FILES)) ?? {};
    return { step: task.step, files, latest: NOTHING, send: (update) => task.send(FILES, update) };
  }
  const turn = Turn.of(committed, task.step);
  const relatives = relativesOf(task, turn);
  const fresh = asFiles(task.fresh(FILES)) ?? {};
  turn.dropRetried(fresh, task.id);
  return {
    step: task.step,
    files: fresh,
    latest: turn.latest,
    send: (update) => {
      turn.record(task.id, update);
      relatives.changed(update);
      task.send(FILES, update);
    },
  };
}

/**
 * The files of a runtime object (the deprecated form). Updates go back through the caller; inside a graph the tasks of
 * a step share them as well.
 */
export function runtimeFiles(state: unknown, task: GraphTask | undefined): FilesAccess {
  const files = asFiles((state as { files?: unknown } | null | undefined)?.files) ?? {};
  const committed = task === undefined ? null : sharedFiles(task);
  if (task === undefined || committed === null) {
    return { step: null, files, latest: NOTHING, send: () => {} };
  }
  const turn = Turn.of(committed, task.step);
  const relatives = relativesOf(task, turn);
  return {
    step: null,
    files,
    latest: turn.latest,
    send: (update) => {
      turn.record(task.id, update);
      relatives.changed(update);
    },
  };
}

function relativesOf(task: GraphTask, turn: Turn): Relatives {
  return new Relatives(task, turn, () => sharedFiles(task));
}

/** The object that all tasks of a step share. A runtime's state is a copy made for one task. */
function sharedFiles(task: GraphTask): FileRecords | null {
  try {
    return asFiles(task.committed(FILES));
  } catch {
    // A graph without such a channel: nothing is shared, and the caller applies the updates its own way.
    return null;
  }
}

function asFiles(value: unknown): FileRecords | null {
  return typeof value === "object" && value !== null ? (value as FileRecords) : null;
}
