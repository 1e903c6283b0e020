/** A folder on the disk for one test. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export function workspace(): string {
  const root = mkdtempSync(join(tmpdir(), "deepfs-example-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}
