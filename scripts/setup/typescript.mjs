// The TypeScript of the package: bundles and declarations in npm/deepfs/dist.

import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bin, fromRoot, PACKAGE } from "./paths.mjs";
import { run } from "./command.mjs";
import { step } from "./step.mjs";
import { MODULE } from "./wasm.mjs";

export async function buildTypeScript() {
  const dist = join(PACKAGE, "dist");
  await step("TypeScript", {
    files: [
      ...["src", "package.json", "tsconfig.json", "tsdown.config.ts"].map((f) => join(PACKAGE, f)),
      ...["tsconfig.json", "package-lock.json"].map((f) => fromRoot(f)),
      MODULE,
    ],
    values: [process.version],
    outputs: ["node.js", "node.cjs", "node.d.ts", "inline.js", "workerd.js", "deepfs.wasm"].map((f) => join(dist, f)),
    work: async () => {
      rmSync(dist, { recursive: true, force: true });
      await run(bin("tsdown"), [], { cwd: PACKAGE });
      copyFileSync(MODULE, join(dist, "deepfs.wasm"));
    },
  });
}
