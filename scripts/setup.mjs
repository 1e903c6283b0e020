// Makes a fresh clone ready to run: npm packages, the Node addon, the WASM module, the TypeScript, and with --browser a
// browser for the tests. Uses nothing but Node; what is up to date is left alone.

import { installPackages } from "./setup/packages.mjs";
import { main } from "./setup/problem.mjs";
import { ensureBrowser } from "./setup/browser.mjs";
import { buildNative } from "./setup/native.mjs";
import { buildTypeScript } from "./setup/typescript.mjs";
import { buildWasm } from "./setup/wasm.mjs";

await main(async () => {
  const started = performance.now();
  await installPackages();
  await buildNative();
  await buildWasm();
  await buildTypeScript();
  if (process.argv.includes("--browser")) console.log(`✔ browser: ${await ensureBrowser()}`);
  console.log(`Set-up took ${((performance.now() - started) / 1000).toFixed(1)} s.\n`);
});
