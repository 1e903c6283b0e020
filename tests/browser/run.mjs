// Runs a test module in headless Chromium, in a page and in a module worker. deepfs itself is loaded as plain ES modules
// from a local server, with no bundler; only the test module is bundled.
//
//   node tests/browser/run.mjs tests/browser/load-run.ts
//
// The module exports `run(deepfs) => Promise<{ passed, failed, failures }>`.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { launch, reported } from "./chromium.mjs";
import { serve } from "./site.mjs";

const RUN = `
  import * as deepfs from "/deepfs/inline.js";
  import { run } from "/test.js";
  export const outcome = () => run(deepfs).catch((error) => ({ passed: 0, failed: 1, failures: [String(error?.stack ?? error)] }));
`;
const PAGE = `import { outcome } from "/run.js"; await report(await outcome());`;
const WORKER = `import { outcome } from "/run.js"; postMessage(await outcome());`;
const START_WORKER = `
  const worker = new Worker("/worker.js", { type: "module" });
  worker.onmessage = ({ data }) => report(data);
  worker.onerror = ({ message }) => report({ passed: 0, failed: 1, failures: [message ?? "the worker did not load"] });
`;
const html = (script) => `<!doctype html><title>deepfs</title><script type="module" src="${script}"></script>`;

/**
 * @param {string} testModule file of the test module
 * @param {{ timeoutMs?: number, files?: Record<string, string> }} [options] files that the module can fetch
 * @returns {Promise<Record<"page" | "worker", { passed: number, failed: number, failures: unknown[] }>>}
 */
export async function runInBrowser(testModule, { timeoutMs = 120_000, files = {} } = {}) {
  const site = await serve({
    ...files,
    "/page.html": html("/page.js"),
    "/page.js": PAGE,
    "/worker.html": html("/start-worker.js"),
    "/start-worker.js": START_WORKER,
    "/worker.js": WORKER,
    "/run.js": RUN,
    "/test.js": await bundle(testModule),
    "/favicon.ico": "",
  });
  const browser = await launch();
  try {
    return {
      page: await reported(browser, `${site.url}/page.html`, timeoutMs),
      worker: await reported(browser, `${site.url}/worker.html`, timeoutMs),
    };
  } finally {
    await browser.close();
    await site.close();
  }
}

async function bundle(testModule) {
  const { outputFiles } = await build({
    entryPoints: [resolve(testModule)],
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
    logLevel: "error",
  });
  return outputFiles[0].text;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const outcomes = await runInBrowser(process.argv[2]);
  console.log(JSON.stringify(outcomes, null, 2));
  process.exitCode = Object.values(outcomes).some(({ failed }) => failed > 0) ? 1 : 0;
}
