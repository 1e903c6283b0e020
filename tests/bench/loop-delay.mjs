// The longest time that a call keeps the event loop from its next turn.

import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

/** The interval of the timer that watches; it is part of every reading and taken off. */
const RESOLUTION_MS = 1;

/** Runs the call, and tells the longest delay in milliseconds. */
export async function longestDelay(run) {
  const watch = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  watch.enable();
  await sleep(5);
  watch.reset();
  await run();
  // The turn in which the call ended has to be over before it is counted.
  await sleep(3);
  watch.disable();
  return Math.max(0, watch.max / 1e6 - RESOLUTION_MS);
}
