// Other programs that do the same work: ripgrep, fd, ls, sed, as a caller in Node starts them.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { findCargo } from "../../scripts/setup/cargo.mjs";
import { run, which } from "../../scripts/setup/command.mjs";
import { canInstall, ensure } from "../../scripts/setup/debian.mjs";
import { BENCH } from "./corpora.mjs";

const RG_VERSION = "15";

/** Runs a program and collects what it prints; exit codes of "nothing found" are answers. */
export function capture(program, args, { cwd } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
    const chunks = [];
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", (code) =>
      code <= 1 ? resolve(Buffer.concat(chunks)) : reject(new Error(`${program}: exit ${code}`)),
    );
  });
}

/** The lines that a program prints. */
export async function captureLines(program, args, options) {
  const text = (await capture(program, args, options)).toString();
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** The programs of this machine. Missing ones are `null`, and their comparisons are left out and named. */
export async function findPrograms(say) {
  if (canInstall() && !process.env.SKIP_RG) await ensure("ripgrep", "fd-find");
  return {
    rg: await currentRipgrep(say),
    oldRg: which("rg"),
    fd: which("fdfind") ?? which("fd"),
    ls: which("ls"),
    sed: which("sed"),
  };
}

/** Debian's ripgrep is old; the current one is built once, if crates.io can be reached. */
async function currentRipgrep(say) {
  const built = join(BENCH, "tools", "bin", "rg");
  if (existsSync(built)) return built;
  if (process.env.SKIP_RG) return which("rg");
  say(`building ripgrep ${RG_VERSION} (once)`);
  try {
    const { cargo } = await findCargo();
    await run(
      cargo,
      ["install", "ripgrep", "--version", `^${RG_VERSION}`, "--locked", "--root", join(BENCH, "tools")],
      {},
    );
    return built;
  } catch (error) {
    say(`ripgrep ${RG_VERSION} did not build (${error.message}); comparing with the one that is installed`);
    return which("rg");
  }
}
