// A Chromium for the tests that run in a page.

import { existsSync } from "node:fs";
import { which } from "./command.mjs";
import { ensure } from "./debian.mjs";

/** Finds a Chromium, installing Debian's where that is possible, and answers with its path. */
export async function ensureBrowser() {
  const own = process.env.DEEPFS_CHROMIUM;
  if (own !== undefined && existsSync(own)) return own;
  const found = which("chromium") ?? which("google-chrome");
  if (found !== null) return found;
  await ensure("chromium");
  return which("chromium");
}
