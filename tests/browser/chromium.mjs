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

/**
 * Opens a page and answers with what it hands to its global `report` function. A page that throws, logs an error,
 * crashes, or says nothing in time is a failure.
 *
 * @template T
 * @param {import("playwright-core").Browser} browser
 * @param {string} url
 * @param {number} timeoutMs
 * @returns {Promise<T>}
 */
export async function reported(browser, url, timeoutMs) {
  const page = await browser.newPage();
  try {
    return await new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error(`${url}: no answer within ${timeoutMs} ms`)), timeoutMs).unref();
      page.on("pageerror", reject);
      page.on("crash", () => reject(new Error(`${url}: the page crashed`)));
      page.on("console", (message) => {
        if (message.type() === "error") reject(new Error(`${url}: ${message.text()}`));
      });
      page
        .exposeFunction("report", resolve)
        .then(() => page.goto(url))
        .catch(reject);
    });
  } finally {
    await page.close();
  }
}
