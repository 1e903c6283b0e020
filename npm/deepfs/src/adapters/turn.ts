/**
 * What the parallel tasks of one step of a graph have written to its files.
 *
 * The tool calls of one model turn run as tasks of one step. Each sees the state as it was when the step began and its
 * own writes, never those of the others, and at the end the last write of a file wins. So two edits of one file would
 * each start from the old text, and one would be lost.
 *
 * A {@link Turn} is what they share instead. Each write is noted, later ones start from it, and the updates already
 * sent for the same file are brought up to date: in whatever order LangGraph applies them, the file ends as the last
 * caller was told.
 *
 * A turn belongs to the object that held the files when the step began. Tasks of one step share that object, and no
 * other step, thread, fork or retried run has it, so nothing can leak from one into another.
 */

import type { FileData } from "../protocol/file-data.js";

/** Files of a graph's state, as the `files` channel holds them. */
export type FileRecords = Record<string, FileData>;

/** A change of the files channel: records to set, `null` to remove. */
export type FilesUpdate = Record<string, FileData | null>;

interface Sent {
  task: string;
  update: FilesUpdate;
}

/** Steps remembered for one object. More than one only where an object lives on from step to step. */
const STEPS_KEPT = 8;

const TURNS = Symbol.for("deepfs.turns.v1");

/** Registered on `globalThis`: a program may hold two copies of this module, as ESM and as CommonJS. */
const turns = ((globalThis as Record<symbol, unknown>)[TURNS] ??= new WeakMap()) as WeakMap<object, Map<string, Turn>>;

/** The writes of one step. */
export class Turn {
  private sent: Sent[] = [];
  private readonly latestOfKey = new Map<string, FileData | null>();
  /** Changes that are made elsewhere: in the files that a graph inside one of the tasks will hand back. */
  private readonly elsewhere = new Map<string, FileData | null>();

  /** The turn of the step that began with these files. */
  static of(committed: FileRecords, step: string): Turn {
    // A reducer that changes its value in place keeps the object from step to step, and a subagent may start with the
    // object of its parent: the step tells those apart.
    const steps = turns.get(committed) ?? new Map<string, Turn>();
    turns.set(committed, steps);
    let turn = steps.get(step);
    if (turn === undefined) {
      turn = new Turn();
      steps.set(step, turn);
      for (const oldest of steps.keys()) {
        if (steps.size <= STEPS_KEPT) {
          break;
        }
        steps.delete(oldest);
      }
    }
    return turn;
  }

  /** The turns of the steps that began with these files. */
  static allOf(committed: FileRecords): Iterable<Turn> {
    return turns.get(committed)?.values() ?? [];
  }

  /** The latest write of each key. */
  get latest(): ReadonlyMap<string, FileData | null> {
    return this.latestOfKey;
  }

  /** Notes an update that a task is about to send. The map is kept, and changed when a later write overtakes it. */
  record(task: string, update: FilesUpdate): void {
    this.replace(update);
    this.sent.push({ task, update });
  }

  /** Notes changes that reach the state without an update of this step; updates of the same files must not undo them. */
  overtake(update: FilesUpdate): void {
    this.replace(update);
    for (const [key, record] of Object.entries(update)) {
      this.elsewhere.set(key, record);
    }
  }

  private replace(update: FilesUpdate): void {
    for (const [key, record] of Object.entries(update)) {
      this.latestOfKey.set(key, record);
      if (this.elsewhere.has(key)) {
        this.elsewhere.set(key, record);
      }
      for (const earlier of this.sent) {
        if (Object.hasOwn(earlier.update, key)) {
          earlier.update[key] = record;
        }
      }
    }
  }

  /**
   * LangGraph throws the writes of a task away when it runs the task again. What the first attempt wrote is then
   * missing from the task's own fresh view, and must not count any more.
   */
  dropRetried(fresh: FileRecords, task: string): void {
    const valid = this.sent.filter((sent) => sent.task !== task || isApplied(sent.update, fresh));
    if (valid.length === this.sent.length) {
      return;
    }
    this.sent = valid;
    this.latestOfKey.clear();
    for (const { update } of valid) {
      for (const [key, record] of Object.entries(update)) {
        this.latestOfKey.set(key, record);
      }
    }
    for (const [key, record] of this.elsewhere) {
      this.latestOfKey.set(key, record);
    }
  }
}

function isApplied(update: FilesUpdate, fresh: FileRecords): boolean {
  return Object.entries(update).every(([key, record]) => {
    const found: FileData | undefined = fresh[key];
    return record === null ? found === undefined : found !== undefined && sameRecord(found, record);
  });
}

/** A reducer may copy a record on its way; it does not change what is in it. */
export function sameRecord(a: FileData, b: FileData): boolean {
  return a === b || (a.modified_at === b.modified_at && a.content === b.content);
}
