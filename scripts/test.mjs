// Runs every test and closes with one plain line of sums. `node scripts/test.mjs rust` or `js` runs one half.

import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findCargo, LOCKED } from "./setup/cargo.mjs";
import { bin, CACHE, ROOT } from "./setup/paths.mjs";
import { main } from "./setup/problem.mjs";

const RUNS = { rust: testRust, js: testJs };

await main(async () => {
  const [only] = process.argv.slice(2);
  const sums = { passed: 0, failed: 0, skipped: 0 };
  for (const [name, test] of Object.entries(RUNS)) {
    if (only !== undefined && only !== name) continue;
    const { code, counts } = await test();
    // A suite that did not compile, or a runner that died, has no failed test to count.
    if (code !== 0 && counts.failed === 0) counts.failed = 1;
    for (const key of Object.keys(sums)) sums[key] += counts[key];
  }
  console.log(`\n${sums.passed} passed, ${sums.failed} failed${sums.skipped > 0 ? `, ${sums.skipped} skipped` : ""}`);
  if (sums.failed > 0 || sums.passed === 0) process.exitCode = 1;
});

async function testRust() {
  const { cargo } = await findCargo();
  const { code, text } = await show(cargo, ["test", "--no-fail-fast", ...LOCKED]);
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const [, passed, failed, ignored] of text.matchAll(
    /^test result: .*? (\d+) passed; (\d+) failed; (\d+) ignored;/gm,
  )) {
    counts.passed += Number(passed);
    counts.failed += Number(failed);
    counts.skipped += Number(ignored);
  }
  return { code, counts };
}

async function testJs() {
  const report = join(CACHE, "vitest.json");
  rmSync(report, { force: true });
  const { code } = await show(bin("vitest"), [
    "run",
    "--reporter=default",
    "--reporter=./tests/support/case-table.ts",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ]);
  if (!existsSync(report)) return { code, counts: { passed: 0, failed: 1, skipped: 0 } };
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
    readFileSync(report, "utf8"),
  );
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  return {
    code,
    counts: {
      passed: numPassedTests,
      failed: numFailedTests + broken.length,
      skipped: numPendingTests + numTodoTests,
    },
  };
}

/** Runs a program whose output people see as it comes; answers with the standard output, too. */
function show(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
      process.stdout.write(chunk);
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, text }));
  });
}
