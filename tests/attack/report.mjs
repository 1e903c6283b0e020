// What an attack has found, as a table.

/**
 * @typedef {object} Section
 * @property {string} name
 * @property {string} attacked what was done, with numbers
 * @property {string} promise what had to be true
 * @property {string[]} failures what was not
 * @property {string[]} [notes] what else there is to know
 */

/** The table of all sections, and what went wrong. */
export function printReport(sections, seconds) {
  const rows = sections.map(({ name, attacked, promise, failures }) => [
    name,
    attacked,
    promise,
    failures.length === 0 ? "held" : `BROKEN: ${failures.length}`,
    `${seconds.get(name).toFixed(0)} s`,
  ]);
  const table = [["attack", "what was done", "promise", "outcome", "time"], ...rows];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  for (const [at, row] of table.entries()) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join("  ")
        .trimEnd(),
    );
    if (at === 0) console.log(widths.map((width) => "─".repeat(width)).join("  "));
  }
  for (const { name, failures, notes = [] } of sections) {
    for (const note of notes) console.log(`\n${name}: ${note}`);
    for (const failure of failures.slice(0, 20)) console.log(`\n✖ ${name}: ${failure}`);
    if (failures.length > 20) console.log(`\n✖ ${name}: and ${failures.length - 20} more`);
  }
}
