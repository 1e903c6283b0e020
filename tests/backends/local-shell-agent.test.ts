/** A deep agent that works through `LocalShellBackend`. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LocalShellBackend } from "deepfs";
import { expect, onTestFinished, test } from "vitest";
import { runTurns } from "../support/agent.js";
import { testFolder } from "../support/folder.js";

test("the agent runs commands and uses the paths that they print", async () => {
  const { ws } = testFolder();
  const backend = await LocalShellBackend.create({
    rootDir: ws,
    virtualMode: true,
    env: { PATH: "/usr/bin:/bin" },
    initialFiles: { "/src/a.py": "print(6 * 7)\n" },
  });
  onTestFinished(() => backend.close());
  const { answers } = await runTurns(
    [
      [["execute", { command: "python3 src/a.py" }]],
      [["execute", { command: "pwd" }]],
      [["write_file", { file_path: `${ws}/out.txt`, content: "made\n" }]],
      [["execute", { command: "cat out.txt; exit 3" }]],
      [["glob", { pattern: "**/*.py" }]],
    ],
    {},
    { backend },
  );
  expect(answers[0]).toMatch(/^42\n/);
  expect(answers[1]).toContain(ws);
  expect(readFileSync(join(ws, "out.txt"), "utf8")).toBe("made\n");
  expect(answers[3]).toMatch(/^made\n\nExit code: 3/);
  expect(answers[4]).toContain("/src/a.py");
});

test("a large output is moved out to a file, which the agent reads", async () => {
  const { ws } = testFolder();
  const backend = new LocalShellBackend({
    rootDir: ws,
    virtualMode: true,
    env: { PATH: "/usr/bin:/bin" },
    maxOutputBytes: 1_000_000,
  });
  onTestFinished(() => backend.close());
  const { answers } = await runTurns([[["execute", { command: "seq 1 60000" }]]], {}, { backend });
  const answer = answers[0] ?? "";
  expect(answer.length).toBeLessThan(20_000);
  const moved = /\/large_tool_results\/[\w-]+(\.\w+)?/.exec(answer)?.[0] ?? "no path";
  const { content, totalLines } = await backend.read(moved, 59_990, 5);
  expect(content).toContain("59991");
  expect(totalLines).toBeGreaterThanOrEqual(60_000);
});
