// Four processes edit one file at once: what was reported as done is in the file.

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const EDITOR = fileURLToPath(new URL("editor.mjs", import.meta.url));
const PROCESSES = 4;
const EDITS_A_ROUND = 64;

/** @returns {Promise<import("./report.mjs").Section>} */
export async function attackByEdits({ rounds, dice, attacked }) {
  const failures = [];
  const counts = { done: 0, conflicts: 0 };
  const folder = mkdtempSync(join(tmpdir(), "deepfs-attack-edits-"));
  const editors = Array.from({ length: PROCESSES }, (_, number) =>
    fork(EDITOR, [attacked.name, folder, String(number)]),
  );
  try {
    await Promise.all(editors.map((editor) => once(editor, "message")));
    for (let round = 0; round < rounds; round += 1) await oneRound({ folder, editors, round, dice, counts, failures });
  } finally {
    for (const editor of editors) editor.kill();
    rmSync(folder, { recursive: true, force: true });
  }
  return {
    name: "edits",
    attacked: `${rounds} rounds of ${EDITS_A_ROUND} edits of one file by ${PROCESSES} processes: ${counts.done} done, ${counts.conflicts} told of a conflict`,
    promise: "0 lost",
    failures,
  };
}

async function oneRound({ folder, editors, round, dice, counts, failures }) {
  const edits = EDITS_A_ROUND / editors.length;
  const file = join(folder, "shared.txt");
  const slots = editors.flatMap((_, number) => Array.from({ length: edits }, (_, at) => `slot ${number}-${at}`));
  // From a page to a megabyte: how long an edit takes decides what it meets.
  const padding = `${"between ".repeat(8)}\n`.repeat(1 + dice.below(200));
  writeFileSync(file, slots.map((slot) => `${slot}: free\n`).join(padding));
  const answers = await Promise.all(
    editors.map(async (editor) => {
      const answered = once(editor, "message");
      editor.send({ round, edits });
      return (await answered)[0];
    }),
  );
  const lines = new Set(readFileSync(file, "utf8").split("\n"));
  for (const [at, { error, code }] of answers.flat().entries()) {
    const isThere = lines.has(`${slots[at]}: taken in ${round}`);
    if (error === undefined) counts.done += 1;
    else counts.conflicts += 1;
    if (error === undefined && !isThere) failures.push(`round ${round}: the edit of ${slots[at]} was lost`);
    if (error !== undefined && (isThere || code !== "conflict"))
      failures.push(`round ${round}: ${slots[at]}: ${error}`);
  }
  const padded = readFileSync(file, "utf8").split(padding).length;
  if (padded !== slots.length) failures.push(`round ${round}: the file has ${padded} parts, not ${slots.length}`);
  const others = readdirSync(folder).filter((name) => name !== "shared.txt");
  if (others.length > 0) failures.push(`round ${round}: left behind: ${others.join(", ")}`);
}
