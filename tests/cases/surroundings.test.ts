/** What is around a process changes no answer: its locale, ripgrep and its settings, other processes. */

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { deepfs } from "../support/backend.js";
import { fault } from "../support/fault.js";
import { testFolder } from "../support/folder.js";
import { answerOf } from "./child.js";
import { onEveryDisk } from "./disk-forms.js";

const SEARCH = `
  const root = process.argv[1];
  const disk = deepfs.FilesystemBackend.createSafe(root);
  console.log(JSON.stringify([
    (await disk.grep("needle")).matches.map(({ path }) => path),
    (await disk.read("/A.GIF")).mimeType,
    (await disk.ls("/")).files.map(({ path }) => path),
  ]));`;

describe("a process with other surroundings", () => {
  const target = "FilesystemBackend, contained";
  const tree = (): string => {
    const { ws, file } = testFolder();
    file("ws/a.txt", "NEEDLE");
    file("ws/b.js", "needle");
    file("ws/ı.txt", "needle");
    file("ws/A.GIF", "GIF89a");
    return ws;
  };
  const answer = [["/b.js", "/ı.txt"], "image/gif", ["/A.GIF", "/a.txt", "/b.js", "/ı.txt"]];

  fault("grep-rgconfig", { kind: "search", target }, async () => {
    const root = tree();
    const config = join(root, "../ripgreprc");
    writeFileSync(config, "--ignore-case\n--glob=!*.js\n--max-columns=3\n");
    expect(await answerOf(SEARCH, { args: [root], env: { RIPGREP_CONFIG_PATH: config } })).toEqual(answer);
    expect(await answerOf(SEARCH, { args: [root], env: { PATH: "" } })).toEqual(answer);
  });

  fault("turkish-ext", { kind: "binary", target }, async () => {
    const locale = { LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" };
    expect(await answerOf(SEARCH, { args: [tree()], env: locale })).toEqual(answer);
    expect(await answerOf(SEARCH, { args: [tree()], env: { LANG: "C", LC_ALL: "C" } })).toEqual(answer);
  });
});

fault("delete-slash-host", { kind: "deletes", target: "FilesystemBackend, host paths" }, async () => {
  // The folder stands for the machine: what would be removed is above the root, and nothing else is.
  const { top, ws, file } = testFolder();
  file("ws/deep/a.txt", "x");
  const backend = new deepfs.FilesystemBackend({ rootDir: join(ws, "deep") });
  for (const path of [join(ws, "deep"), ws, top, `${ws}/deep/..`, "..", ".", ""]) {
    expect(await backend.delete(path)).toEqual({ error: expect.any(String), code: "root_refused" });
  }
  expect(await backend.delete("/")).toEqual({ error: expect.stringContaining("'/'"), code: "root_refused" });
  expect(readdirSync(join(ws, "deep"))).toEqual(["a.txt"]);
});

onEveryDisk(
  "fs-toctou",
  "containment",
  async ({ top, ws, backend, at }) => {
    mkdirSync(join(ws, "d"));
    mkdirSync(join(top, "out"));
    writeFileSync(join(ws, "d/key.txt"), "in");
    writeFileSync(join(top, "out/key.txt"), "OUT");
    const swap = `const fs = require("fs"); const [ws, out] = process.argv.slice(1);
      for (;;) try {
        fs.renameSync(ws + "/d", ws + "/real"); fs.symlinkSync(out, ws + "/d");
        fs.unlinkSync(ws + "/d"); fs.renameSync(ws + "/real", ws + "/d");
      } catch {}`;
    const swapper = spawn(process.execPath, ["-e", swap, ws, join(top, "out")], { stdio: "ignore" });
    try {
      const seen = new Set<unknown>();
      for (let round = 0; round < 150; round += 1) {
        const batch = Array.from({ length: 8 }, async () => (await backend.read(at("/d/key.txt"))).content);
        for (const content of await Promise.all(batch)) seen.add(content);
        const { matches = [] } = await backend.grep("OUT", at("/"));
        expect(matches).toEqual([]);
        await backend.write(at("/d/new.txt"), "x");
      }
      seen.delete(undefined);
      expect([...seen]).toEqual(["in"]);
    } finally {
      swapper.kill("SIGKILL");
    }
    expect(readdirSync(join(top, "out"))).toEqual(["key.txt"]);
  },
  { contained: true },
);

fault("grep-rg-vs-fallback", { kind: "search", target: "FilesystemBackend, contained" }, async () => {
  const root = mkdtempSync(join(tmpdir(), "deepfs-git-"));
  if (existsSync("/usr/bin/git")) execFileSync("git", ["init", "-q", root]);
  else mkdirSync(join(root, ".git"));
  mkdirSync(join(root, "dist"));
  writeFileSync(join(root, ".gitignore"), "dist/\n");
  writeFileSync(join(root, ".git/needle"), "needle");
  writeFileSync(join(root, "dist/o.js"), "needle");
  writeFileSync(join(root, ".env"), "needle");
  const paths = async (backend: InstanceType<typeof deepfs.FilesystemBackend>): Promise<string[] | undefined> =>
    (await backend.grep("needle")).matches?.map(({ path }) => path);
  expect(await paths(deepfs.FilesystemBackend.createSafe(root))).toEqual(["/.env", "/dist/o.js"]);
  expect(await paths(deepfs.FilesystemBackend.createSafe(root, { gitignore: true }))).toEqual(["/.env"]);
  rmSync(root, { recursive: true });
});
