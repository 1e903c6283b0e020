/** Every fault that people met with such tools, and that can be met here, has a case or a test of its name. */

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import faults from "../corpus/faults.json" with { type: "json" };
import { CASES } from "../support/cases.js";

const TESTS = fileURLToPath(new URL("../", import.meta.url));

test("each known fault is a case of the corpus or a test under its key", () => {
  const cases = new Set(CASES.map(({ key }) => key));
  const sources = readdirSync(TESTS, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => readFileSync(`${TESTS}${name}`, "utf8"));
  // In the name of the test, or in the comment above it.
  const isTested = (key: string): boolean => {
    const named = new RegExp(`(?<![\\w-])${key}(?![\\w-])`);
    return cases.has(key) || sources.some((source) => named.test(source));
  };
  expect(faults.filter((key) => !isTested(key))).toEqual([]);
  expect(new Set(faults).size).toBe(faults.length);
});

test("no two cases have one key", () => {
  expect(new Set(CASES.map(({ key }) => key)).size).toBe(CASES.length);
});
