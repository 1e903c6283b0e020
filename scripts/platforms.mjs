// Writes npm/platforms: one package per platform that the addon is built for. npm installs the one that fits, because
// scripts/pack.mjs makes all of them optional dependencies of deepfs. With --check, only says whether they are current.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fromRoot, PACKAGE } from "./setup/paths.mjs";
import { main, Problem } from "./setup/problem.mjs";
import { TRIPLES } from "./setup/triples.mjs";

await main(() => {
  const deepfs = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  const stale = Object.entries(TRIPLES).flatMap(([triple, platform]) => {
    const folder = fromRoot("npm", "platforms", triple);
    return Object.entries(stub(deepfs, triple, platform)).filter(([name, text]) => {
      const file = join(folder, name);
      if (existsSync(file) && readFileSync(file, "utf8") === text) return false;
      if (process.argv.includes("--check")) return true;
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, text);
      return false;
    });
  });
  if (stale.length > 0) throw new Problem("npm/platforms is not current: run node scripts/platforms.mjs.");
});

function stub({ version, license, repository, engines }, triple, { rust, os, cpu, libc }) {
  const addon = `deepfs.${triple}.node`;
  const manifest = {
    name: `@deepfs/${triple}`,
    version,
    description: `The native core of deepfs for ${rust}`,
    license,
    repository: { ...repository, directory: `npm/platforms/${triple}` },
    files: [addon],
    main: addon,
    engines,
    os: [os],
    cpu: [cpu],
    ...(libc === undefined ? {} : { libc: [libc] }),
  };
  return {
    "package.json": `${JSON.stringify(manifest, null, 2)}\n`,
    "README.md": `# @deepfs/${triple}\n\nThe native core of [deepfs](${repository.url.replace("git+", "")}) for \`${rust}\`. Install \`deepfs\`; it picks this package.\n`,
  };
}
