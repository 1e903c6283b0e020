// The Node addon for this machine.

import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureLinker, findCargo, LOCKED } from "./cargo.mjs";
import { run } from "./command.mjs";
import { declarations } from "./declarations.mjs";
import { CACHE, fromRoot, GENERATED, PACKAGE, ROOT } from "./paths.mjs";
import { hostTriple } from "./triples.mjs";
import { Problem } from "./problem.mjs";
import { step } from "./step.mjs";

const LIBRARY = { linux: "libdeepfs_node.so", darwin: "libdeepfs_node.dylib", win32: "deepfs_node.dll" };

/** Where the addon for this machine is put; the package's loader looks here first. */
export function addonFile() {
  return join(PACKAGE, "native", `deepfs.${hostTriple()}.node`);
}

export async function buildNative() {
  const { cargo, version } = await findCargo();
  const library = LIBRARY[process.platform];
  if (library === undefined) throw new Problem(`The addon does not build on ${process.platform}; WASM does.`);
  await ensureLinker();
  await step("Node addon", {
    files: [
      "Cargo.toml",
      "Cargo.lock",
      ".cargo",
      "crates/node/build.rs",
      "scripts/setup/declarations.mjs",
      ...["core", "host", "node"].flatMap((name) => [`crates/${name}/src`, `crates/${name}/Cargo.toml`]),
    ].map((f) => fromRoot(f)),
    values: [version, process.env.RUSTFLAGS, hostTriple()],
    outputs: [addonFile()],
    work: async () => {
      const types = newTypesFolder();
      await run(cargo, ["build", "--release", "-p", "deepfs-node", ...LOCKED], {
        cwd: ROOT,
        env: { NAPI_TYPE_DEF_TMP_FOLDER: types },
      });
      mkdirSync(GENERATED, { recursive: true });
      writeFileSync(join(GENERATED, "native.d.ts"), declarations(readFileSync(join(types, "deepfs-node"), "utf8")));
      mkdirSync(join(PACKAGE, "native"), { recursive: true });
      // Renamed into place: a process that has the old addon mapped keeps it.
      copyFileSync(join(targetFolder(), "release", library), `${addonFile()}.new`);
      renameSync(`${addonFile()}.new`, addonFile());
    },
  });
}

/** napi-derive appends its declarations here as it compiles; cargo compiles the addon anew because the name is new. */
function newTypesFolder() {
  const parent = join(CACHE, "napi-types");
  rmSync(parent, { recursive: true, force: true });
  const folder = join(parent, String(Date.now()));
  mkdirSync(folder, { recursive: true });
  return folder;
}

export function targetFolder() {
  return process.env.CARGO_TARGET_DIR ?? fromRoot("target");
}
