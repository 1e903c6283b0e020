// Where things are. Every other script takes its folders from here.

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
export const PACKAGE = join(ROOT, "npm", "deepfs");
/** Stamps, logs and downloads: safe to delete at any time. */
export const CACHE = join(ROOT, ".cache");
/** What bindgen writes; only the declarations in it are committed. */
export const GENERATED = join(PACKAGE, "src", "binding", "generated");

export const fromRoot = (...parts) => join(ROOT, ...parts);
export const bin = (name) => join(ROOT, "node_modules", ".bin", name);
