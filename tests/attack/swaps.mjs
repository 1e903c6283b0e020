// Somebody swaps files and folders for links that lead out while every operation runs: nothing outside may be read, told of
// or changed.

import { DIRECTORIES, FILES, FOLDERS, makeArena } from "./arena.mjs";
import { buildSwapper, startSwapping } from "./program.mjs";

/** Calls in one arena before it is looked at and made anew. */
const ROUND = 1_500;
/** Calls under way at once. */
const LANES = 8;

/** @returns {Promise<import("./report.mjs").Section>} */
export async function attackBySwaps({ operations, dice, attacked }) {
  const program = await buildSwapper();
  const failures = [];
  const counts = { done: 0, refused: 0, failed: 0, swaps: 0 };
  for (let made = 0; made < operations; made += ROUND) {
    await round({ program, operations: Math.min(ROUND, operations - made), dice, attacked, failures, counts });
    if (failures.length > 20) break;
  }
  const total = counts.done + counts.refused + counts.failed;
  // A run in which nothing met a swap has shown nothing.
  if (counts.done < total / 20 || counts.refused < total / 50 || counts.swaps < total / 100) {
    failures.push(`the attack was none: ${JSON.stringify(counts)}`);
  }
  return {
    name: "swaps",
    attacked: `${total} calls on ${attacked.backends("/").length} backends, ${counts.swaps} swaps meanwhile; ${counts.done} calls done, ${counts.refused} met a way out and were refused`,
    promise: "0 escapes",
    failures,
  };
}

async function round({ program, operations, dice, attacked, failures, counts }) {
  const arena = makeArena();
  const targets = attacked.backends(arena.root);
  const swapping = await startSwapping(program, arena.root, arena.pairs);
  let left = operations;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      const { method, args } = call(dice);
      const backend = dice.pick(targets);
      const answer = await backend[method](...args).catch((error) => ({ thrown: String(error) }));
      const text = textOf(answer);
      const leaked = arena.words.find((word) => text.includes(word));
      if (leaked !== undefined)
        failures.push(`${method}(${JSON.stringify(args)}) told of ${leaked}: ${text.slice(0, 300)}`);
      if (text.includes('"thrown"')) failures.push(`${method}(${JSON.stringify(args)}) threw: ${text.slice(0, 300)}`);
      if (text.includes('"code":"outside_root"')) counts.refused += 1;
      else if (text.includes('"code":"')) counts.failed += 1;
      else counts.done += 1;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  counts.swaps += await swapping.stop();
  failures.push(...arena.changes());
  arena.remove();
}

const WEIGHTS = {
  read: 20,
  readRaw: 8,
  write: 14,
  edit: 14,
  ls: 12,
  glob: 8,
  grep: 8,
  delete: 3,
  uploadFiles: 6,
  downloadFiles: 6,
};
const METHODS = Object.entries(WEIGHTS).flatMap(([method, weight]) => Array.from({ length: weight }, () => method));

/** A call at random, aimed at what is being swapped. */
function call(dice) {
  const method = dice.pick(METHODS);
  const fresh = () => `${dice.pick(DIRECTORIES)}/new-${dice.below(50)}/n${dice.below(50)}.txt`;
  const file = () => (dice.chance(0.2) ? fresh() : dice.pick(FILES));
  const folder = () => dice.pick(DIRECTORIES);
  const bytes = () => new TextEncoder().encode("inside\n");
  const args = {
    read: () => [file(), dice.below(3), 1 + dice.below(10)],
    readRaw: () => [file()],
    write: () => [file(), dice.chance(0.5) ? "inside\n" : bytes()],
    edit: () => (dice.chance(0.5) ? [file(), "inside", "INSIDE", true] : [file(), "INSIDE", "inside", true]),
    ls: () => [folder()],
    glob: () => [dice.pick(["**", "**/*.txt", "*", "d/**/key.txt", "a/b/*/**", "d/key.txt", "../**"]), folder()],
    grep: () => [
      dice.pick(["inside", "canary", "INSIDE"]),
      folder(),
      dice.pick([null, "*.txt", "d/**"]),
      dice.pick([null, 5]),
    ],
    // Sometimes all of a level.
    delete: () => [dice.chance(0.05) ? `/${dice.pick(FOLDERS)}` : dice.chance(0.5) ? file() : folder()],
    uploadFiles: () => [
      [
        [file(), bytes()],
        [fresh(), bytes()],
      ],
    ],
    downloadFiles: () => [[file(), file()]],
  };
  return { method, args: args[method]() };
}

/** An answer as one text, bytes included. */
function textOf(answer) {
  return (
    JSON.stringify(answer, (_key, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value,
    ) ?? ""
  );
}
