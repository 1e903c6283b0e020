/** Long texts reach JavaScript as the same characters, whether it borrows them from the core or gets a copy. */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { testFolder } from "../support/folder.js";

/** About 4,000,000 units each: ASCII, Latin-1, and with characters beyond both. */
const TEXTS = ["plain text\n", "dépôt à côté\n", "日本語 😀 x\n"].map((line) => line.repeat(4_000_000 / line.length));

/** Ten reads of each file, 160 MB: some are lent and, past what may be lent at once, others are not. */
const READ_ALL = `
  import { createHash } from "node:crypto";
  import { FilesystemBackend } from "deepfs";
  const backend = FilesystemBackend.createSafe(process.argv[1]);
  const seen = [];
  for (const name of ["/0.txt", "/1.txt", "/2.txt"]) {
    for (let round = 0; round < 10; round += 1) {
      const { content } = (await backend.readRaw(name)).data;
      seen.push(createHash("sha256").update(content, "utf16le").digest("hex"));
    }
  }
  process.stdout.write(seen.join());
`;

const hashOf = (text: string) => createHash("sha256").update(text, "utf16le").digest("hex");

it.each(["on", "off"])("long texts with the shortcuts %s", (setting) => {
  const folder = testFolder();
  for (const [at, text] of TEXTS.entries()) folder.file(`ws/${at}.txt`, text);
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", READ_ALL, folder.ws], {
    env: { ...process.env, DEEPFS_FAST_PATHS: setting },
    encoding: "utf8",
  });
  expect(printed.split(",")).toEqual(TEXTS.flatMap((text) => Array.from({ length: 10 }, () => hashOf(text))));
});
