// Running other programs, with progress for the ones that take long.

import { spawn, spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { Problem } from "./problem.mjs";

/** Lines of a failed program's output that are shown. */
const SHOWN_LINES = 120;
/** How often a running program's last line is repeated, in ms; a terminal redraws one line, a log gets a new one. */
const EVERY_MS = process.stdout.isTTY ? 250 : 10_000;

/** The full path of a program on PATH or in cargo's own folder, or null. */
export function which(program) {
  const cargo = join(process.env.CARGO_HOME ?? join(homedir(), ".cargo"), "bin");
  for (const folder of [...(process.env.PATH ?? "").split(delimiter), cargo]) {
    const file = join(folder, program);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}

/** The output of a quick program, or null when it is missing or fails. */
export function output(program, args = [], options = {}) {
  const result = spawnSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], ...options });
  return result.status === 0 ? result.stdout.trim() : null;
}

/**
 * Runs a program to its end, showing the last line it wrote. Throws a {@link Problem} that ends with `hint` when it
 * fails, or when it takes longer than `timeoutMs`.
 */
export async function run(program, args, { env = {}, cwd, hint = "", timeoutMs = 0 } = {}) {
  const started = performance.now();
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  const collect = (chunk) => {
    text += chunk;
  };
  child.stdout.setEncoding("utf8").on("data", collect);
  child.stderr.setEncoding("utf8").on("data", collect);
  const ticker = setInterval(() => progress(text, started), EVERY_MS);
  const limit = timeoutMs > 0 ? setTimeout(() => child.kill("SIGKILL"), timeoutMs) : undefined;
  try {
    const code = await new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (status, signal) => resolve(signal ?? status));
    }).catch((error) => error.message);
    if (code !== 0) {
      const tail = text.trimEnd().split("\n").slice(-SHOWN_LINES).join("\n");
      throw new Problem(`${[program, ...args].join(" ")} failed (${code}). ${hint}`.trim(), tail);
    }
  } finally {
    clearInterval(ticker);
    clearTimeout(limit);
    if (process.stdout.isTTY) process.stdout.write("\r\u001b[K");
  }
  return text;
}

function progress(text, started) {
  const seconds = Math.round((performance.now() - started) / 1000);
  const last =
    text
      .trimEnd()
      .split(/[\r\n]/)
      .at(-1)
      ?.trim() ?? "";
  const line = `    ${String(seconds).padStart(4)} s  ${last}`;
  if (process.stdout.isTTY) process.stdout.write(`\r\u001b[K${line.slice(0, (process.stdout.columns ?? 80) - 1)}`);
  else console.log(line.slice(0, 160));
}
