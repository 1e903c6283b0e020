/** The state backends that need nothing around them; no Node module is imported here, a page runs them too. */

import type * as Deepfs from "deepfs";
import type { CorpusTarget } from "../support/corpus.js";

type Exports = Pick<typeof Deepfs, "StateBackend">;

/** Records know no ignore files. */
export const RECORD_LACKS = ["gitignore"];

/** The backend's own memory: no graph is running. */
export function memoryTarget({ StateBackend }: Exports, build: string): CorpusTarget {
  return {
    name: `StateBackend, own memory, ${build}`,
    groups: ["js", "records", "memory"],
    dialect: "state",
    lacks: RECORD_LACKS,
    open: async (options) => ({ backend: new StateBackend(options) }),
  };
}

/** The runtime object of old: the caller applies `filesUpdate`. */
export function legacyTarget({ StateBackend }: Exports, build: string): CorpusTarget {
  return {
    name: `StateBackend, legacy runtime, ${build}`,
    groups: ["js", "records", "legacy"],
    dialect: "state",
    lacks: RECORD_LACKS,
    async open(options) {
      const runtime = { state: { files: {} as Record<string, unknown> } };
      const backend = new StateBackend(runtime as never, options);
      const apply = (update: Record<string, unknown> | undefined | null): void => {
        runtime.state.files = reduceFiles(runtime.state.files, update ?? {});
      };
      return {
        backend: observed(backend, (result) =>
          apply((result as { filesUpdate?: Record<string, unknown> }).filesUpdate),
        ),
      };
    },
  };
}

/** How agents reduce the files of their state: by key, `null` deletes. */
export function reduceFiles(files: Record<string, unknown>, update: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...files, ...update }).filter(([, record]) => record !== null));
}

function observed(backend: object, see: (result: object) => void): object {
  return new Proxy(backend, {
    get(target, name) {
      const method = Reflect.get(target, name) as unknown;
      if (typeof method !== "function") return method;
      return (...args: unknown[]) => {
        const result = method.apply(target, args) as unknown;
        if (typeof result === "object" && result !== null) see(result);
        return result;
      };
    },
  });
}
