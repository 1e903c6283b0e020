// Whether a row meets its targets.

import { median } from "./measure.mjs";

/**
 * One comparison or limit of a row, with what was asked and what was found.
 *
 * @typedef {object} Verdict
 * @property {string} against a contender's name, or the limit's
 * @property {number} value a ratio (how many times less processor time), or the limited quantity
 * @property {number} must
 * @property {number} stretch
 * @property {boolean} meetsMust
 * @property {boolean} meetsStretch
 */

/**
 * @param {{ targets: Record<string, [number, number]>, limits?: Record<string, [number, number]> }} row
 * @param {Record<string, import("./measure.mjs").Measured>} measured
 * @returns {Verdict[]}
 */
export function verdicts({ targets, limits = {} }, measured) {
  const ours = measured.deepfs;
  const compared = Object.entries(targets)
    .filter(([name]) => measured[name] !== undefined)
    .map(([name, [must, stretch]]) => {
      const value = ratio(measured[name].cpuMs, ours.cpuMs);
      return { against: name, value, must, stretch, meetsMust: value >= must, meetsStretch: value >= stretch };
    });
  const limited = Object.entries(limits).flatMap(([name, [must, stretch]]) => {
    const value = name === "delayMs" ? median(ours.delayMs) : ours[name];
    // A kernel that does not tell the peak of memory leaves nothing to judge.
    return value === null
      ? []
      : [{ against: name, value, must, stretch, meetsMust: value <= must, meetsStretch: value <= stretch }];
  });
  return [...compared, ...limited];
}

/** How many times as much the first takes as the second, by medians. */
export function ratio(theirs, ours) {
  // Below a microsecond the clock tells nothing.
  return median(theirs) / Math.max(median(ours), 0.001);
}

/** What the row loses to the peer at all, whatever its target: nothing, for a backend that is only ever faster. */
export function losses(measured) {
  const { deepfs, peer } = measured;
  if (peer === undefined) return [];
  const lost = [];
  if (median(deepfs.cpuMs) > median(peer.cpuMs)) lost.push("CPU");
  if (median(deepfs.wallMs) > median(peer.wallMs)) lost.push("wall");
  // Less than a millisecond of delay, or a megabyte, is noise of the measurement.
  if (deepfs.delayMs.length > 0 && median(deepfs.delayMs) > median(peer.delayMs) + 1) lost.push("delay");
  if (deepfs.memoryBytes !== null && deepfs.memoryBytes > peer.memoryBytes + 1024 * 1024) lost.push("memory");
  return lost;
}
