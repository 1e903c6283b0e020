import { readFileSync, readdirSync } from "node:fs";
import * as deepfs from "deepfs";
import * as wasm from "deepfs/wasm";
import { describe, expect } from "vitest";
import { applies, runCase, type CorpusCase } from "../support/corpus.js";
import { fault } from "../support/fault.js";
import { nativeTargets, recordTargets } from "./targets.js";

const folder = new URL("../corpus/cases/", import.meta.url);
const cases = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .sort()
  .flatMap((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as CorpusCase[]);

for (const target of [...nativeTargets(deepfs), ...recordTargets(deepfs, "native"), ...recordTargets(wasm, "wasm in Node")]) {
  const applicable = cases.filter((one) => applies(one, target));
  describe(`${target.name}: ${applicable.length} of ${cases.length} cases`, () => {
    for (const one of applicable) {
      fault(one.key, { kind: one.kind ?? "other", target: target.name }, async () => {
        expect(await runCase(one, target)).toBeNull();
      });
    }
  });
}
