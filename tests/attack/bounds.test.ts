/** Memory and time of a call are bounded by its caps, not by the data. Each call runs in a process of its own, whose memory is measured. */

import { execFile } from "node:child_process";
import { closeSync, ftruncateSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { FilesystemBackend } from "deepfs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const run = promisify(execFile);
const MEASURED = fileURLToPath(new URL("measured.mjs", import.meta.url));
const MIB = 2 ** 20;

interface Measured {
  answer: unknown;
  /** Characters of the answer as JSON. */
  length: number;
  rows: number;
  truncated: boolean;
  millis: number;
  grownMib: number;
}

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "deepfs-bounds-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A folder of its own for one test, gone afterwards: some hold a lot. */
async function inFolder<T>(name: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(root, name);
  mkdirSync(folder);
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measure(folder: string, method: string, args: unknown[], options = {}): Promise<Measured> {
  const asked = JSON.stringify({ root: folder, options, method, args });
  const { stdout } = await run(process.execPath, [MEASURED, asked], { maxBuffer: 64 * MIB });
  return JSON.parse(stdout) as Measured;
}

/** A file that begins with `head` and has nothing but a hole behind it. */
function sparse(path: string, head: string, bytes: number): void {
  const file = openSync(path, "w");
  writeSync(file, head);
  ftruncateSync(file, bytes);
  closeSync(file);
}

function repeated(path: string, block: string, times: number): void {
  const file = openSync(path, "w");
  for (let written = 0; written < times; written += 1) writeSync(file, block);
  closeSync(file);
}

const pageOf = (content: string, totalLines: number, endLine: number) => ({
  content,
  mimeType: "text/plain",
  totalLines,
  startLine: 1,
  endLine,
  nextOffset: endLine,
});

describe.runIf(process.platform === "linux")("bounded by caps", () => {
  test("read-huge: the first line of 600 MiB", () =>
    inFolder("read-huge", async (folder) => {
      sparse(join(folder, "big.log"), "first\n", 600 * MIB);
      const { answer, grownMib } = await measure(folder, "read", ["/big.log", 0, 1]);
      expect(answer).toEqual(pageOf("first", 2, 1));
      expect(grownMib).toBeLessThan(16);
    }));

  test(
    "ten lines of 10 GB",
    () =>
      inFolder("ten-lines", async (folder) => {
        const line = `${"a line like any other".padEnd(99)}\n`;
        sparse(join(folder, "big.log"), line.repeat(1_000), 10_000_000_000);
        const { answer, grownMib } = await measure(folder, "read", ["/big.log", 0, 10]);
        expect(answer).toEqual(pageOf(line.repeat(10).slice(0, -1), 1_001, 10));
        expect(grownMib).toBeLessThan(16);
      }),
    180_000,
  );

  test(
    "a grep over a log of 5 GB",
    () =>
      inFolder("grep-5gb", async (folder) => {
        sparse(join(folder, "big.log"), "needle in the first line\n".padEnd(70_000, "straw\n"), 5_000_000_000);
        writeFileSync(join(folder, "small.txt"), "needle\n");
        // Larger than the option allows: it is left out, at once.
        const skipped = await measure(folder, "grep", ["needle"]);
        expect(skipped.answer).toEqual({ matches: [{ path: "/small.txt", line: 1, text: "needle" }] });
        expect(skipped.grownMib).toBeLessThan(16);
        expect(skipped.millis).toBeLessThan(2_000);
        const searched = await measure(folder, "grep", ["needle"], { maxFileSizeMb: 10_000 });
        expect(searched.answer).toEqual({
          matches: [
            { path: "/big.log", line: 1, text: "needle in the first line" },
            { path: "/small.txt", line: 1, text: "needle" },
          ],
        });
        expect(searched.grownMib).toBeLessThan(32);
      }),
    180_000,
  );

  test(
    "grep-host-crash: one match of 4,000,000",
    () =>
      inFolder("grep-host-crash", async (folder) => {
        repeated(join(folder, "a.txt"), "needle\n".repeat(10_000), 400);
        const options = { maxFileSizeMb: 100 };
        const one = await measure(folder, "grep", ["needle", "/", null, 1], options);
        expect(one.answer).toEqual({ matches: [{ path: "/a.txt", line: 1, text: "needle" }], truncated: true });
        expect(one.grownMib).toBeLessThan(16);
        expect(one.millis).toBeLessThan(2_000);
        // Without a cap of the caller's own, that of the backend ends it.
        const all = await measure(folder, "grep", ["needle", "/"], { ...options, limits: { resultBytes: MIB } });
        expect({ truncated: all.truncated, some: all.rows > 1_000, all: all.rows > 100_000 }).toEqual({
          truncated: true,
          some: true,
          all: false,
        });
        expect(all.grownMib).toBeLessThan(64);
      }),
    120_000,
  );

  test(
    "a line of 200 MB",
    () =>
      inFolder("long-line", async (folder) => {
        repeated(join(folder, "line.txt"), "straw ".repeat(100_000), 350);
        const file = openSync(join(folder, "line.txt"), "a");
        writeSync(file, "needle\nshort\n");
        closeSync(file);
        const found = await measure(folder, "grep", ["needle"], { maxFileSizeMb: 300 });
        expect({ rows: found.rows, truncated: found.truncated }).toEqual({ rows: 1, truncated: false });
        // The line is cut around the match, and is never held.
        expect(found.length).toBeLessThan(3_000);
        expect(found.grownMib).toBeLessThan(32);
        const read = await measure(folder, "read", ["/line.txt", 0, 1], { limits: { readBytes: MIB } });
        expect(read.answer).toEqual({ error: expect.stringContaining("line 1 alone has"), code: "too_large" });
        expect(read.grownMib).toBeLessThan(16);
        const behind = await measure(folder, "read", ["/line.txt", 1, 1], { limits: { readBytes: MIB } });
        expect(behind.answer).toMatchObject({ content: expect.stringMatching(/^short\n?$/), totalLines: 2 });
        expect(behind.grownMib).toBeLessThan(16);
      }),
    120_000,
  );

  test(
    "a folder of 120,000 entries",
    () =>
      inFolder("many", async (folder) => {
        for (let at = 0; at < 120_000; at += 1) closeSync(openSync(join(folder, `f${at}.txt`), "w"));
        const limits = { resultBytes: 100_000, walkEntries: 10_000 };
        const [listed, globbed, walked] = await Promise.all([
          measure(folder, "ls", ["/"], { limits }),
          measure(folder, "glob", ["**"], { limits }),
          measure(folder, "glob", ["*.nothing"], { limits }),
        ]);
        // Each row is counted with 64 bytes and its path.
        for (const some of [listed, globbed]) {
          expect({ truncated: some.truncated, few: some.rows > 500 && some.rows < 1_600 }).toEqual({
            truncated: true,
            few: true,
          });
          expect(some.grownMib).toBeLessThan(32);
        }
        expect({ rows: walked.rows, truncated: walked.truncated }).toEqual({ rows: 0, truncated: true });
        const all = await measure(folder, "ls", ["/"]);
        expect({ rows: all.rows, truncated: all.truncated }).toEqual({ rows: 120_000, truncated: false });
        expect(all.grownMib).toBeLessThan(256);
      }),
    240_000,
  );

  test("an edit and a write that are over their limit read and write nothing", () =>
    inFolder("write-limit", async (folder) => {
      sparse(join(folder, "big.txt"), "old\n", 5_000_000_000);
      const edited = await measure(folder, "edit", ["/big.txt", "old", "new"]);
      expect(edited.answer).toMatchObject({ code: "too_large" });
      expect(edited.grownMib).toBeLessThan(16);
      const written = await measure(folder, "write", ["/a.txt", "x".repeat(2_000)], { limits: { writeBytes: 1_000 } });
      expect(written.answer).toMatchObject({ code: "too_large" });
      const raw = await measure(folder, "readRaw", ["/big.txt"]);
      expect(raw.answer).toMatchObject({ code: "too_large" });
      const fetched = await measure(folder, "downloadFiles", [["/big.txt"]]);
      expect(fetched.answer).toMatchObject([{ path: "/big.txt", content: null }]);
      expect(Math.max(raw.grownMib, fetched.grownMib)).toBeLessThan(16);
    }));
});

describe.runIf(process.platform === "linux")("special files", () => {
  test("download-fifo-starve, write-fifo: pipes answer at once and block nobody", () =>
    inFolder("pipes", async (folder) => {
      const paths = Array.from({ length: 16 }, (_, at) => `/p${at}`);
      await run(
        "mkfifo",
        paths.map((path) => join(folder, path)),
      );
      const backend = FilesystemBackend.createSafe(folder);
      const started = performance.now();
      const calls = paths.flatMap((path) => [
        backend.downloadFiles([path]),
        backend.uploadFiles([[path, new Uint8Array(1)]]),
        backend.read(path),
        backend.readRaw(path),
        backend.write(path, "x"),
        backend.edit(path, "a", "b"),
        backend.grep("x", path),
      ]);
      // More calls than Node has threads for files, and still there is one for everybody else.
      const others = await stat(tmpdir());
      expect(others.isDirectory()).toBe(true);
      const answers = (await Promise.all(calls)).flat();
      const codes = answers.map((answer) => (answer as { code?: string }).code);
      expect(codes).toEqual(codes.map(() => "not_a_regular_file"));
      expect(await backend.downloadFiles(["/p0"])).toMatchObject([
        { path: "/p0", content: null, error: "invalid_path" },
      ]);
      expect(await backend.grep("x")).toEqual({ matches: [] });
      expect(performance.now() - started).toBeLessThan(2_000);
    }));
});
