// Attacks what docs/THREAT_MODEL.md promises, and closes with a table. Exits with 1 when a promise was broken.
//
//   npm run attack                       all of it: 200,000 calls, 500 kills, 20 rounds of edits, 306 commands, the jail
//   npm run attack -- --quick            a short form of each
//   npm run attack -- --only swaps,jail --seed 7
//   npm run attack -- --late-after 1000  a tolerance for commands, in ms, on a machine that has other things to do
//   npm run attack -- --self-test        attacks stand-ins that take no care: every part has to find fault with them

import { parseArgs } from "node:util";
import { main, Problem } from "../../scripts/setup/problem.mjs";
import { random } from "../differential/random.mjs";
import { ATTACKED } from "./attacked.mjs";
import { attackByCommands } from "./shell.mjs";
import { attackByEdits } from "./edits.mjs";
import { attackByKills } from "./kills.mjs";
import { attackBySwaps } from "./swaps.mjs";
import { attackTheJail } from "./jail.mjs";
import { printReport } from "./report.mjs";
import { selfTest } from "./self-test.mjs";

const FULL = { operations: 200_000, kills: 500, rounds: 20, commands: Infinity };
const QUICK = { operations: 8_000, kills: 15, rounds: 3, commands: 25 };
const ATTACKS = {
  swaps: attackBySwaps,
  kills: attackByKills,
  edits: attackByEdits,
  commands: attackByCommands,
  jail: attackTheJail,
};
/** Nothing here may run for ever: the slowest part takes a few minutes on two processors. */
const LONGEST_MS = 30 * 60_000;

await main(async () => {
  if (process.platform !== "linux")
    throw new Problem("The attack swaps, kills and jails by means that only Linux has.");
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      seed: { type: "string", default: String(Math.floor(Date.now() / 1000)) },
      only: { type: "string", default: Object.keys(ATTACKS).join(",") },
      "late-after": { type: "string", default: "250" },
      "self-test": { type: "boolean", default: false },
    },
  });
  if (values["self-test"]) return checkItself(Number(values.seed));
  const chosen = values.only.split(",");
  const unknown = chosen.filter((name) => !(name in ATTACKS));
  if (unknown.length > 0)
    throw new Problem(`No attack is called ${unknown.join(", ")}: ${Object.keys(ATTACKS).join(", ")}.`);
  const watchdog = setTimeout(() => {
    console.error(`\n✖ The attack did not end within ${LONGEST_MS / 60_000} minutes.`);
    process.exit(1);
  }, LONGEST_MS);
  console.log(`seed ${values.seed}\n`);
  const options = { ...(values.quick ? QUICK : FULL), lateAfterMs: Number(values["late-after"]) };
  const sections = [];
  const seconds = new Map();
  for (const name of chosen) {
    console.log(`▸ ${name} …`);
    const started = performance.now();
    // Each has dice of its own, so that one alone meets what it met among the others.
    sections.push(await ATTACKS[name]({ ...options, attacked: ATTACKED.deepfs, dice: random(Number(values.seed)) }));
    seconds.set(name, (performance.now() - started) / 1000);
  }
  clearTimeout(watchdog);
  console.log("");
  printReport(sections, seconds);
  if (sections.some(({ failures }) => failures.length > 0))
    throw new Problem(`A promise was broken; --seed ${values.seed} repeats it.`);
});

async function checkItself(seed) {
  const answers = await selfTest({ dice: random(seed) });
  for (const { name, found, missed } of answers) {
    const outcome = missed.length === 0 ? "noticed" : `NOT NOTICED: ${missed.join(", ")}`;
    console.log(`${name.padEnd(9)}  ${String(found).padStart(4)} faults of the stand-in  ${outcome}`);
  }
  if (answers.some(({ missed }) => missed.length > 0))
    throw new Problem("The attack does not notice what it is there for.");
}
