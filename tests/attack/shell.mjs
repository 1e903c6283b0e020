// Hostile commands: each ends in time, and none leaves a process.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hostileCommands } from "./commands.mjs";
import { endProcesses, processesWith } from "./processes.mjs";

const TIMEOUT_MS = 250;
const CAP_BYTES = 100_000;

/**
 * `lateAfterMs`: what a command may take beyond its time-out. The promise is 250; a machine on which everything waits for a
 * processor needs more, and then the table says so.
 *
 * @returns {Promise<import("./report.mjs").Section>}
 */
export async function attackByCommands({ commands, lateAfterMs, dice, attacked, all = hostileCommands() }) {
  const { Shell } = attacked;
  const folder = mkdtempSync(join(tmpdir(), "deepfs-attack-shell-"));
  const chosen = commands < all.length ? shuffled(all, dice).slice(0, commands) : all;
  const failures = [];
  const over = [];
  try {
    for (const [at, { command, inner }] of chosen.entries()) {
      const mark = `deepfs-attack-${process.pid}-${at}`;
      const env = { PATH: "/usr/bin:/bin", MARK: mark, ...(inner === undefined ? {} : { C: inner }) };
      const shell = new Shell({ cwd: folder, env, timeoutMs: TIMEOUT_MS, maxOutputBytes: CAP_BYTES });
      const started = performance.now();
      const { output, exitCode } = await shell.execute(command.replaceAll("$MARK", mark));
      const late = performance.now() - started - TIMEOUT_MS;
      over.push(late);
      const name = `${at}: ${(inner ?? command).slice(0, 200)}`;
      if (late > lateAfterMs) failures.push(`${name}: ${late.toFixed(0)} ms over its time-out`);
      if (typeof exitCode !== "number") failures.push(`${name}: no exit code`);
      if (Buffer.byteLength(output) > CAP_BYTES + 200) failures.push(`${name}: ${output.length} characters of output`);
      // What ended by itself may leave a daemon behind, until the shell is closed.
      const survivors = exitCode === 124 ? processesWith(mark) : [];
      await shell.close();
      survivors.push(...processesWith(mark));
      endProcesses(mark);
      if (survivors.length > 0) failures.push(`${name}: survived: ${survivors.join("; ")}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  over.sort((one, other) => one - other);
  const share = (part) => Math.max(0, over[Math.min(over.length - 1, Math.floor(over.length * part))]).toFixed(0);
  return {
    name: "commands",
    attacked: `${chosen.length} hostile commands; over the time-out: half ${share(0.5)} ms, 99 of 100 ${share(0.99)} ms, the worst ${share(1)} ms`,
    promise: `0 survivors, none ${lateAfterMs} ms late`,
    failures,
    notes: lateAfterMs > 250 ? [`the tolerance was set to ${lateAfterMs} ms; the promise is 250`] : [],
  };
}

function shuffled(list, dice) {
  return list
    .map((item) => ({ item, place: dice.next() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
