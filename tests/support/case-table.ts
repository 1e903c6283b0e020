/** A reporter: at the end of a run, the cases passed by kind of fault and by backend. */

import type { Reporter, TestModule } from "vitest/node";
import type { Counted } from "./fault.js";

/** How often a kind was tested on a target, and how often it passed. */
interface Tally {
  passed: number;
  run: number;
}

export default class CaseTable implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = new Map<string, Map<string, Tally>>();
    const totals = new Map<string, Tally>();
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const counted: Counted | undefined = test.meta().counted;
        const { state } = test.result();
        if (counted === undefined || state === "skipped" || state === "pending") continue;
        const row = rows.get(counted.kind) ?? new Map<string, Tally>();
        rows.set(counted.kind, row);
        for (const counts of [row, totals]) {
          const tally = counts.get(counted.target) ?? { passed: 0, run: 0 };
          counts.set(counted.target, { passed: tally.passed + Number(state === "passed"), run: tally.run + 1 });
        }
      }
    }
    if (rows.size > 0) console.log(render(rows, totals));
  }
}

/** Backends have long names: the columns are letters, and the letters are told above. */
function render(rows: Map<string, Map<string, Tally>>, totals: Map<string, Tally>): string {
  const targets = [...totals.keys()].sort();
  const letter = (at: number): string => String.fromCharCode("A".charCodeAt(0) + at);
  const legend = targets.map((target, at) => `  ${letter(at)}  ${target}: ${cell(totals.get(target))} cases passed`);
  const width = Math.max(
    4,
    ...[...rows.values()].flatMap((row) => targets.map((target) => cell(row.get(target)).length)),
  );
  const kindWidth = Math.max(...[...rows.keys()].map((kind) => kind.length));
  const line = (kind: string, cells: string[]): string =>
    `  ${kind.padEnd(kindWidth)} ${cells.map((text) => text.padStart(width)).join(" ")}`;
  const table = [...rows]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([kind, row]) =>
      line(
        kind,
        targets.map((target) => cell(row.get(target))),
      ),
    );
  return [
    "\nCases passed, by kind of fault and backend",
    ...legend,
    line(
      "",
      targets.map((_, at) => letter(at)),
    ),
    ...table,
  ].join("\n");
}

function cell(tally: Tally | undefined): string {
  if (tally === undefined) return "-";
  return tally.passed === tally.run ? String(tally.passed) : `${tally.passed}/${tally.run}`;
}
