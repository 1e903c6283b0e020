// Finding a Rust toolchain that compiles for wasm32-unknown-unknown. In this order, the first that works:
//   1. the toolchain has the target         2. rustup can add it
//   3. Debian's Rust for WASM is installed  4. apt-get can install it
// DEEPFS_WASM_TOOLCHAIN=rustup tries only 1 and 2, =debian only 3 and 4.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findCargo, LOCKED } from "./cargo.mjs";
import { output, run, which } from "./command.mjs";
import { canInstall, ensure, isInstalled } from "./debian.mjs";
import { CACHE, fromRoot } from "./paths.mjs";
import { Problem } from "./problem.mjs";
import { timed } from "./step.mjs";

const TARGET = "wasm32-unknown-unknown";
const DEBIAN_PACKAGES = ["rustc-web", "cargo-web", "rust-web-src", "lld"];
/** rustup has no limit of its own and waits for a network that may never answer, in ms. */
const RUSTUP_LIMIT_MS = 60_000;
/** Remembers Debian's toolchain, so that rustup is not asked again, and waited for, at each run. */
const CHOICE = join(CACHE, "wasm-toolchain");

/**
 * @typedef {object} WasmToolchain
 * @property {string} name what was taken, for people and for stamps
 * @property {(profile: string, ...packages: string[]) => Promise<string>} build compiles packages for WASM and answers
 *   with the folder of the results
 */

/** @returns {Promise<WasmToolchain>} */
export async function findWasmToolchain() {
  const forced = process.env.DEEPFS_WASM_TOOLCHAIN ?? "";
  if (!["", "rustup", "debian"].includes(forced)) {
    throw new Problem(`DEEPFS_WASM_TOOLCHAIN is "${forced}": it has to be "rustup" or "debian".`);
  }
  const remembered = forced === "" && existsSync(CHOICE) && readFileSync(CHOICE, "utf8") === "debian";
  const found =
    (remembered || forced === "debian" ? null : await ownToolchain()) ??
    (forced === "rustup" ? null : await debianToolchain());
  if (found !== null) {
    mkdirSync(CACHE, { recursive: true });
    if (forced === "") writeFileSync(CHOICE, found.kind);
    console.log(`  WASM toolchain: ${found.name}`);
    return found;
  }
  const ways = {
    "": `run "rustup target add ${TARGET}", or as root "apt-get install ${DEBIAN_PACKAGES.join(" ")}"`,
    rustup: `run "rustup target add ${TARGET}"`,
    debian: `run as root "apt-get install ${DEBIAN_PACKAGES.join(" ")}"`,
  };
  throw new Problem(`No Rust toolchain for ${TARGET} was found: ${ways[forced]}.`);
}

async function ownToolchain() {
  const { cargo, rustc, version } = await findCargo();
  const release = /^release: (\S+)/m.exec(version)?.[1];
  let name = `rustc ${release}, which has the target`;
  if (!hasTarget(rustc)) {
    if (!(await rustupAdds()) || !hasTarget(rustc)) return null;
    name = `rustc ${release}, target added by rustup`;
  }
  return { kind: "own", name, build: builder(cargo, {}, [], fromRoot("target")) };
}

function hasTarget(rustc) {
  const folder = output(rustc, ["--print", "target-libdir", "--target", TARGET]);
  return folder !== null && existsSync(folder);
}

async function rustupAdds() {
  const rustup = which("rustup");
  if (rustup === null) return false;
  try {
    await timed(`rustup target add ${TARGET}`, () =>
      run(rustup, ["target", "add", TARGET], { timeoutMs: RUSTUP_LIMIT_MS }),
    );
    return true;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    console.log("  rustup could not add the target");
    return false;
  }
}

async function debianToolchain() {
  if (!DEBIAN_PACKAGES.every(isInstalled)) {
    if (!canInstall()) return null;
    await ensure(...DEBIAN_PACKAGES);
  }
  const release = output("/usr/bin/rustc", ["--version"]);
  const env = {
    RUSTC: "/usr/bin/rustc",
    // Debian ships no compiled standard library for this target, only its source; building it is a nightly option.
    RUSTC_BOOTSTRAP: "1",
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: "wasm-ld",
  };
  const build = builder("/usr/bin/cargo", env, ["-Zbuild-std=std,panic_abort"], fromRoot("target", "debian"));
  return { kind: "debian", name: `Debian's ${release}, standard library from source`, build };
}

function builder(cargo, env, options, target) {
  return async (profile, ...packages) => {
    const names = packages.flatMap((name) => ["-p", name]);
    await run(cargo, ["build", "--profile", profile, "--target", TARGET, ...names, ...options, ...LOCKED], {
      cwd: fromRoot(),
      env: { ...env, CARGO_TARGET_DIR: target },
    });
    return join(target, TARGET, profile === "dev" ? "debug" : profile);
  };
}
