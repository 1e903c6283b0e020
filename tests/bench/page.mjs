// The rows that run in a page of headless Chromium: deepfs as WASM from its own bundle, beside the peer's browser build.

import { build } from "esbuild";
import { fromRoot } from "../../scripts/setup/paths.mjs";
import { launch, reported } from "../browser/chromium.mjs";
import { serve } from "../browser/site.mjs";

const PAGE = `
  import * as deepfs from "/deepfs/inline.js";
  import { run } from "/rows.js";
  await report(await run(deepfs).catch((error) => ({ error: String(error?.stack ?? error) })));
`;
/** What the peer's dependencies import of Node and a page does not have. */
const NODE_MODULES = ["path", "util", "node:path", "node:util", "node:fs/promises"];

/** @returns {Promise<{ browser: string, rows: Record<string, { answers: Record<string, unknown>, times: Record<string, number[]> }> }>} */
export async function runPage({ rounds, timeoutMs = 240_000 }) {
  const site = await serve({
    "/page.html": `<!doctype html><title>bench</title><script type="module" src="/page.js"></script>`,
    "/page.js": PAGE,
    "/rows.js": await bundle(),
    "/favicon.ico": "",
  });
  const browser = await launch();
  try {
    const outcome = await reported(browser, `${site.url}/page.html?rounds=${rounds}`, timeoutMs);
    if (outcome.error !== undefined) throw new Error(`The page failed: ${outcome.error}`);
    return { browser: `Chromium ${browser.version()}`, rows: outcome.rows };
  } finally {
    await browser.close();
    await site.close();
  }
}

async function bundle() {
  const stub = fromRoot("tests", "bench", "page-stub.mjs");
  const { outputFiles } = await build({
    entryPoints: [fromRoot("tests", "bench", "page-run.mjs")],
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
    logLevel: "error",
    alias: Object.fromEntries(NODE_MODULES.map((name) => [name, stub])),
    define: { "process.env": "{}", "process.platform": '"linux"' },
  });
  return outputFiles[0].text;
}
