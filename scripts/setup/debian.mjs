// Debian's packages, for what npm and cargo do not carry: browsers, databases, a linker, a WASM toolchain.

import { existsSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { output, run, which } from "./command.mjs";
import { CACHE } from "./paths.mjs";
import { Problem } from "./problem.mjs";
import { timed } from "./step.mjs";

const LOCK = join(CACHE, "apt.lock");
/** Its age is that of the package lists. */
const UPDATED = join(CACHE, "apt-updated");
/** The holder touches the lock this often; one that was not touched for three times as long is a dead run's. */
const BEAT_MS = 5_000;
/** Package lists younger than this are not fetched again, in ms. */
const LISTS_FRESH_MS = 12 * 60 * 60 * 1000;

/** True where {@link ensure} can install something. */
export function canInstall() {
  return process.getuid?.() === 0 && which("apt-get") !== null;
}

export function isInstalled(name) {
  return output("dpkg-query", ["-W", "-f=${db:Status-Abbrev}", name])?.startsWith("ii") ?? false;
}

/**
 * Makes sure that Debian packages are installed. Tests in several processes may call it at once: one installs, the others
 * wait for it. Throws a {@link Problem} with the way out where nothing can be installed.
 *
 * @param {...string} names packages, as `chromium` or `postgresql`
 */
export async function ensure(...names) {
  if (names.every(isInstalled)) return;
  if (!canInstall()) {
    throw new Problem(`Missing: ${names.join(", ")}. Install it with: sudo apt-get install ${names.join(" ")}`);
  }
  await locked(async () => {
    const missing = names.filter((name) => !isInstalled(name));
    if (missing.length === 0) return;
    await timed(`Debian packages ${missing.join(", ")}`, async () => {
      const hint = "Debian's package archive has to be reachable.";
      if (!listsAreFresh()) {
        await run("apt-get", ["update", "-q"], { hint });
        writeFileSync(UPDATED, "");
      }
      await run("apt-get", ["install", "-q", "-y", "--no-install-recommends", ...missing], {
        env: { DEBIAN_FRONTEND: "noninteractive" },
        hint,
      });
    });
  });
}

function listsAreFresh() {
  return existsSync(UPDATED) && Date.now() - statSync(UPDATED).mtimeMs < LISTS_FRESH_MS;
}

async function locked(work) {
  mkdirSync(CACHE, { recursive: true });
  while (!tryLock()) await sleep(250);
  const beat = setInterval(() => utimesSync(LOCK, new Date(), new Date()), BEAT_MS);
  try {
    await work();
  } finally {
    clearInterval(beat);
    rmSync(LOCK, { recursive: true, force: true });
  }
}

/** A folder is a lock because making one is atomic. */
function tryLock() {
  if (existsSync(LOCK) && Date.now() - statSync(LOCK).mtimeMs > 3 * BEAT_MS) {
    rmSync(LOCK, { recursive: true, force: true });
  }
  try {
    mkdirSync(LOCK);
    return true;
  } catch {
    return false;
  }
}
