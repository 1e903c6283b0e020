// What work costs: processor time of this process and of the children it has waited for, wall time, memory.

import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Clock ticks of `/proc`, in milliseconds: what children took is told in these. */
export const TICK_MS = 10;

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc");

/** How long other threads may go on with what earlier work left. */
const SETTLE_MS = 100;

/** Clears what earlier work left: its garbage is not the next one's cost. */
async function collectGarbage() {
  gc();
  await settled();
}

/**
 * Clears what the last calls left. A full collection before each sample would throw away the code that was compiled for
 * the calls, and set the collector's own marks back, after which it works more often than it ever does by itself.
 */
export async function collectYoungGarbage() {
  gc({ type: "minor" });
  await settled();
}

/** The collector's own threads go on for a while, which would be counted. */
async function settled() {
  const until = performance.now() + SETTLE_MS;
  for (let quiet = 0; quiet < 2 && performance.now() < until;) {
    const before = process.cpuUsage();
    await sleep(3);
    const { user, system } = process.cpuUsage(before);
    quiet = user + system < 600 ? quiet + 1 : 0;
  }
}

/** Processor time so far, user and system, in milliseconds: of all threads of this process, and of ended children. */
export function cpuMs() {
  const { user, system } = process.cpuUsage();
  return { own: (user + system) / 1000, children: childrenMs() };
}

/** Only Linux tells it this way; elsewhere the comparisons with other programs are left out. */
function childrenMs() {
  const stat = readFileSync("/proc/self/stat", "utf8");
  // The name of the program may hold spaces and brackets; the fields are counted from its end.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

/** Starts to watch for the highest resident memory; the function returned tells by how much it rose, in bytes. */
export async function watchMemory() {
  await collectGarbage();
  try {
    // Sets the mark back to what is resident now.
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {
    return () => null;
  }
  const before = statusBytes("VmRSS");
  return () => Math.max(0, statusBytes("VmHWM") - before);
}

function statusBytes(field) {
  const line = readFileSync("/proc/self/status", "utf8").match(new RegExp(`^${field}:\\s+(\\d+) kB`, "m"));
  return Number(line?.[1] ?? 0) * 1024;
}
