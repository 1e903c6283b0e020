// The same calls through deepfs and through the backend of deepagents, side by side.

import { FilesystemBackend as Ours } from "deepfs";
import { FilesystemBackend as Theirs } from "deepagents";
import { availableParallelism } from "node:os";

const ROUNDS = 9;

const CALLS = [
  ["ls('/')", (backend) => backend.ls("/")],
  ["glob('**/*.rs')", (backend) => backend.glob("**/*.rs")],
  ["grep('the', maxCount 1000)", (backend) => backend.grep("the", "/", null, 1000)],
  ["grep of an absent word", (backend) => backend.grep(["qu", "ixotically"].join(""))],
  ["read, 3 lines", (backend) => backend.read("/hello/greeting.txt", 0, 3)],
  ["write, 4 KB", (backend) => backend.write("/hello/written.txt", "x".repeat(4096))],
  [
    "edit",
    (backend, round) =>
      backend.edit("/hello/written.txt", "x", `${round}`, true).then(() => backend.write("/hello/written.txt", "x")),
  ],
];

/** Prints the table; returns how many calls of deepfs failed. */
export async function compareWithPeer({ path, files }) {
  const sides = [Ours.createSafe(path), new Theirs({ rootDir: path, virtualMode: true })];
  let failures = 0;
  console.log(
    `The same calls on ${files} files, medians of ${ROUNDS} rounds, ${availableParallelism()} cores, wall time:\n`,
  );
  console.log(row("call", "deepfs", "deepagents", "ratio"));
  for (const [name, call] of CALLS) {
    const times = sides.map(() => []);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [side, backend] of sides.entries()) {
        const start = performance.now();
        const result = await call(backend, round);
        times[side].push(performance.now() - start);
        if (side === 0 && result.error !== undefined) failures += 1;
      }
    }
    const [ours, theirs] = times.map(median);
    console.log(row(name, `${ours.toFixed(2)} ms`, `${theirs.toFixed(2)} ms`, `${(theirs / ours).toFixed(1)}×`));
  }
  return failures;
}

function row(...cells) {
  return cells.map((cell, at) => (at === 0 ? cell.padEnd(30) : cell.padStart(12))).join("");
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1];
}
