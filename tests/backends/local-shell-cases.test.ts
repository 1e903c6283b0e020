/** Commands that do not behave: each `exec-…` case that people met with such tools, under its key. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ExecuteResponse, LocalShellBackend, type LocalShellBackendOptions } from "deepfs";
import { describe, expect, onTestFinished, test } from "vitest";
import { fault } from "../support/fault.js";
import { testFolder } from "../support/folder.js";

const COUNTED = { kind: "execute", target: "LocalShellBackend, contained" };

/** Commands of a test carry a mark in their environment, by which those that still live are found. */
function shell(options: LocalShellBackendOptions = {}) {
  const mark = `deepfs_${Math.random().toString(36).slice(2)}`;
  const env = { PATH: "/usr/bin:/bin", MARK: mark };
  const backend = new LocalShellBackend({ rootDir: testFolder().ws, env, ...options });
  onTestFinished(() => backend.close());
  return { backend, alive: () => processesWith(`MARK=${mark}`) };
}

function processesWith(variable: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(variable);
      } catch {
        return false; // It has ended.
      }
    });
}

async function timed(run: Promise<ExecuteResponse>): Promise<{ answer: ExecuteResponse; ms: number }> {
  const start = performance.now();
  const answer = await run;
  return { answer, ms: performance.now() - start };
}

const timedOut = (output: string, seconds: string): ExecuteResponse => ({
  output: `${output}Error: Command timed out after ${seconds} seconds.`,
  exitCode: 124,
  truncated: false,
});

describe("time-outs", () => {
  fault("exec-grandchild", COUNTED, async () => {
    const { backend, alive } = shell({ timeout: 1 });
    const { answer, ms } = await timed(backend.execute("sleep 8; echo done"));
    expect(answer).toEqual(timedOut("", "1.0"));
    expect(ms).toBeLessThan(3000);
    expect(alive()).toEqual([]);
  });

  fault("exec-timeout-output", COUNTED, async () => {
    const { backend } = shell({ timeout: 1 });
    expect(await backend.execute("echo building; exec sleep 5")).toEqual(timedOut("building\n\n", "1.0"));
  });

  fault("exec-trap-term", COUNTED, async () => {
    const { backend, alive } = shell({ timeout: 1 });
    const { answer, ms } = await timed(backend.execute("trap '' TERM; for i in 1 2 3 4 5 6 7; do sleep 1; done"));
    expect(answer.exitCode).toBe(124);
    expect(ms).toBeLessThan(3000);
    expect(alive()).toEqual([]);
  });

  test("a process in a session of its own ends, too", async () => {
    const { backend, alive } = shell({ timeout: 0.5 });
    expect((await backend.execute("setsid sleep 30 & setsid sh -c 'trap \"\" TERM HUP; sleep 30'")).exitCode).toBe(124);
    expect(alive()).toEqual([]);
  });

  test("a call may bring a time-out of its own", async () => {
    const { backend } = shell({ timeout: 60 });
    expect(await backend.execute("sleep 5", { timeout: 0.3 })).toEqual(timedOut("", "0.3"));
    expect(await backend.execute("sleep 5", { timeout: 0 })).toEqual(timedOut("", "0.0"));
    expect(await shell({ timeout: 0 }).backend.execute("echo late", { timeout: Infinity })).toEqual({
      output: "late\n",
      exitCode: 0,
      truncated: false,
    });
  });

  test("options of a call that are none are answered", async () => {
    const { backend } = shell();
    const refused = (output: string) => ({ output, exitCode: 1, truncated: false });
    const timeout = refused("Error: timeout must be a number of seconds that is not negative.");
    for (const wrong of [-1, Number.NaN, "5"]) {
      expect(await backend.execute("echo x", { timeout: wrong as number })).toEqual(timeout);
    }
    const signal = {} as AbortSignal;
    expect(await backend.execute("echo x", { signal })).toEqual(refused("Error: signal must be an AbortSignal."));
    const throwing = {
      get timeout(): number {
        throw new Error("getter");
      },
    };
    expect(await backend.execute("echo x", throwing)).toEqual(
      refused("Error: The options of the command cannot be read."),
    );
  });
});

describe("input, output and memory", () => {
  fault("exec-background", COUNTED, async () => {
    const { backend, alive } = shell({ timeout: 30 });
    const { answer, ms } = await timed(backend.execute("sleep 20 & echo hi"));
    expect(answer).toEqual({ output: "hi\n", exitCode: 0, truncated: false });
    expect(ms).toBeLessThan(2000);
    expect(alive()).toHaveLength(1);
    await backend.close();
    expect(alive()).toEqual([]);
  });

  fault("exec-stdin", COUNTED, async () => {
    const { backend } = shell({ timeout: 10 });
    const nothing = { output: "<no output>", exitCode: 0, truncated: false };
    expect(await backend.execute("cat")).toEqual(nothing);
    expect(await backend.execute("sh")).toEqual(nothing);
    expect((await backend.execute("read line; echo $?")).output).toBe("1\n");
  });

  fault("exec-utf8-chunk", COUNTED, async () => {
    const { backend } = shell();
    const { output } = await backend.execute("printf 'cleanup \\342'; sleep 0.3; printf '\\200\\224 end'");
    expect(output).toBe("cleanup — end");
  });

  fault("exec-oom-crash", COUNTED, async () => {
    const { backend } = shell();
    const before = process.memoryUsage().rss;
    const answer = await backend.execute("head -c 600000000 /dev/zero | tr '\\0' a");
    expect(answer).toEqual({
      output: `${"a".repeat(100_000)}\n\n... Output truncated at 100000 bytes.`,
      exitCode: 0,
      truncated: true,
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  test("output without end ends with the time-out", async () => {
    const { backend, alive } = shell({ timeout: 0.5, maxOutputBytes: 100 });
    const answer = await backend.execute("yes");
    expect(answer).toMatchObject({ exitCode: 124, truncated: true });
    expect(answer.output).toMatch(/^(y\n){50}\n\n\.\.\. Output truncated at 100 bytes\.\n\nError: Command timed out/);
    expect(alive()).toEqual([]);
  });

  fault("exec-stderr-shape", COUNTED, async () => {
    const command = "echo 1; echo '   ^ here' >&2; sleep 0.1; echo 2";
    expect((await shell().backend.execute(command)).output).toBe("1\n2\n\n[stderr] ^ here");
    expect((await shell({ interleave: true }).backend.execute(command)).output).toBe("1\n[stderr]    ^ here\n2\n");
  });
});

describe("commands that cannot be run", () => {
  fault("exec-nul", COUNTED, async () => {
    expect(await shell().backend.execute("echo a\0b")).toEqual({
      output: "Error: Command must not contain a NUL character.",
      exitCode: 1,
      truncated: false,
    });
  });

  test("a lone surrogate is named", async () => {
    const { output, exitCode } = await shell().backend.execute("echo \uD83D");
    expect(output).toMatch(/^Error: Command has a lone surrogate at position 5 /);
    expect(exitCode).toBe(1);
  });

  fault("exec-missing-cwd", COUNTED, async () => {
    const { top } = testFolder();
    const { backend } = shell({ rootDir: join(top, "nope") });
    expect(await backend.execute("echo hi")).toEqual({
      output: "Error executing command: the working directory (rootDir) does not exist",
      exitCode: 1,
      truncated: false,
    });
    await backend.initialize();
    expect((await backend.execute("echo hi")).output).toBe("hi\n");
  });

  test("a command longer than the system's arguments runs", async () => {
    const { backend } = shell({ maxOutputBytes: 1000 });
    const long = "x".repeat(1_000_000);
    expect((await backend.execute(`v=${long}; echo \${#v}`)).output).toBe("1000000\n");
  });

  test("further commands wait for a place", async () => {
    const { backend } = shell({ maxConcurrent: 2, timeout: 20 });
    const count = "n=$(ls run | wc -l); echo $n";
    await backend.execute("mkdir run");
    const command = `touch run/$$; ${count}; sleep 0.2; rm run/$$`;
    const answers = await Promise.all(Array.from({ length: 6 }, () => backend.execute(command)));
    expect(answers.every(({ output }) => Number(output) >= 1 && Number(output) <= 2)).toBe(true);
  });
});
