// The npm packages, exactly as the lock names them.

import { existsSync, readFileSync } from "node:fs";
import { run } from "./command.mjs";
import { fromRoot, ROOT } from "./paths.mjs";
import { Problem } from "./problem.mjs";
import { timed } from "./step.mjs";

const OLDEST_NODE = 20;

/** Runs `npm ci` unless `node_modules` holds what the lock names. */
export async function installPackages() {
  if (Number(process.versions.node.split(".")[0]) < OLDEST_NODE) {
    throw new Problem(`Node ${process.versions.node} is too old: install Node ${OLDEST_NODE} or newer.`);
  }
  if (installedAsLocked()) {
    console.log("✔ npm packages: up to date");
    return;
  }
  await timed("npm packages", () =>
    run("npm", ["ci", "--no-audit", "--no-fund"], {
      cwd: ROOT,
      hint: "The package registry has to be reachable, and package-lock.json has to fit package.json.",
    }),
  );
}

/** npm keeps a copy of the lock beside what it installed; packages for other platforms are missing from it. */
function installedAsLocked() {
  const copy = fromRoot("node_modules", ".package-lock.json");
  if (!existsSync(copy)) return false;
  const locked = JSON.parse(readFileSync(fromRoot("package-lock.json"), "utf8")).packages;
  const installed = JSON.parse(readFileSync(copy, "utf8")).packages;
  return Object.entries(locked).every(([path, entry]) => {
    if (!path.startsWith("node_modules/")) return true;
    const found = installed[path];
    if (found === undefined) return entry.optional === true || entry.peer === true;
    return found.version === entry.version && found.integrity === entry.integrity && existsSync(fromRoot(path));
  });
}
