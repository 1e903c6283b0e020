/** Workers that load the addon, use it and go away: none of it may take the process down, or leave a command behind. */

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { testFolder } from "../support/folder.js";

const DEEPFS = new URL("../../npm/deepfs/dist/node.cjs", import.meta.url).pathname;

/** Runs a program in a process of its own. */
async function program(source: string, worker: string): Promise<{ stdout: string; stderr: string }> {
  const { ws, file } = testFolder();
  file("ws/a.txt", "needle\n");
  const prelude = `const deepfs = require(${JSON.stringify(DEEPFS)}); const ws = ${JSON.stringify(ws)};`;
  const script = file("worker.cjs", `${prelude}\n${worker}`);
  const main = file("main.cjs", `${prelude} const script = ${JSON.stringify(script)};\n${source}`);
  // A process that ends by a signal, or not with 0, rejects here.
  return promisify(execFile)(process.execPath, [main], { timeout: 50_000, cwd: join(ws, "..") });
}

const RUN_ALL = `
const { Worker } = require("node:worker_threads");
let left = 20;
for (let at = 0; at < 20; at += 1) {
  const worker = new Worker(script);
  worker.on("error", (error) => { console.error(error); process.exitCode = 1; });
  worker.on("message", () => after(worker));
  worker.on("exit", () => { left -= 1; if (left === 0) console.log("all ended"); });
}
`;

test("napi-worker-exit: 20 workers use files and commands, and end", async () => {
  const worker = `
    const { parentPort } = require("node:worker_threads");
    (async () => {
      const backend = new deepfs.LocalShellBackend({ rootDir: ws, virtualMode: true, env: { PATH: "/usr/bin:/bin" } });
      const grep = await backend.grep("needle");
      const { output } = await backend.execute("cat a.txt");
      if (grep.matches.length !== 1 || output !== "needle\\n") throw new Error(JSON.stringify({ grep, output }));
      parentPort.postMessage("done");
    })();
  `;
  expect(await program(`const after = () => {};${RUN_ALL}`, worker)).toEqual({ stdout: "all ended\n", stderr: "" });
});

test("workers are ended in the middle of commands, searches and reads, and no command goes on", async () => {
  const worker = `
    const { parentPort } = require("node:worker_threads");
    const backend = new deepfs.LocalShellBackend({ rootDir: ws, virtualMode: true, env: { PATH: "/usr/bin:/bin" } });
    for (let at = 0; at < 4; at += 1) backend.execute("sleep 40; touch late");
    const again = () => backend.grep("needle").then(again);
    again();
    const more = () => backend.read("/a.txt").then(more);
    more();
    setTimeout(() => parentPort.postMessage("busy"), 200);
  `;
  const sleepers = `
    const sleepers = () => {
      const { readdirSync, readlinkSync, readFileSync } = require("node:fs");
      return readdirSync("/proc").filter((pid) => {
        try {
          return readlinkSync("/proc/" + pid + "/cwd") === ws && readFileSync("/proc/" + pid + "/cmdline", "utf8").startsWith("sleep");
        } catch { return false; }
      }).length;
    };
    const after = (worker) => worker.terminate();
    process.on("beforeExit", () => {
      if (sleepers() > 0 && Date.now() < until) setTimeout(() => {}, 100);
      else process.on("exit", () => console.log("sleepers", sleepers()));
    });
    const until = Date.now() + 30_000;
  `;
  expect(await program(`${sleepers}${RUN_ALL}`, worker)).toEqual({ stdout: "all ended\nsleepers 0\n", stderr: "" });
});

test("a process that leaves while a command runs ends at once, with its own code", async () => {
  const source = `
    const backend = new deepfs.LocalShellBackend({ rootDir: ws });
    backend.execute("sleep 5");
    backend.grep("needle");
    setTimeout(() => { console.log("leaving"); process.exit(0); }, 100);
  `;
  const start = performance.now();
  expect(await program(source, "")).toEqual({ stdout: "leaving\n", stderr: "" });
  expect(performance.now() - start).toBeLessThan(4500);
});
