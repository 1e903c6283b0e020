/** The corpus over the backends whose files other services hold: stores, and Context Hub (an emulator of it). */

import { readFileSync, readdirSync } from "node:fs";
import { Client } from "langsmith";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startHubEmulator } from "../services/hub-emulator.mjs";
import { deepfs } from "../support/backend.js";
import { applies, type CorpusCase, type CorpusTarget, runCase } from "../support/corpus.js";
import { type OpenStore, STORES } from "../support/stores.js";

const folder = new URL("../corpus/cases/", import.meta.url);
const cases = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .sort()
  .flatMap((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as CorpusCase[]);

/** Records know no ignore files, and their content is always looked into. */
const RECORD_LACKS = ["gitignore", "sniff"];

/** Context Hub holds UTF-8 text only, and no types: cases about bytes do not apply. */
const ABOUT_BYTES = new Set([
  "edit-binary-png",
  "edit-latin1",
  "edit-sqlite",
  "edit-utf16",
  "grep-binary",
  "grep-latin1",
  "mime-table",
  "read-image",
  "read-latin1",
  "read-unknown-binary",
  "read-utf16",
  "upload-download",
  "write-base64",
  "write-bytes-text",
  "write-pdf-text",
]);

function suite(target: CorpusTarget, leftOut: ReadonlySet<string> = new Set()): void {
  const applicable = cases.filter((one) => applies(one, target) && !leftOut.has(one.key));
  describe(`${target.name}: ${applicable.length} of ${cases.length} cases`, () => {
    test.each(applicable.map((one) => [one.key, one] as const))("%s", async (_key, one) => {
      expect(await runCase(one, target)).toBeNull();
    });
  });
}

describe.each(STORES)("$name", (kind) => {
  let opened: OpenStore;
  let count = 0;
  beforeAll(async () => {
    opened = await kind.open();
  });
  afterAll(() => opened.close());
  suite({
    name: `StoreBackend, ${kind.name}`,
    groups: ["records", "store"],
    dialect: "state",
    lacks: RECORD_LACKS,
    open: async (options) => ({
      backend: new deepfs.StoreBackend({ ...options, store: opened.store, namespace: ["corpus", `n${(count += 1)}`] }),
    }),
  });
});

suite(
  {
    name: "ContextHubBackend, emulator of the Hub",
    groups: ["records", "hub"],
    dialect: "state",
    lacks: RECORD_LACKS,
    async open(options) {
      const hub = await startHubEmulator();
      const client = new Client({ apiUrl: hub.url, apiKey: "emulator" });
      const backend = new deepfs.ContextHubBackend("corpus", { ...options, client });
      return { backend: withTimes(backend), close: () => hub.stop() };
    },
  },
  ABOUT_BYTES,
);

/** The Hub tells no times, so rows have none; the corpus asks for one in each. */
function withTimes(backend: object): object {
  return new Proxy(backend, {
    get(target, name) {
      const method = Reflect.get(target, name) as unknown;
      if (typeof method !== "function" || (name !== "ls" && name !== "glob")) return method;
      return async (...args: unknown[]) => {
        const result = (await method.apply(target, args)) as { files?: object[] };
        const files = result.files?.map((row) => ({ modified_at: new Date().toISOString(), ...row }));
        return files === undefined ? result : { ...result, files };
      };
    },
  });
}
