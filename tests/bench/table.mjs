// The results as text: a table for the terminal, and the same as Markdown.

import { median } from "./measure.mjs";
import { losses } from "./verdict.mjs";

const HEAD = [
  "row",
  "against",
  "CPU deepfs",
  "CPU other",
  "ratio",
  "must",
  "stretch",
  "wall deepfs",
  "wall other",
  "loop delay",
  "memory",
  "",
];
const RIGHT_FROM = 2;

/** @param {{ id: string, measured: object, verdicts: import("./verdict.mjs").Verdict[], error?: string }[]} results */
export function cells(results) {
  return results.flatMap(({ id, measured, verdicts, error }) => {
    if (error !== undefined) return [[id, error, "", "", "", "", "", "", "", "", "", "failed"]];
    const ours = measured.deepfs;
    const rows = verdicts.map((verdict) => {
      const other = measured[verdict.against];
      const isRatio = other !== undefined;
      const show = isRatio ? times : verdict.against === "delayMs" ? milliseconds : mebibytes;
      return [
        id,
        LIMITS[verdict.against] ?? verdict.against,
        isRatio ? milliseconds(median(ours.cpuMs)) : "",
        isRatio ? milliseconds(median(other.cpuMs)) : "",
        show(verdict.value),
        show(verdict.must),
        show(verdict.stretch),
        isRatio ? milliseconds(median(ours.wallMs)) : "",
        isRatio ? milliseconds(median(other.wallMs)) : "",
        isRatio ? pair(ours.delayMs, other.delayMs) : "",
        isRatio ? memoryPair(ours, other) : "",
        verdict.meetsStretch ? "stretch" : verdict.meetsMust ? "must" : "MISSED",
      ];
    });
    const lost = losses(measured);
    return lost.length === 0
      ? rows
      : [...rows, [id, `loses to the peer: ${lost.join(", ")}`, ...Array(9).fill(""), ""]];
  });
}

const LIMITS = { delayMs: "loop delay", memoryBytes: "memory growth" };

/** For a terminal. */
export function plainTable(results) {
  const rows = [HEAD, ...cells(results)];
  const widths = HEAD.map((_, column) =>
    Math.max(...rows.map((row) => (isNote(row) && column === 1 ? 0 : row[column].length))),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column < RIGHT_FROM ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

const isNote = (row) => row[2] === "" && row[4] === "";

/** For a page. */
export function markdownTable(results) {
  const line = (row) => `| ${row.join(" | ")} |`;
  return [
    line(HEAD),
    line(HEAD.map((_, column) => (column < RIGHT_FROM ? "---" : "--:"))),
    ...cells(results).map(line),
  ].join("\n");
}

export function milliseconds(value) {
  if (value >= 1000) return `${(value / 1000).toFixed(2)} s`;
  return value >= 1
    ? `${value.toFixed(value >= 100 ? 0 : 1)} ms`
    : `${(value * 1000).toFixed(value >= 0.01 ? 0 : 1)} µs`;
}

function times(value) {
  return `${value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)}×`;
}

function mebibytes(value) {
  return value === null ? "?" : `${(value / 1024 / 1024).toFixed(1)} MiB`;
}

function pair(ours, others) {
  if (ours.length === 0) return "";
  return others.length === 0
    ? milliseconds(median(ours))
    : `${milliseconds(median(ours))} / ${milliseconds(median(others))}`;
}

function memoryPair(ours, other) {
  if (ours.memoryBytes === null) return "";
  // What a program of its own takes is not seen from here.
  return other.delayMs.length === 0
    ? mebibytes(ours.memoryBytes)
    : `${mebibytes(ours.memoryBytes)} / ${mebibytes(other.memoryBytes)}`;
}
