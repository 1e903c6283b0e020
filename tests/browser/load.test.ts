import { expect, test } from "vitest";
import { runInBrowser } from "./run.mjs";

const ALL_PASSED = { passed: 1, failed: 0, failures: [] };

test(
  "loads as plain ES modules in a page and in a module worker, under a strict policy",
  { timeout: 120_000 },
  async () => {
    expect(await runInBrowser("tests/browser/load-run.ts")).toEqual({ page: ALL_PASSED, worker: ALL_PASSED });
  },
);
