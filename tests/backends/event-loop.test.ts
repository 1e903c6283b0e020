/** A large search leaves the event loop free: the work is elsewhere, and its answer is unpacked in slices. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { deepfs } from "../support/backend.js";
import { fault } from "../support/fault.js";
import { testFolder } from "../support/folder.js";

const FOLDERS = 200;
const FILES = 100;
const LINES = 6;
const MAX_DELAY_MS = 25;

/** CPU time of the main thread so far: what others do on the machine meanwhile, and other threads here, do not count. */
function ownMs(): number {
  const [nanoseconds = ""] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ");
  return Number(nanoseconds) / 1e6;
}

/** The longest turn of the event loop while `call` runs, in milliseconds of work. */
async function longestTurn(call: () => Promise<void>): Promise<number> {
  let longest = 0;
  let last = ownMs();
  let running = true;
  const turn = (): void => {
    const now = ownMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  await call();
  running = false;
  return longest;
}

fault(
  "a grep over 20,000 files with 120,000 matches, and a glob and an ls of them",
  { kind: "event loop", target: "FilesystemBackend, contained" },
  async () => {
    const { ws } = testFolder();
    const text = "a needle in a haystack\nnothing\n".repeat(LINES);
    mkdirSync(join(ws, "flat"));
    for (let folder = 0; folder < FOLDERS; folder += 1) {
      mkdirSync(join(ws, `d${folder}`));
      for (let file = 0; file < FILES; file += 1) writeFileSync(join(ws, `d${folder}/f${file}.txt`), text);
      for (let file = 0; file < FILES; file += 1) writeFileSync(join(ws, `flat/${folder}-${file}`), "");
    }
    const backend = deepfs.FilesystemBackend.createSafe(ws);
    const calls = {
      grep: async () => {
        const { matches, truncated } = await backend.grep("needle");
        expect([matches?.length, truncated]).toEqual([FOLDERS * FILES * LINES, undefined]);
      },
      glob: async () => {
        expect((await backend.glob("**/*")).files).toHaveLength(2 * FOLDERS * FILES);
      },
      ls: async () => {
        expect((await backend.ls("/flat")).files).toHaveLength(FOLDERS * FILES);
      },
    };
    for (const [name, call] of Object.entries(calls)) {
      // The best of a few: a first round compiles, and a collection of garbage may fall into any of them.
      const turns: number[] = [];
      while (turns.length < 5 && !turns.some((turn) => turn < MAX_DELAY_MS)) turns.push(await longestTurn(call));
      console.log(`${name}: longest turns of the event loop ${turns.map((turn) => turn.toFixed(1)).join(", ")} ms`);
      expect(Math.min(...turns), name).toBeLessThan(MAX_DELAY_MS);
    }
  },
  { timeout: 300_000 },
);
