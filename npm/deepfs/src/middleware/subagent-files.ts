/** Has subagents hand back to the state what they have changed, and nothing else. */

import { currentTask, type GraphTask } from "../adapters/graph.js";
import { Family } from "../adapters/family.js";
import { type FileRecords, type FilesUpdate, holds } from "../adapters/turn.js";

/** What `createMiddleware` of `langchain` marks a middleware with. */
const MIDDLEWARE_BRAND = Symbol.for("AgentMiddleware");

/** A middleware for `createAgent` and `createDeepAgent`, in a shape of our own: see `BlobOffloadMiddleware`. */
export interface SubagentFilesMiddleware {
  readonly name: string;
  wrapToolCall<Request extends object, Result>(
    request: Request,
    handler: (request: Request) => Result | Promise<Result>,
  ): Promise<Result>;
}

/**
 * A middleware for agents with a `StateBackend` whose subagents run at once.
 *
 * A subagent starts with a copy of its caller's files, and hands back every file when it ends. So what it never touched
 * goes over what others have changed meanwhile, and what it deleted is still there. With this middleware only its
 * changes and deletions go back; and where another one changes a file later that it has changed as well, the later
 * change stays.
 *
 * ```ts
 * const agent = createDeepAgent({ backend: new StateBackend(), middleware: [createSubagentFilesMiddleware()] });
 * ```
 */
export function createSubagentFilesMiddleware(): SubagentFilesMiddleware {
  const middleware: SubagentFilesMiddleware = {
    name: "SubagentFilesMiddleware",
    wrapToolCall: async (request, handler) => {
      const result = await handler(request);
      const returned = filesOf(updateOf(result));
      const task = currentTask();
      const before = returned === undefined || task === undefined ? undefined : filesBefore(task);
      if (returned === undefined || task === undefined || before === undefined) {
        return result;
      }
      const changes = changesIn(returned, before);
      const level = task.levels().at(-1);
      if (level !== undefined) {
        const family = Family.of(level);
        if (family.isAllOf(level.task, returned)) {
          Object.assign(changes, missingIn(returned, before));
        }
        family.ended(level.task, changes, (update) => task.send("files", update));
      }
      return withFiles(result as typeof result & object, changes);
    },
  };
  return Object.assign(middleware, { [MIDDLEWARE_BRAND]: true });
}

/** The update of a command; other answers of tools have none. */
function updateOf(result: unknown): unknown {
  const update = typeof result === "object" && result !== null ? (result as { update?: unknown }).update : undefined;
  return Array.isArray(update) ? Object.fromEntries(update as [string, unknown][]) : update;
}

/** The files of the step that the tool was called in. A request's state has those fields only that its middleware declares. */
function filesBefore(task: GraphTask): FileRecords | undefined {
  try {
    return filesOf({ files: task.committed("files") });
  } catch {
    // A graph without files: what comes back is for its owner to understand.
    return undefined;
  }
}

function filesOf(values: unknown): FileRecords | undefined {
  const files = typeof values === "object" && values !== null ? (values as { files?: unknown }).files : undefined;
  return typeof files === "object" && files !== null ? (files as FileRecords) : undefined;
}

function changesIn(after: FileRecords, before: FileRecords): FilesUpdate {
  return Object.fromEntries(Object.entries(after).filter(([key, record]) => !holds(before, key, record)));
}

/** What is gone. Other tools give some of the files only, and do not mean that the rest is gone. */
function missingIn(after: FileRecords, before: FileRecords): FilesUpdate {
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  return Object.fromEntries(gone.map((key) => [key, null]));
}

/** The command with other files in its update; its class and everything else stay. */
function withFiles<Result extends object>(result: Result, files: FilesUpdate): Result {
  const { update } = result as { update?: unknown };
  const changed = Array.isArray(update)
    ? (update as [string, unknown][]).map((entry) => (entry[0] === "files" ? ["files", files] : entry))
    : { ...(update as object), files };
  return Object.assign(Object.create(Object.getPrototypeOf(result) as object) as Result, result, { update: changed });
}
