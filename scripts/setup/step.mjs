// One step of the set-up: says what it does, does it only when an input changed, and says how long it took.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { CACHE, ROOT } from "./paths.mjs";

/** Folders that hold results or other people's code, never inputs. */
const NOT_INPUTS = new Set(["node_modules", "target"]);

/**
 * Runs `work` unless the stamp of an earlier run has the same inputs and every output is still there.
 *
 * @param {string} name what the step makes, as the line shows it
 * @param {{ files: string[], values?: unknown[], outputs: string[], work: () => Promise<void> | void }} step `files`:
 *   files and folders whose content matters; `values`: everything else that matters, such as tool versions.
 */
export async function step(name, { files, values = [], outputs, work }) {
  const stamp = join(CACHE, "stamps", name.replaceAll(/\W+/g, "-"));
  const key = hashOf(files, values);
  const upToDate =
    outputs.every((file) => existsSync(file)) && existsSync(stamp) && readFileSync(stamp, "utf8") === key;
  if (upToDate) {
    console.log(`✔ ${name}: up to date`);
    return;
  }
  // A run that breaks off must not leave the stamp of an earlier one beside half a result.
  rmSync(stamp, { force: true });
  await timed(name, work);
  mkdirSync(join(CACHE, "stamps"), { recursive: true });
  writeFileSync(stamp, key);
}

/** Says what is being done, does it, and says how long it took. */
export async function timed(name, work) {
  const started = performance.now();
  console.log(`▸ ${name} …`);
  const result = await work();
  console.log(`✔ ${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return result;
}

/** One hash over the contents of files and folders and over plain values. */
export function hashOf(files, values = []) {
  const hash = createHash("sha256");
  for (const file of files.flatMap(filesBelow)) {
    hash.update(`${relative(ROOT, file)}\0`).update(createHash("sha256").update(readFileSync(file)).digest());
  }
  return hash.update(JSON.stringify(values)).digest("hex");
}

function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path)
    .filter((name) => !NOT_INPUTS.has(name))
    .sort();
  return names.flatMap((name) => filesBelow(join(path, name)));
}
