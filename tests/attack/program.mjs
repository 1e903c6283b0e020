// The parts of the attack that are not JavaScript: the swapper, built from crates/host, and the addon's own shell.

import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { findCargo, LOCKED } from "../../scripts/setup/cargo.mjs";
import { run } from "../../scripts/setup/command.mjs";
import { PACKAGE, ROOT } from "../../scripts/setup/paths.mjs";

/** Builds the program that swaps names; answers with its path. */
export async function buildSwapper() {
  const { cargo } = await findCargo();
  const args = ["build", "--package", "deepfs-host", "--example", "swapper", "--message-format=json", ...LOCKED];
  const text = await run(cargo, args, { cwd: ROOT });
  const messages = text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
  return messages.find(({ executable, target }) => executable && target?.name === "swapper").executable;
}

/** Starts swapping; the answer's `stop` ends it and tells how many swaps were made. */
export async function startSwapping(program, root, pairs) {
  const child = spawn(program, [root, ...pairs], { stdio: ["pipe", "pipe", "inherit"] });
  let text = "";
  child.stdout.setEncoding("utf8");
  const closed = new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  await new Promise((resolve) => {
    child.stdout.on("data", (chunk) => {
      text += chunk;
      if (text.startsWith("ready")) resolve();
    });
    child.on("close", resolve);
  });
  return {
    async stop() {
      child.stdin.end();
      await closed;
      return Number(text.split("\n")[1] ?? 0);
    },
  };
}

/** What the addon exports. */
export function loadAddon() {
  const folder = join(PACKAGE, "native");
  const [name] = readdirSync(folder).filter((file) => file.endsWith(".node"));
  return createRequire(import.meta.url)(join(folder, name));
}
