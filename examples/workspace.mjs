// A copy of a folder to work in, with a few files the script needs.

import { cp, mkdtemp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const LEFT_OUT = new Set(["node_modules", "target", ".git", ".cache", "dist", "native"]);
// The smallest PNG there is: one transparent pixel.
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export async function workspaceCopy(folder) {
  const source = resolve(folder ?? fileURLToPath(new URL("..", import.meta.url)));
  const path = await mkdtemp(join(tmpdir(), "deepfs-example-"));
  await cp(source, path, { recursive: true, filter: (from) => from === source || !LEFT_OUT.has(basename(from)) });
  await mkdir(join(path, "hello"), { recursive: true });
  await writeFile(
    join(path, "hello/greeting.txt"),
    "Hello, wrold!\r\nThis file has Windows line ends.\r\nThey stay.\r\n",
  );
  await writeFile(join(path, "hello/pixel.png"), Buffer.from(PIXEL, "base64"));
  await writeFile(join(path, "hello/log.txt"), Array.from({ length: 5000 }, (_, at) => `line ${at + 1}\n`).join(""));
  const files = (await readdir(path, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  ).length;
  return {
    path,
    files,
    label: folder === undefined ? "this repository" : folder,
    remove: () => rm(path, { recursive: true }),
  };
}
