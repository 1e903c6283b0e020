import { expect } from "vitest";
import { CASES } from "../support/cases.js";
import { fault } from "../support/fault.js";
import { runInBrowser } from "./run.mjs";

interface Outcome {
  passed: number;
  failed: number;
  failures: unknown[];
  reports: { target: string; passed: number; notApplicable: number }[];
}

fault(
  "the corpus passes in a page and in a module worker",
  { kind: "browsers", target: "wasm in Chromium" },
  async () => {
    const files = { "/cases.json": JSON.stringify(CASES) };
    const outcomes = await runInBrowser("tests/conformance/corpus-run.ts", { files, timeoutMs: 240_000 });
    for (const [place, outcome] of Object.entries(outcomes) as [string, Outcome][]) {
      for (const { target, passed, notApplicable } of outcome.reports ?? []) {
        console.log(`${target}, ${place} of headless Chromium: ${passed} cases passed, ${notApplicable} do not apply`);
      }
      expect(outcome.failures).toEqual([]);
      expect(outcome.passed).toBeGreaterThan(3 * 100);
    }
  },
  { timeout: 600_000 },
);
