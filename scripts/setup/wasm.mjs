// The WASM module and its glue: compile, bindgen, wasm-opt.

import { copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findCargo, LOCKED } from "./cargo.mjs";
import { bin, fromRoot, GENERATED, PACKAGE, ROOT } from "./paths.mjs";
import { run } from "./command.mjs";
import { targetFolder } from "./native.mjs";
import { hashOf, step } from "./step.mjs";
import { findWasmToolchain } from "./wasm-toolchain.mjs";

export const MODULE = join(PACKAGE, "wasm", "deepfs.wasm");
/** wasm-opt takes the features to use from the module itself, and then drops what only tools read. */
const OPTIMISE = ["-O3", "--strip-debug", "--strip-producers", "--strip-target-features"];

export async function buildWasm() {
  const { cargo, version } = await findCargo();
  const toolchain = await findWasmToolchain();
  const glue = join(GENERATED, "deepfs_bg.js");
  const bindgen = join(targetFolder(), "tool", `deepfs-bindgen${process.platform === "win32" ? ".exe" : ""}`);
  await step("bindgen, the build tool", {
    // Its crates and their versions, not the whole lock: that changes with every crate of the others.
    files: [fromRoot("wasm", "bindgen")],
    values: [version, lockedBindgen()],
    outputs: [bindgen],
    work: () => run(cargo, ["build", "--profile", "tool", "-p", "deepfs-bindgen", ...LOCKED], { cwd: ROOT }),
  });
  await step("WASM module", {
    files: [
      "Cargo.toml",
      "Cargo.lock",
      ".cargo",
      ...["crates/core", "wasm"].flatMap((p) => [`${p}/src`, `${p}/Cargo.toml`]),
    ].map((f) => fromRoot(f)),
    values: [
      version,
      toolchain.name,
      process.env.RUSTFLAGS,
      OPTIMISE,
      hashOf([bindgen, fromRoot("node_modules", "binaryen", "package.json")]),
    ],
    outputs: [MODULE, glue],
    work: async () => {
      const out = fromRoot(".cache", "bindgen");
      rmSync(out, { recursive: true, force: true });
      const built = await toolchain.build("wasm", "deepfs-wasm");
      await run(bindgen, [join(built, "deepfs_wasm.wasm"), out]);
      mkdirSync(join(PACKAGE, "wasm"), { recursive: true });
      mkdirSync(GENERATED, { recursive: true });
      await run(bin("wasm-opt"), [...OPTIMISE, join(out, "deepfs_bg.wasm"), "-o", MODULE]);
      copyFileSync(join(out, "deepfs_bg.js"), glue);
      copyFileSync(join(out, "deepfs.d.ts"), join(GENERATED, "deepfs_bg.d.ts"));
    },
  });
}

function lockedBindgen() {
  const lock = readFileSync(fromRoot("Cargo.lock"), "utf8");
  return lock.split("\n\n").filter((entry) => /^name = "(wasm-bindgen|walrus|wasmparser)/m.test(entry));
}
