import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CACHE } from "../../scripts/setup/paths.mjs";
import { step } from "../../scripts/setup/step.mjs";

const NAME = "a step of the tests";
const STAMP = join(CACHE, "stamps", "a-step-of-the-tests");

let folder: string;
let runs: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "deepfs-step-"));
  runs = 0;
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  writeFileSync(join(folder, "input"), "1");
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
  rmSync(STAMP, { force: true });
});

/** Runs the step once more and answers with how often its work was done so far. */
async function runAgain(values: string[] = [], work?: () => void): Promise<number> {
  const output = join(folder, "output");
  const write = () => writeFileSync(output, String(++runs));
  await step(NAME, { files: [join(folder, "input")], values, outputs: [output], work: work ?? write });
  return runs;
}

test("the work is done once, and again only when an input, a value or the output changed", async () => {
  expect(await runAgain()).toBe(1);
  expect(await runAgain()).toBe(1);
  writeFileSync(join(folder, "input"), "2");
  expect(await runAgain()).toBe(2);
  expect(await runAgain(["another tool"])).toBe(3);
  expect(await runAgain(["another tool"])).toBe(3);
  rmSync(join(folder, "output"));
  expect(await runAgain(["another tool"])).toBe(4);
});

test("work that failed is done again, though its inputs and an old output are there", async () => {
  expect(await runAgain()).toBe(1);
  const failing = () => {
    throw new Error("no space");
  };
  await expect(runAgain(["another tool"], failing)).rejects.toThrow("no space");
  expect(await runAgain()).toBe(2);
});
