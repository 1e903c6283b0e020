// Times contenders against each other, in turns (A B A B …), so that whatever else the machine does meets them all.

import { collectYoungGarbage, cpuMs, TICK_MS, watchMemory } from "./cpu.mjs";
import { longestDelay } from "./loop-delay.mjs";

/** A sample runs the call until it has taken this much processor time, so that clocks are fine enough. */
const SAMPLE_MS = 50;
/** The time of children is told in ticks: a sample with children has to last many of them. */
const SAMPLE_WITH_CHILDREN_MS = 25 * TICK_MS;
const MAX_BATCH = 20_000;
/** A call that mostly waits is not repeated for longer than this. */
const MAX_WAIT_MS = 1_500;
/** A call that takes longer is not worth seven turns of a quick run. */
const SLOW_MS = 1_500;

/**
 * @typedef {object} Contender
 * @property {() => unknown} run the call; a promise is waited for
 * @property {(times: number) => unknown} [before] prepares that many calls, outside of the measurement
 * @property {() => unknown} [renew] makes useless what earlier calls have learnt, right before the measurement
 * @property {number} [maxBatch] calls of a sample, as many as one `before` can prepare
 * @property {boolean} [hasDelay] whether it runs in this process's event loop (default true)
 */

/**
 * @param {Record<string, Contender>} contenders
 * @param {{ rounds: number, isQuick: boolean, tick?: () => void }} options
 * @returns {Promise<Record<string, Measured>>}
 *
 * @typedef {object} Measured
 * @property {number} batch
 * @property {number[]} cpuMs processor time of one call, children included; one figure per sample
 * @property {number[]} wallMs
 * @property {number[]} delayMs longest event loop delay
 * @property {number | null} memoryBytes by how much one call raised the peak of resident memory
 */
export async function measure(contenders, { rounds, isQuick, tick = () => {} }) {
  const all = {};
  for (const [name, contender] of Object.entries(contenders)) {
    all[name] = { ...(await calibrate(contender)), cpuMs: [], wallMs: [], delayMs: [], memoryBytes: null };
    tick();
  }
  const slowest = Math.max(...Object.values(all).map(({ estimateMs }) => estimateMs));
  const turns = isQuick && slowest > SLOW_MS ? 3 : rounds;
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [name, contender] of Object.entries(contenders)) {
      const { cpu, wall } = await sample(contender, all[name].batch);
      all[name].cpuMs.push(cpu);
      all[name].wallMs.push(wall);
      tick();
    }
  }
  // Watching costs time, so it has turns of its own, and those of memory begin with a full collection.
  for (const [name, contender] of Object.entries(contenders)) {
    await contender.before?.(1);
    await contender.renew?.();
    const rise = await watchMemory();
    await contender.run();
    all[name].memoryBytes = rise();
  }
  const watched = slowest > SLOW_MS ? 1 : 3;
  for (let turn = 0; turn < watched; turn += 1) {
    for (const [name, contender] of Object.entries(contenders)) {
      if (!(contender.hasDelay ?? true)) continue;
      await contender.before?.(1);
      await collectYoungGarbage();
      await contender.renew?.();
      all[name].delayMs.push(await longestDelay(contender.run));
    }
    tick();
  }
  for (const measured of Object.values(all)) delete measured.estimateMs;
  return all;
}

/** Warms the call up and finds how often a sample runs it. */
async function calibrate(contender) {
  const cap = Math.min(contender.maxBatch ?? MAX_BATCH, MAX_BATCH);
  let batch = 1;
  for (;;) {
    const { cpu, wall, hadChildren } = await sample(contender, batch);
    const wanted = hadChildren ? SAMPLE_WITH_CHILDREN_MS : SAMPLE_MS;
    const spent = cpu * batch;
    if (spent >= wanted || wall * batch >= MAX_WAIT_MS || batch >= cap) return { batch, estimateMs: wall };
    // By estimate, but never by much more than is known.
    batch = Math.min(
      cap,
      Math.max(batch + 1, Math.ceil(Math.min(batch * 8, (batch * wanted * 1.2) / Math.max(spent, 0.001)))),
    );
  }
}

async function sample({ run, before, renew }, batch) {
  await before?.(batch);
  await collectYoungGarbage();
  await renew?.();
  const cpuStart = cpuMs();
  const start = performance.now();
  await repeat(run, batch);
  const wall = performance.now() - start;
  const cpuEnd = cpuMs();
  const children = cpuEnd.children - cpuStart.children;
  return { cpu: (cpuEnd.own - cpuStart.own + children) / batch, wall: wall / batch, hadChildren: children > 0 };
}

async function repeat(run, times) {
  for (let call = 0; call < times; call += 1) {
    const pending = run();
    // A call that answers at once has no promise to wait for, and waiting would cost more than the call.
    if (typeof pending?.then === "function") await pending;
  }
}

export function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
