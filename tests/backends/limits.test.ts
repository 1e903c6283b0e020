/** Every cap, on every kind of backend: the work stops there, and the answer says so. */

import { InMemoryStore } from "@langchain/langgraph-checkpoint";
import type * as deepfs from "deepfs";
import { FilesystemBackend, LocalShellBackend, type StateLimits, StateBackend, StoreBackend } from "deepfs";
import * as wasm from "deepfs/wasm";
import { describe, expect, test } from "vitest";
import { testFolder } from "../support/folder.js";

type Backend = InstanceType<typeof deepfs.FilesystemBackend> | StateBackend | StoreBackend;
type Files = Record<string, string>;

/** Backends with these limits over the same files, which are put there without. */
const KINDS: [name: string, open: (files: Files, limits: StateLimits) => Promise<Backend>][] = [
  ["FilesystemBackend", (files, limits) => onDisk(FilesystemBackend, files, limits)],
  ["LocalShellBackend", (files, limits) => onDisk(LocalShellBackend, files, limits)],
  ["StateBackend, own memory", async (files, limits) => new StateBackend({ files, limits })],
  ["StateBackend, own memory, WASM", async (files, limits) => new wasm.StateBackend({ files, limits }) as StateBackend],
  [
    "StateBackend, runtime",
    async (files, limits) => {
      const records = new StateBackend({ files }).snapshot();
      return new StateBackend({ state: { files: records } } as never, { limits });
    },
  ],
  [
    "StoreBackend",
    async (files, limits) => {
      const options = { store: new InMemoryStore(), namespace: ["files"] };
      await new StoreBackend(options).uploadFiles(encoded(files));
      return new StoreBackend({ ...options, limits });
    },
  ],
];

async function onDisk(
  Kind: typeof FilesystemBackend | typeof LocalShellBackend,
  files: Files,
  limits: StateLimits,
): Promise<Backend> {
  const { ws } = testFolder();
  await FilesystemBackend.createSafe(ws).uploadFiles(encoded(files));
  return Kind.createSafe(ws, { limits });
}

function encoded(files: Files): [string, Uint8Array][] {
  return Object.entries(files).map(([path, content]) => [path, new TextEncoder().encode(content)]);
}

const paths = (result: { files?: { path: string }[] }) => result.files?.map(({ path }) => path).sort();
const found = (result: { matches?: { path: string }[] }) => result.matches?.map(({ path }) => path);
const TOO_LARGE = { error: expect.stringContaining("100"), code: "too_large" };

/** Ten files of one line each, `/f0.txt` to `/f9.txt`. */
const TEN = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`/f${at}.txt`, "needle\n"]));

describe.each(KINDS)("%s", (name, open) => {
  test("readBytes", async () => {
    const lines = "123456789\n".repeat(20);
    const backend = await open(
      { "/lines.txt": lines, "/long.txt": "x".repeat(101), "/fits.txt": "y".repeat(100) },
      { readBytes: 100 },
    );
    expect(await backend.read("/lines.txt", 0, 5)).toMatchObject({ totalLines: 20, startLine: 1, endLine: 5 });
    expect(await backend.read("/lines.txt", 0, 20)).toMatchObject(TOO_LARGE);
    expect(await backend.read("/long.txt")).toMatchObject(TOO_LARGE);
    expect(await backend.readRaw("/long.txt")).toMatchObject(TOO_LARGE);
    expect(await backend.read("/fits.txt")).toMatchObject({ content: "y".repeat(100) });
    expect(await backend.readRaw("/fits.txt")).toMatchObject({ data: { content: "y".repeat(100) } });
  });

  test("writeBytes", async () => {
    const backend = await open({ "/a.txt": "a" }, { writeBytes: 100 });
    const long = "é".repeat(51);
    expect(await backend.write("/b.txt", long)).toMatchObject(TOO_LARGE);
    expect(await backend.edit("/a.txt", "a", long)).toMatchObject(TOO_LARGE);
    const [upload] = await backend.uploadFiles([["/b.txt", new TextEncoder().encode(long)]]);
    expect(upload).toMatchObject({ code: "too_large", path: "/b.txt" });
    expect(paths(await backend.ls("/"))).toEqual(["/a.txt"]);
    expect(await backend.readRaw("/a.txt")).toMatchObject({ data: { content: "a" } });
    expect((await backend.write("/b.txt", "é".repeat(50))).error).toBeUndefined();
  });

  test("resultBytes", async () => {
    // A row costs its text and 64 bytes more.
    const backend = await open(TEN, { resultBytes: 3 * (64 + "/f0.txt".length) });
    for (const result of [await backend.ls("/"), await backend.glob("*.txt")]) {
      expect(result).toMatchObject({ truncated: true });
      expect(result.files).toHaveLength(3);
    }
    const grep = await backend.grep("needle");
    expect([found(grep), grep.truncated]).toEqual([["/f0.txt", "/f1.txt", "/f2.txt"], true]);
    const all = await open(TEN, { resultBytes: 10 * (64 + "/f0.txt".length) });
    expect((await all.glob("*.txt")).truncated).toBeUndefined();
    expect((await all.grep("needle")).truncated).toBeUndefined();
  });

  test("walkEntries", async () => {
    const backend = await open(TEN, { walkEntries: 4 });
    const first = ["/f0.txt", "/f1.txt", "/f2.txt", "/f3.txt"];
    const [ls, glob, grep] = [await backend.ls("/"), await backend.glob("**/*"), await backend.grep("needle")];
    expect([ls.truncated, glob.truncated, grep.truncated]).toEqual([true, true, true]);
    expect([ls.files?.length, glob.files?.length, found(grep)?.length]).toEqual([4, 4, 4]);
    // A folder of the disk is not read further than the cap, so which entries these are is the file system's choice.
    if (!["FilesystemBackend", "LocalShellBackend"].includes(name)) {
      expect([paths(glob), found(grep)]).toEqual([first, first]);
    }
    const all = await open(TEN, { walkEntries: 10 });
    for (const result of [await all.ls("/"), await all.glob("**/*"), await all.grep("needle")]) {
      expect(result.truncated).toBeUndefined();
    }
  });

  test("searchMs", async () => {
    const backend = await open(TEN, { searchMs: 0 });
    expect(await backend.glob("**/*")).toEqual({ files: [], truncated: true });
    expect(await backend.grep("needle")).toEqual({ matches: [], truncated: true });
    expect(await backend.read("/f0.txt")).toMatchObject({ content: "needle\n" });
    const all = await open(TEN, { searchMs: 60_000 });
    expect((await all.glob("**/*")).files).toHaveLength(10);
    expect(found(await all.grep("needle"))).toHaveLength(10);
  });

  test("no limits at all: Infinity", async () => {
    const limits = {
      readBytes: Infinity,
      writeBytes: Infinity,
      resultBytes: Infinity,
      walkEntries: Infinity,
      searchMs: Infinity,
    };
    const backend = await open(TEN, limits);
    expect((await backend.glob("**/*")).files).toHaveLength(10);
    expect(found(await backend.grep("needle"))).toHaveLength(10);
    expect(await backend.read("/f0.txt")).toMatchObject({ content: "needle\n" });
  });
});

test("a limit that is no number is refused when the backend is made", () => {
  for (const limits of [{ walkEntries: -1 }, { searchMs: Number.NaN }, { resultBytes: "9" as never }]) {
    expect(() => new FilesystemBackend({ limits })).toThrow(TypeError);
    expect(() => new LocalShellBackend({ limits })).toThrow(TypeError);
    expect(() => new StateBackend({ limits })).toThrow(TypeError);
    expect(() => new StoreBackend({ limits })).toThrow(TypeError);
  }
});
