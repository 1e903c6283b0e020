// The Rust toolchain that the machine has.

import { output, which } from "./command.mjs";
import { canInstall, ensure } from "./debian.mjs";
import { Problem } from "./problem.mjs";

/** As `rust-version` in Cargo.toml. */
const OLDEST_MINOR = 90;
const INSTALL = "install Rust with rustup (https://rustup.rs), then run this again.";

/** Arguments every cargo call gets: nobody's lock changes in CI. */
export const LOCKED = process.env.CI ? ["--locked"] : [];

/** Finds cargo and checks that it can build; answers with its path and what `rustc -vV` says. */
export async function findCargo() {
  const cargo = which("cargo");
  const rustc = which("rustc");
  if (cargo === null || rustc === null) throw new Problem(`cargo was not found: ${INSTALL}`);
  const version = output(rustc, ["-vV"]);
  if (version === null) throw new Problem("rustc does not run: rustup default stable sets the toolchain to use.");
  const minor = Number(/^release: 1\.(\d+)/m.exec(version)?.[1]);
  if (!(minor >= OLDEST_MINOR)) {
    throw new Problem(`Rust 1.${minor} is too old, 1.${OLDEST_MINOR} is needed: run rustup update stable.`);
  }
  return { cargo, rustc, version };
}

/** rustc links with the C compiler's driver. */
export async function ensureLinker() {
  if (process.platform !== "linux" || which("cc") !== null) return;
  if (!canInstall())
    throw new Problem("No C linker (cc) was found: install gcc, for example with apt-get install gcc.");
  await ensure("gcc", "libc6-dev");
}
