/** Folders for tests: a root, and room beside it for what must not be reached. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

export interface TestFolder {
  /** Holds the root. */
  top: string;
  /** The root. */
  ws: string;
  /** Makes a file below `top`. */
  file(path: string, content: string | Uint8Array): string;
}

/** A folder that is removed when the test ends. */
export function testFolder(): TestFolder {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "deepfs-test-")));
  const ws = join(top, "ws");
  mkdirSync(ws);
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  return {
    top,
    ws,
    file(path, content) {
      const place = join(top, path);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, content);
      return place;
    },
  };
}
