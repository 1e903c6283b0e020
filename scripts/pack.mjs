// Makes the tarballs that are published: deepfs, and the platform package of every addon that npm/deepfs/native holds.
//
//   node scripts/pack.mjs <out-folder>

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { run } from "./setup/command.mjs";
import { CACHE, fromRoot, PACKAGE } from "./setup/paths.mjs";
import { main, Problem } from "./setup/problem.mjs";
import { TRIPLES } from "./setup/triples.mjs";

const LICENSES = ["LICENSE-MIT", "LICENSE-APACHE"];

await main(async () => {
  const [out] = process.argv.slice(2);
  if (out === undefined) throw new Problem("Usage: node scripts/pack.mjs <out-folder>");
  mkdirSync(out, { recursive: true });
  const staging = join(CACHE, "pack");
  rmSync(staging, { recursive: true, force: true });
  for (const folder of [stagePackage(staging), ...stagePlatforms(staging)]) {
    await run("npm", ["pack", "--silent", "--pack-destination", resolve(out)], { cwd: folder });
  }
});

/** The package as published: with the licences and README, and the platform packages as optional dependencies. */
function stagePackage(staging) {
  const folder = join(staging, "deepfs");
  const manifest = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  const platforms = Object.keys(TRIPLES).map((triple) => [`@deepfs/${triple}`, manifest.version]);
  stage(folder, { ...manifest, optionalDependencies: Object.fromEntries(platforms) });
  cpSync(join(PACKAGE, "dist"), join(folder, "dist"), { recursive: true });
  cpSync(fromRoot("README.md"), join(folder, "README.md"));
  return folder;
}

function stagePlatforms(staging) {
  const addons = readdirSync(join(PACKAGE, "native")).filter((name) => name.endsWith(".node"));
  return addons.map((addon) => {
    const [, triple] = addon.split(".");
    const source = fromRoot("npm", "platforms", triple);
    const folder = join(staging, triple);
    stage(folder, JSON.parse(readFileSync(join(source, "package.json"), "utf8")));
    cpSync(join(source, "README.md"), join(folder, "README.md"));
    cpSync(join(PACKAGE, "native", addon), join(folder, addon));
    return folder;
  });
}

function stage(folder, manifest) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const name of LICENSES) cpSync(fromRoot(name), join(folder, name));
}
