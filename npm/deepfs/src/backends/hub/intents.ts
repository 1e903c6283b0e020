/**
 * What a caller wants changed, as something that can be worked out again on other files: after another writer was first,
 * an edit is applied to the new text, and a delete takes what is below the folder by then.
 */

import { hasSpellings, otherSpelling, otherSpellings } from "../../adapters/spellings.js";
import { tooLarge } from "../../adapters/record-files.js";
import { editRecord } from "../../adapters/record-read.js";
import { type Failure, isFailure } from "../../binding/contract.js";
import type { EditArguments } from "../../protocol/arguments.js";
import { failure } from "../../protocol/failure.js";

/** Texts by path without a leading slash. */
export type HubFiles = ReadonlyMap<string, string>;
/** New texts by path; null removes. */
export type Changes = ReadonlyMap<string, string | null>;

/** What an intent does to given files. */
export interface Plan {
  readonly changes: Changes;
  /** Uploads that cannot be put, with the code of the reason. */
  readonly refused?: ReadonlyMap<string, string>;
  /** Replacements that an edit makes. */
  readonly occurrences?: number;
  /** Whether an edit fills an empty file. */
  readonly filled?: boolean;
}

/** Works out the changes on the files as they are, or says why it cannot be done. */
export type Intent = (files: HubFiles) => Plan | Failure;

/** Puts one file. */
export function putting(shown: string, asked: string, text: string, isCreateOnly: boolean): Intent {
  return (files) => {
    const path = located(files, asked);
    if (isCreateOnly && files.has(path)) return failure("write", "already_exists", shown);
    const blocked = blockedBy(files, path);
    return blocked === null ? { changes: new Map([[path, text]]) } : failure("write", blocked, shown);
  };
}

/** Puts uploaded files, one after the other; those that cannot be put are left out. */
export function uploading(texts: HubFiles): Intent {
  return (files) => {
    const after = new Map(files);
    const changes = new Map<string, string>();
    const refused = new Map<string, string>();
    const located = otherSpellings(files.keys(), [...texts.keys()]);
    for (const [index, [asked, text]] of [...texts].entries()) {
      const path = located[index] ?? asked;
      const blocked = blockedBy(after, path);
      if (blocked !== null) {
        refused.set(asked, blocked);
        continue;
      }
      after.set(path, text);
      changes.set(path, text);
    }
    return { changes, refused };
  };
}

/** Edits one file; `mostBytes` is the limit for what comes out. */
export function editing(spelt: string, asked: EditArguments, mostBytes: number | undefined): Intent {
  return (files) => {
    const path = located(files, spelt);
    const text = files.get(path);
    if (text === undefined) return failure("edit", blockedBy(files, path) ?? "file_not_found", asked.path);
    const file = { content: text, mimeType: "text/plain", createdAt: "", modifiedAt: "", format: "v2" } as const;
    const edited = editRecord(`/${path}`, file, asked);
    if (isFailure(edited)) return edited;
    const content = String(edited.content);
    const over = tooLarge("edit", asked.path, content, mostBytes);
    return over ?? { changes: new Map([[path, content]]), occurrences: edited.occurrences, filled: edited.filled };
  };
}

/** Removes a file, or a folder with all it holds. */
export function deleting(shown: string, asked: string): Intent {
  return (files) => {
    const path = located(files, asked);
    const gone = [...files.keys()].filter((key) => key === path || key.startsWith(`${path}/`));
    return gone.length === 0
      ? failure("delete", blockedBy(files, path) ?? "file_not_found", shown)
      : { changes: new Map(gone.map((key) => [key, null])) };
  };
}

/** Where the file is that is asked for as `path`: perhaps under another spelling of the same letters. */
export function located(files: HubFiles, path: string): string {
  return !hasSpellings(path) || files.has(path) ? path : otherSpelling([...files.keys()], path);
}

/** Why no file can be put at a path: it leads through a file, or it is a folder. Null: it can. */
export function blockedBy(files: HubFiles, path: string): "not_a_directory" | "is_directory" | null {
  if (files.has(path)) return null;
  const names = path.split("/");
  const leadsThroughFile = names.slice(1).some((_, index) => files.has(names.slice(0, index + 1).join("/")));
  if (leadsThroughFile) return "not_a_directory";
  return holdsBelow(files, path) ? "is_directory" : null;
}

/** Whether any file lies below a path. */
export function holdsBelow(files: HubFiles, path: string): boolean {
  const prefix = path === "" ? "" : `${path}/`;
  for (const key of files.keys()) {
    if (key.startsWith(prefix)) return true;
  }
  return false;
}

/** The files with changes applied. */
export function applied(files: HubFiles, changes: Changes): Map<string, string> {
  const next = new Map(files);
  applyTo(next, changes);
  return next;
}

/** Applies changes to files that are one's own. */
export function applyTo(files: Map<string, string>, changes: Changes): void {
  for (const [path, text] of changes) {
    if (text === null) files.delete(path);
    else files.set(path, text);
  }
}
