import { readFileSync, readdirSync } from "node:fs";
import * as deepfs from "deepfs";
import * as wasm from "deepfs/wasm";
import { describe, expect, test } from "vitest";
import { applies, runCase, type CorpusCase } from "../support/corpus.js";
import { diskTarget, graphTarget, legacyTarget, memoryTarget } from "./targets.js";

const folder = new URL("../corpus/cases/", import.meta.url);
const cases = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .sort()
  .flatMap((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as CorpusCase[]);

const targets = [
  diskTarget(deepfs),
  memoryTarget(deepfs, "native"),
  legacyTarget(deepfs, "native"),
  graphTarget(deepfs, "native"),
  memoryTarget(wasm, "wasm in Node"),
  legacyTarget(wasm, "wasm in Node"),
  graphTarget(wasm, "wasm in Node"),
];

for (const target of targets) {
  const applicable = cases.filter((one) => applies(one, target));
  describe(`${target.name}: ${applicable.length} of ${cases.length} cases`, () => {
    test.each(applicable.map((one) => [one.key, one] as const))("%s", async (_key, one) => {
      expect(await runCase(one, target)).toBeNull();
    });
  });
}
