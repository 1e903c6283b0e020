/** The check that answers agree is one: a bench whose answers are broken on purpose fails. */

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const BENCH = fileURLToPath(new URL("run.mjs", import.meta.url));

function bench(row: string, env: Record<string, string>) {
  // Nothing is built for this, and one round is enough.
  const args = [BENCH, "--quick", "--rounds", "1", "--only", row];
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    env: { ...process.env, SKIP_RG: "1", ...env },
  });
  return {
    status,
    differs: stdout.includes(`✖ ${row}: deepfs and peer differ`),
    failedRows: /(\d+) rows failed/.exec(stdout)?.[1],
  };
}

for (const row of ["ls/27", "read/small-pool", "wasm/edit-1k"]) {
  it(`${row} with broken answers`, () => {
    expect(bench(row, { DEEPFS_BENCH_BREAK: "1" })).toEqual({ status: 1, differs: true, failedRows: "1" });
  });
}

it("the same with whole ones", () => {
  expect(bench("ls/27", { DEEPFS_BENCH_BREAK: "" })).toMatchObject({ differs: false, failedRows: "0" });
});
