import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build as esbuild } from "esbuild";
import { build as vite } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, reported } from "../browser/chromium.mjs";
import { serve } from "../browser/site.mjs";
import { pack } from "./packed.mjs";

const APP = `import { coreBuild } from "deepfs"; report(coreBuild().build);`;

let packed: ReturnType<typeof pack>;
let project: string;
beforeAll(() => {
  packed = pack();
  project = packed.project({ native: true, files: { "app.js": APP } });
});
afterAll(() => packed.remove());

/** Runs a bundle in a page and answers with what it reports. */
async function inPage(bundle: string): Promise<unknown> {
  const page = `<!doctype html><title>app</title><script type="module" src="/app.js"></script>`;
  const site = await serve({ "/page.html": page, "/app.js": bundle, "/favicon.ico": "" });
  const browser = await launch();
  try {
    return await reported(browser, `${site.url}/page.html`, 30_000);
  } finally {
    await browser.close();
    await site.close();
  }
}

test(
  "pkg-bundlers: esbuild's bundle for a browser runs in a page, with no configuration",
  { timeout: 60_000 },
  async () => {
    const { outputFiles, warnings } = await esbuild({
      entryPoints: [join(project, "app.js")],
      bundle: true,
      format: "esm",
      platform: "browser",
      write: false,
      logLevel: "silent",
    });
    expect(warnings).toEqual([]);
    expect(await inPage(outputFiles[0]?.text ?? "")).toBe("wasm");
  },
);

test("pkg-bundlers: vite's production build runs in a page, with no configuration", { timeout: 60_000 }, async () => {
  writeFileSync(join(project, "index.html"), `<script type="module" src="./app.js"></script>`);
  const output = { entryFileNames: "bundle.js" };
  await vite({ root: project, configFile: false, logLevel: "silent", build: { rolldownOptions: { output } } });
  expect(await inPage(readFileSync(join(project, "dist", "bundle.js"), "utf8"))).toBe("wasm");
});

test("the module stays under the size that Chromium compiles on a page's main thread", () => {
  const module = readFileSync(join(project, "node_modules", "deepfs", "dist", "deepfs.wasm"));
  expect(module.byteLength).toBeLessThan(8 * 1024 * 1024);
});
