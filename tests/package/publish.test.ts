import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bin } from "../../scripts/setup/paths.mjs";
import { pack } from "./packed.mjs";

/** What the bundles may import: Node itself, and the module where the runtime compiles it. */
const ALLOWED_IMPORTS = /^(node:.+|\.\/deepfs\.wasm(\?module)?)$/;

let packed: ReturnType<typeof pack>;
let folder: string;
beforeAll(() => {
  packed = pack();
  folder = join(packed.project({ native: false }), "node_modules", "deepfs");
});
afterAll(() => packed.remove());

test("publint finds nothing to say", async () => {
  const { messages } = await publint({ pkgDir: folder, pack: false, strict: true });
  const { default: manifest } = await import(join(folder, "package.json"), { with: { type: "json" } });
  expect(messages.map((message) => formatMessage(message, manifest))).toEqual([]);
});

test("the types are right for CommonJS, for ES modules and for bundlers", { timeout: 60_000 }, () => {
  // `deepfs.wasm` is bytes, which no type describes. Resolution as before Node 12 knows no subpaths.
  const options = ["--exclude-entrypoints", "deepfs.wasm", "--profile", "node16", "--no-color", "--no-emoji"];
  const { status, stdout } = spawnSync(bin("attw"), [packed.tarball, ...options], { encoding: "utf8" });
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: expect.stringMatching(/from ESM\) │ OK \(ESM\).*bundler +│ OK/s),
  });
});

test.each(["node.js", "node.cjs", "wasm-node.js", "wasm-node.cjs", "inline.js", "workerd.js", "edge-light.js"])(
  "%s imports no package when it loads: the peers are optional",
  (file) => {
    const code = readFileSync(join(folder, "dist", file), "utf8");
    const imports = [
      ...code.matchAll(
        /^(?:import|export)\b[^"'\n]*["']([^"'\n]+)["']|^(?:const|let|var) [^\n]*require\("([^"]+)"\)/gm,
      ),
    ];
    expect(imports.map(([, esm, cjs]) => esm ?? cjs).filter((name) => !ALLOWED_IMPORTS.test(name ?? ""))).toEqual([]);
  },
);
