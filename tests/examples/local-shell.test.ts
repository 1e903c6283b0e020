/** The documentation's examples of `LocalShellBackend`: the disk, with commands. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { LocalShellBackend } from "deepfs";
import { expect, onTestFinished, test } from "vitest";
import { ask, write } from "./ask.js";
import { workspace } from "./workspace.js";

const execute = (command: string): [string, Record<string, unknown>] => ["execute", { command }];

test.each(["workingDirectory", "rootDir"] as const)("%s is where commands and files are", async (option) => {
  const root = workspace();
  writeFileSync(join(root, "numbers.txt"), "3\n1\n2\n");
  const backend = new LocalShellBackend({ [option]: root, env: { PATH: "/usr/bin:/bin" } });
  onTestFinished(() => backend.close());
  const answers = await ask({ backend }, [
    execute("sort numbers.txt"),
    execute("pwd; exit 3"),
    write(join(root, "made.txt"), "made by a tool"),
    execute("cat made.txt"),
  ]);
  expect(answers[0]).toMatch(/^1\n2\n3\n/);
  expect(answers[1]).toContain(root);
  expect(answers[1]).toContain("Exit code: 3");
  expect(answers[3]).toMatch(/^made by a tool/);
});

test("the documented options: a time-out, a cap on the output, and the environment", async () => {
  process.env["DEEPFS_EXAMPLE"] = "inherited";
  onTestFinished(() => void delete process.env["DEEPFS_EXAMPLE"]);
  const rootDir = workspace();
  const own = new LocalShellBackend({
    rootDir,
    timeout: 1,
    maxOutputBytes: 10,
    env: { PATH: "/usr/bin:/bin", OWN: "own" },
  });
  const inheriting = new LocalShellBackend({ rootDir, inheritEnv: true });
  onTestFinished(async () => {
    await own.close();
    await inheriting.close();
  });
  expect(await own.execute("echo $OWN$DEEPFS_EXAMPLE")).toMatchObject({ output: "own\n", exitCode: 0 });
  expect(await own.execute("seq 1 1000")).toMatchObject({ truncated: true });
  expect((await own.execute("sleep 30")).output).toMatch(/timed out/);
  expect(await inheriting.execute("echo $DEEPFS_EXAMPLE")).toMatchObject({ output: "inherited\n" });
});
