// Writers are killed in the middle of their work: every file is the old one or the new one, and what is left over is hidden
// and taken away.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { contentOf, versionOf } from "./versions.mjs";

const WRITER = fileURLToPath(new URL("writer.mjs", import.meta.url));
const OWN_NAME = /^\.deepfs-[0-9a-f]{16}\.(tmp|bak)$/;

/** @returns {Promise<import("./report.mjs").Section>} */
export async function attackByKills({ kills, dice, attacked }) {
  const failures = [];
  const counts = { inMidWrite: 0, leftovers: 0, files: 0 };
  const folder = mkdtempSync(join(tmpdir(), "deepfs-attack-kills-"));
  try {
    for (let at = 0; at < 6; at += 1) writeFileSync(join(folder, `f${at}.txt`), contentOf(at, 100));
    const [reader] = attacked.backends(folder);
    for (let tried = 0; counts.inMidWrite < kills && tried < kills * 2 && failures.length < 20; tried += 1) {
      counts.inMidWrite += Number(await killOne(folder, dice, attacked));
      await look(folder, reader, counts, failures);
    }
    if (counts.inMidWrite < kills) failures.push(`only ${counts.inMidWrite} kills met a write`);
    await sweep(folder, attacked, failures);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return {
    name: "kills",
    attacked: `${counts.inMidWrite} writers killed in mid-write, ${counts.files} files looked at; ${counts.leftovers} hidden leftovers`,
    promise: "0 broken files",
    failures,
  };
}

/** Starts a writer, kills it, and tells whether that was in the middle of a write. */
async function killOne(folder, dice, { name }) {
  const child = spawn(process.execPath, [WRITER, name, folder, String(1 + dice.below(1_000_000))], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  const closed = new Promise((resolve) => child.on("close", resolve));
  await Promise.race([
    closed,
    new Promise((resolve) => {
      child.stdout.setEncoding("latin1").on("data", (chunk) => {
        said += chunk;
        resolve();
      });
    }),
  ]);
  await sleep(dice.below(40));
  child.kill("SIGKILL");
  await closed;
  return said.endsWith("(");
}

/** Every file is whole, and no leftover is shown. */
async function look(folder, reader, counts, failures) {
  const names = readdirSync(folder, { recursive: true });
  counts.leftovers = Math.max(counts.leftovers, names.filter(isOwn).length);
  for (const name of names.filter((name) => !isOwn(name) && statSync(join(folder, name)).isFile())) {
    counts.files += 1;
    const content = readFileSync(join(folder, name), "utf8");
    if (versionOf(content) === null)
      failures.push(`${name} is broken: ${content.length} characters, ${content.slice(0, 40)}`);
  }
  const shown = JSON.stringify([
    await reader.ls("/"),
    await reader.glob("**/.*"),
    await reader.grep("lines", "/", null, 100),
  ]);
  if (shown.includes(".deepfs-")) failures.push("a leftover is shown");
  for (const name of names.filter(isOwn)) {
    const { code } = await reader.read(`/${name}`);
    if (code !== "file_not_found") failures.push(`a leftover can be read: ${code}`);
  }
  // What was made new must not pile up from kill to kill.
  for (const name of readdirSync(folder).filter((name) => name.startsWith("new-")))
    rmSync(join(folder, name), { recursive: true });
}

/** A later process that writes into the folder takes away what is old enough to be nobody's. */
async function sweep(folder, attacked, failures) {
  // So that there is something to take away, however the kills went.
  writeFileSync(join(folder, ".deepfs-0123456789abcdef.tmp"), "left over");
  const leftovers = readdirSync(folder).filter((name) => isOwn(name) && name.endsWith(".tmp"));
  const longAgo = new Date(Date.now() - 120_000);
  for (const name of leftovers) utimesSync(join(folder, name), longAgo, longAgo);
  const [writer] = attacked.backends(folder);
  await writer.write("/after.txt", "after");
  const left = readdirSync(folder).filter((name) => name.endsWith(".tmp"));
  if (left.length > 0) failures.push(`${left.length} leftovers were not cleaned up`);
}

function isOwn(name) {
  return OWN_NAME.test(name.split("/").at(-1));
}
