/** What every browser test stands on: the package loads in this place, and its core answers. */

import manifest from "../../npm/deepfs/package.json" with { type: "json" };

type Package = typeof import("deepfs");

export async function run(deepfs: Package) {
  const found = deepfs.coreBuild();
  const failures = [];
  if (found.build !== "wasm") failures.push(`build: ${found.build}`);
  if (found.version !== manifest.version)
    failures.push(`version: ${found.version}, the package is ${manifest.version}`);
  return { passed: failures.length === 0 ? 1 : 0, failed: failures.length, failures };
}
