/** The tests of types (`*.test-d.ts`) are run by the compiler: they hold when they compile. */

import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { bin, fromRoot } from "../../scripts/setup/paths.mjs";

test("the types of deepfs and those of `deepagents` are assignable to each other", { timeout: 120_000 }, () => {
  const { status, stdout } = spawnSync(bin("tsc"), ["-p", fromRoot("tests", "types")], { encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
});
