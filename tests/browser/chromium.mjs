// A headless Chromium for one test run.

import { chromium } from "playwright-core";
import { ensureBrowser } from "../../scripts/setup/browser.mjs";

/** A browser that talks to nobody but the test: every background service of it is off. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export async function launch() {
  return chromium.launch({ executablePath: await ensureBrowser(), headless: true, args: FLAGS });
}
