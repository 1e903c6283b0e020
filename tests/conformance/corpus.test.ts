import * as deepfs from "deepfs";
import * as wasm from "deepfs/wasm";
import { describe, expect } from "vitest";
import { CASES } from "../support/cases.js";
import { applies, runCase } from "../support/corpus.js";
import { fault } from "../support/fault.js";
import { diskTargets, stateTargets } from "./targets.js";

for (const target of [
  ...diskTargets(deepfs),
  ...stateTargets(deepfs, "native"),
  ...stateTargets(wasm, "wasm in Node"),
]) {
  const applicable = CASES.filter((one) => applies(one, target));
  describe(`${target.name}: ${applicable.length} of ${CASES.length} cases`, () => {
    for (const one of applicable) {
      fault(one.key, { kind: one.kind ?? "other", target: target.name }, async () => {
        expect(await runCase(one, target)).toBeNull();
      });
    }
  });
}
