// Everything that CI asks of a change, in one command. A check that fails does not keep the others from running.

import { findCargo } from "./setup/cargo.mjs";
import { output, run, which } from "./setup/command.mjs";
import { bin, ROOT } from "./setup/paths.mjs";
import { main, Problem } from "./setup/problem.mjs";
import { timed } from "./setup/step.mjs";

const GENERATED = ["npm/deepfs/src/binding/generated", "Cargo.lock", "package-lock.json"];

await main(async () => {
  const { cargo } = await findCargo();
  const rust = (name, args, env) => [name, () => run(cargo, args, { cwd: ROOT, env })];
  const js = (name, program, args = []) => [name, () => run(program, args, { cwd: ROOT })];
  const checks = [
    rust("rustfmt", ["fmt", "--all", "--check"]),
    rust("clippy", ["clippy", "--all-targets", "--", "-D", "warnings"]),
    rust("clippy of the WASM crate", ["clippy", "-p", "deepfs-wasm", "--", "-D", "warnings"]),
    rust("rustdoc", ["doc", "--no-deps", "--document-private-items"], { RUSTDOCFLAGS: "-D warnings" }),
    js("oxfmt", bin("oxfmt"), ["--check"]),
    js("oxlint", bin("oxlint"), ["--deny-warnings"]),
    js("tsc", bin("tsc")),
    js("platform packages", process.execPath, ["scripts/platforms.mjs", "--check"]),
    ["generated files", generatedAreCommitted],
    ...(which("cargo-deny") === null ? [] : [rust("licences", ["deny", "check", "licenses", "bans", "sources"])]),
  ];
  const failed = [];
  for (const [name, check] of checks) {
    await timed(name, check).catch((error) => {
      if (!(error instanceof Problem)) throw error;
      console.error(`${error.output}\n✖ ${name}: ${error.message}`);
      failed.push(name);
    });
  }
  if (which("cargo-deny") === null) console.log("  licences: not checked, cargo-deny is not installed");
  if (failed.length > 0) throw new Problem(`Not ready: ${failed.join(", ")}.`);
  await import("./test.mjs");
});

/** The set-up has just written them: a difference means that the committed ones are old. */
function generatedAreCommitted() {
  const changed = output("git", ["status", "--porcelain", "--", ...GENERATED], { cwd: ROOT });
  if (changed === null) return;
  if (changed !== "") throw new Problem(`Commit what the build wrote:\n${changed}`);
}
