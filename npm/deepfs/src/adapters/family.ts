/**
 * What the graphs inside one step of a graph have written to their files: subagents that run at once.
 *
 * A subagent is a graph inside a task. It starts with a copy of its caller's files and hands back all of them when it
 * ends, those it never touched as well. So of two that run at once, or of one beside a tool call, the later answer
 * would put back the old text of what the other has changed.
 *
 * A {@link Family} is what they share: the tool calls of the step, and the graphs inside it. A change in one is made in
 * the files of all the others, also of those that have ended and wait for the step to end. In whatever order LangGraph
 * takes their answers, a file ends as the last caller was told.
 *
 * What this cannot do: a graph that never calls a backend is not known here, and a file that a subagent deletes stays
 * with its caller, because the answer has no place for what is gone.
 */

import type { FileData } from "../protocol/file-data.js";
import { forgetIndex } from "./file-index.js";
import type { GraphLevel, GraphTask } from "./graph.js";
import { type FileRecords, type FilesUpdate, holds, Turn } from "./turn.js";

/** Entries after which the dead ones are looked for; the oldest go where nothing tells which are dead. */
const MANY_FAMILIES = 256;

/** What can be reached as long as somebody else holds it. */
type Held<T> = { deref(): T | undefined };

function held<T extends object>(value: T): Held<T> {
  return typeof WeakRef === "function" ? new WeakRef(value) : { deref: () => value };
}

const FAMILIES = Symbol.for("deepfs.families.v2");

interface Registry {
  readonly byStep: Map<string, Held<Family>>;
  /**
   * What keeps a family: a file of a graph in it. A graph passes its records on from step to step, so the family lives
   * as long as one of its graphs does.
   */
  readonly keptBy: WeakMap<FileData, Set<Family>>;
}

/** Registered on `globalThis`, as the turns are. */
const { byStep, keptBy } = ((globalThis as Record<symbol, unknown>)[FAMILIES] ??= {
  byStep: new Map(),
  keptBy: new WeakMap(),
}) as Registry;

/** A graph inside a task of the step. */
interface Member {
  /** Its files as they are now; unknown until one of its own tasks has called. */
  read: (() => FileRecords | null) | undefined;
  /** What is inside its own current step. */
  inner: Family | undefined;
  /** Where it was at the last call, to notice that it was started again. */
  seen: { step: number; checkpoint: string };
  /** The latest change of another that was made in its files, to notice that they come from a checkpoint before that. */
  given: { key: string; record: FileData | null } | undefined;
  /** Takes what is changed after it has ended; only a middleware knows how. */
  late: ((update: FilesUpdate) => void) | undefined;
}

/** Where a graph is that calls itself. */
interface Place {
  read: () => FileRecords | null;
  step: number;
  checkpoint: string;
}

interface Change {
  record: FileData | null;
  by: string;
}

/** The tasks of one step of one graph, and the graphs inside them. */
export class Family {
  private readonly members = new Map<string, Member>();
  /** Changes that graphs inside the tasks have made. */
  private readonly changes = new Map<string, Change>();
  private turn: Held<Turn> | undefined;

  static of({ graph, step }: GraphLevel): Family {
    const key = `${graph}\n${step}`;
    const family = byStep.get(key)?.deref() ?? new Family();
    byStep.delete(key);
    byStep.set(key, held(family));
    if (byStep.size > MANY_FAMILIES) {
      forgetDead();
    }
    return family;
  }

  /** The tool calls of the step itself. */
  join(turn: Turn): void {
    if (this.turn?.deref() === turn) {
      return;
    }
    // A turn lives as long as the files that its step began with, and no longer because of this.
    this.turn = held(turn);
    turn.overtake(this.changesOfOthers(null));
  }

  /** A graph inside a task calls; without a place, a graph inside that one. */
  enter(task: string, inner: Family | undefined, place?: Place): void {
    const member: Member = this.members.get(task) ?? {
      read: undefined,
      inner: undefined,
      seen: { step: -1, checkpoint: "" },
      given: undefined,
      late: undefined,
    };
    this.members.set(task, member);
    member.inner = inner;
    member.late = undefined;
    if (place === undefined) {
      return;
    }
    const { seen } = member;
    const files = place.read();
    this.keepWith(firstOf(files));
    const isFirst = member.read === undefined;
    const isAgain = place.step < seen.step || (place.step === seen.step && place.checkpoint !== seen.checkpoint);
    const isReloaded = member.given !== undefined && !holds(files ?? {}, member.given.key, member.given.record);
    member.read = place.read;
    member.seen = { step: place.step, checkpoint: place.checkpoint };
    if (!isFirst && isAgain) {
      this.takeBack(task, files);
    }
    if (isFirst || isAgain || isReloaded) {
      bringUpToDate(member, this.changesOfOthers(task));
    }
  }

  /** Whether these are the files of the graph inside a task: all that it has, and not a part of them. */
  isAllOf(task: string, files: FileRecords): boolean {
    return this.members.get(task)?.read?.() === files;
  }

  /**
   * The graph inside a task has ended and hands back these changes. Where another changes one of the files later, it is
   * sent after them.
   */
  ended(task: string, changes: FilesUpdate, send: (update: FilesUpdate) => void): void {
    const member = this.members.get(task);
    if (member === undefined) {
      return;
    }
    // The copy that it was is of no more use.
    member.read = undefined;
    member.inner = undefined;
    member.late = (update) => {
      const later = Object.fromEntries(Object.entries(update).filter(([key]) => Object.hasOwn(changes, key)));
      if (Object.keys(later).length > 0) {
        Object.assign(changes, later);
        send(later);
      }
    };
  }

  /** Makes a change known to all but the graph that has made it; `null` stands for the tool calls of the step. */
  changed(by: string | null, update: FilesUpdate): void {
    for (const [key, record] of Object.entries(update)) {
      if (by === null) {
        this.changes.delete(key);
      } else {
        this.changes.set(key, { record, by });
        this.keepWith(record);
      }
    }
    if (by !== null) {
      this.turn?.deref()?.overtake(update);
      const member = this.members.get(by);
      if (member?.given !== undefined && Object.hasOwn(update, member.given.key)) {
        member.given = undefined;
      }
    }
    for (const [task, member] of this.members) {
      if (task !== by) {
        bringUpToDate(member, update);
      }
    }
  }

  private keepWith(record: FileData | null): void {
    if (record !== null) {
      keptBy.set(record, (keptBy.get(record) ?? new Set()).add(this));
    }
  }

  /** Changes from further out. */
  overtake(update: FilesUpdate): void {
    this.turn?.deref()?.overtake(update);
    for (const member of this.members.values()) {
      bringUpToDate(member, update);
    }
  }

  /** A graph that is started again has done nothing yet: what it had changed is as it is in its files. */
  private takeBack(task: string, files: FileRecords | null): void {
    const before: FilesUpdate = {};
    for (const [key, { by }] of this.changes) {
      if (by === task) {
        before[key] = files?.[key] ?? null;
        this.changes.delete(key);
      }
    }
    this.turn?.deref()?.overtake(before);
    for (const [other, member] of this.members) {
      if (other !== task) {
        bringUpToDate(member, before);
      }
    }
  }

  private changesOfOthers(task: string | null): FilesUpdate {
    const latest = task === null ? undefined : this.turn?.deref()?.latest;
    const update: FilesUpdate = Object.fromEntries(latest ?? []);
    for (const [key, { record, by }] of this.changes) {
      if (by === task) {
        delete update[key];
      } else {
        update[key] = record;
      }
    }
    return update;
  }
}

function firstOf(files: FileRecords | null): FileData | null {
  for (const key in files) {
    return files[key] ?? null;
  }
  return null;
}

function forgetDead(): void {
  for (const [key, family] of byStep) {
    if (family.deref() === undefined) {
      byStep.delete(key);
    }
  }
  if (typeof WeakRef === "function") {
    return;
  }
  for (const oldest of byStep.keys()) {
    if (byStep.size <= MANY_FAMILIES) {
      return;
    }
    byStep.delete(oldest);
  }
}

/** Makes changes in the files that a graph holds now, and in what its tasks are about to write to them. */
function bringUpToDate(member: Member, update: FilesUpdate): void {
  const files = member.read?.() ?? null;
  if (files !== null) {
    for (const [key, record] of Object.entries(update)) {
      if (record === null) {
        delete files[key];
      } else {
        files[key] = record;
      }
      member.given = { key, record };
    }
    forgetIndex(files);
    for (const turn of Turn.allOf(files)) {
      turn.overtake(update);
    }
  }
  member.inner?.overtake(update);
  member.late?.(update);
}

/** The families of a step's tasks: that of the step, and those of the steps around its graph. */
export class Relatives {
  private readonly own: Family | undefined;
  private readonly around: { family: Family; task: string }[];

  constructor(task: GraphTask, turn: Turn, read: () => FileRecords | null) {
    const levels = task.levels();
    const all = levels.map((level) => Family.of(level));
    this.own = all.at(-1);
    this.around = all.slice(0, -1).map((family, depth) => ({ family, task: levels[depth]?.task ?? "" }));
    const place = { read, step: task.stepNumber, checkpoint: levels.at(-1)?.step ?? "" };
    for (const [depth, { family, task: name }] of this.around.entries()) {
      family.enter(name, all[depth + 1], depth === this.around.length - 1 ? place : undefined);
    }
    this.own?.join(turn);
  }

  changed(update: FilesUpdate): void {
    this.own?.changed(null, update);
    for (const { family, task } of this.around) {
      family.changed(task, update);
    }
  }
}
