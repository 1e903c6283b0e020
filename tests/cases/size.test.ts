/** What is large: the cost of a call follows what is asked for, not what is there. */

import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { onEveryDisk } from "./disk-forms.js";

const MIB = 1024 * 1024;

/** How much memory of the process a call adds, at its highest, roughly: watched every 10 ms. */
async function growth<T>(call: () => Promise<T>): Promise<{ answer: T; bytes: number }> {
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 10);
  const answer = await call();
  clearInterval(watch);
  return { answer, bytes: Math.max(most, process.memoryUsage.rss()) - before };
}

onEveryDisk("read-huge", "size", async ({ ws, backend, at }) => {
  const file = openSync(join(ws, "big.log"), "w");
  writeSync(file, "first\n");
  ftruncateSync(file, 600 * MIB);
  closeSync(file);
  const { answer, bytes } = await growth(async () => backend.read(at("/big.log"), 0, 1));
  // Behind the first line there is nothing but NULs: the page is text, or the file is told to be none; never a crash.
  expect(answer.error ?? answer.content).toEqual(expect.anything());
  expect(bytes).toBeLessThan(300 * MIB);
});

onEveryDisk("read-200mb-one-line", "size", async ({ ws, backend, at }) => {
  const file = openSync(join(ws, "big.log"), "w");
  const block = `${"0123456789abcde\n".repeat(5)}`.repeat(13_108);
  for (let written = 0; written < 100 * MIB; written += block.length) writeSync(file, block);
  closeSync(file);
  const { answer, bytes } = await growth(async () => backend.read(at("/big.log"), 0, 1));
  expect(answer).toMatchObject({ content: "0123456789abcde", startLine: 1, endLine: 1, nextOffset: 1 });
  expect(bytes).toBeLessThan(60 * MIB);
  const line = await growth(async () => backend.grep("cde\n".trim(), at("/big.log"), null, 3));
  expect(line.answer).toMatchObject({ truncated: true, matches: [{ line: 1 }, { line: 2 }, { line: 3 }] });
  expect(line.bytes).toBeLessThan(60 * MIB);
  rmSync(join(ws, "big.log"));
});

onEveryDisk("grep-host-crash", "size", async ({ ws, backend, at }) => {
  writeFileSync(join(ws, "a.txt"), "needle\n".repeat(4_000_000));
  const { answer, bytes } = await growth(async () => backend.grep("needle", at("/"), null, 1));
  expect(answer).toEqual({ matches: [{ path: at("/a.txt"), line: 1, text: "needle" }], truncated: true });
  expect(bytes).toBeLessThan(100 * MIB);
});

onEveryDisk("grep-host-crash: one line of 64 MB", "size", async ({ ws, backend, at }) => {
  writeFileSync(join(ws, "a.min.js"), `${"x".repeat(32 * MIB)}needle${"y".repeat(32 * MIB)}`);
  const { answer, bytes } = await growth(async () => backend.grep("needle", at("/")));
  const text = answer.matches?.[0]?.text ?? "";
  expect(answer.matches).toHaveLength(1);
  expect([text.includes("needle"), text.length < 2_100]).toEqual([true, true]);
  expect(bytes).toBeLessThan(250 * MIB);
});

onEveryDisk("glob-perf-20k", "size", async ({ ws, backend, at }) => {
  for (let folder = 0; folder < 200; folder += 1) {
    mkdirSync(join(ws, `d${folder}`));
    for (let file = 0; file < 25; file += 1) writeFileSync(join(ws, `d${folder}/f${file}.txt`), "");
  }
  writeFileSync(join(ws, "top.txt"), "");
  const all = await backend.glob("**/*.txt", at("/"));
  expect([all.files?.length, all.truncated]).toEqual([5_001, undefined]);
  const flat = await backend.glob("*.txt", at("/"));
  expect(flat.files?.map(({ path }) => path)).toEqual([at("/top.txt")]);
});

onEveryDisk("read-whole-again", "size", async ({ ws, backend, at }) => {
  writeFileSync(join(ws, "plain.txt"), "a line of text\n".repeat(500_000));
  writeFileSync(join(ws, "wide.txt"), "一行\n".repeat(1_000_000));
  const { bytes } = await growth(async () => {
    for (let call = 0; call < 60; call += 1) {
      for (const file of ["/plain.txt", "/wide.txt"]) await backend.readRaw(at(file));
    }
  });
  // 120 texts of 6 to 8 MB: those that nobody holds any more do not gather.
  expect(bytes).toBeLessThan(400 * MIB);
});
