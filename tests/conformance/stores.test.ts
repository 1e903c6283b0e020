/** The corpus over the backends whose files other services hold: stores, and Context Hub (an emulator of it). */

import { Client } from "langsmith";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { startHubEmulator } from "../services/hub-emulator.mjs";
import { deepfs } from "../support/backend.js";
import { CASES } from "../support/cases.js";
import { applies, type CorpusTarget, runCase } from "../support/corpus.js";
import { fault } from "../support/fault.js";
import { type OpenStore, STORES } from "../support/stores.js";

/** Records know no ignore files, and their content is always looked into. */
const RECORD_LACKS = ["gitignore", "sniff"];

/** Context Hub holds UTF-8 text only, and no types: cases about bytes do not apply. */
const ABOUT_BYTES = {
  lacksKinds: ["binary", "encodings"],
  lacksCases: ["edit-utf16-crlf", "read-raw"],
};

function suite(target: CorpusTarget): void {
  const applicable = CASES.filter((one) => applies(one, target));
  describe(`${target.name}: ${applicable.length} of ${CASES.length} cases`, () => {
    for (const one of applicable) {
      fault(one.key, { kind: one.kind ?? "other", target: target.name }, async () => {
        expect(await runCase(one, target)).toBeNull();
      });
    }
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
    groups: ["js", "records", "store"],
    dialect: "state",
    lacks: RECORD_LACKS,
    open: async (options) => ({
      backend: new deepfs.StoreBackend({ ...options, store: opened.store, namespace: ["corpus", `n${(count += 1)}`] }),
    }),
  });
});

suite({
  ...ABOUT_BYTES,
  name: "ContextHubBackend, emulator of the Hub",
  groups: ["js", "records", "hub"],
  dialect: "state",
  lacks: RECORD_LACKS,
  async open(options) {
    const hub = await startHubEmulator();
    const client = new Client({ apiUrl: hub.url, apiKey: "emulator" });
    const backend = new deepfs.ContextHubBackend("corpus", { ...options, client });
    return { backend: withTimes(backend), close: () => hub.stop() };
  },
});

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
