/** `FilesystemBackend` as an object: its options, its forms, and how it behaves while it works. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { FilesystemBackend } from "deepfs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testFolder } from "../support/folder.js";

const top = mkdtempSync(join(tmpdir(), "deepfs-filesystem-"));
const root = join(top, "ws");
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

beforeAll(() => {
  mkdirSync(join(root, "src"), { recursive: true });
  writeFileSync(join(root, "a.txt"), "one\ntwo\n");
  writeFileSync(join(root, "src/b.ts"), "needle\n");
  writeFileSync(join(top, "outside.txt"), "needle\n");
});
afterAll(() => rmSync(top, { recursive: true }));

describe("results", () => {
  const backend = FilesystemBackend.createSafe(root);

  test("every method answers with what the protocol says", async () => {
    expect(await backend.ls("/")).toEqual({
      files: [
        { path: "/a.txt", is_dir: false, size: 8, modified_at: TIME },
        { path: "/src/", is_dir: true, size: 0, modified_at: TIME },
      ],
    });
    expect(await backend.read("/a.txt", 1, 1)).toEqual({
      content: "two",
      mimeType: "text/plain",
      totalLines: 2,
      startLine: 2,
      endLine: 2,
    });
    expect(await backend.readRaw("/a.txt")).toEqual({
      data: { content: "one\ntwo\n", mimeType: "text/plain", created_at: TIME, modified_at: TIME },
    });
    expect(await backend.write("/w.txt", "x")).toEqual({ path: "/w.txt", filesUpdate: null });
    expect(await backend.edit("/w.txt", "x", "y")).toEqual({ path: "/w.txt", filesUpdate: null, occurrences: 1 });
    expect(await backend.delete("/w.txt")).toEqual({ path: "/w.txt", filesUpdate: null });
    expect(await backend.write("/e.txt", "")).toEqual({ path: "/e.txt", filesUpdate: null });
    expect(await backend.edit("/e.txt", "", "filled")).toEqual({
      path: "/e.txt",
      filesUpdate: null,
      occurrences: 0,
      metadata: { filled: true },
    });
    expect(await backend.delete("/e.txt")).toEqual({ path: "/e.txt", filesUpdate: null });
    expect(await backend.glob("**/*.ts")).toEqual({
      files: [{ path: "/src/b.ts", is_dir: false, size: 7, modified_at: TIME }],
    });
    expect(await backend.grep("needle")).toEqual({ matches: [{ path: "/src/b.ts", line: 1, text: "needle" }] });
  });
});

describe("options", () => {
  test("rootDir and workingDirectory are made absolute once", async () => {
    class Seen extends FilesystemBackend {
      get seen(): [string, boolean] {
        return [this.cwd, this.virtualMode];
      }
    }
    expect(new Seen({ rootDir: `${root}/src/..` }).seen).toEqual([root, false]);
    expect(new Seen({ workingDirectory: relative(process.cwd(), root), virtualMode: true }).seen).toEqual([root, true]);
    expect(new Seen().seen).toEqual([process.cwd(), false]);
    expect(Seen.createSafe(root).seen).toEqual([root, true]);
  });

  test("wrong kinds are refused when the backend is made", () => {
    expect(() => new FilesystemBackend({ rootDir: 7 as never })).toThrow(TypeError);
    expect(() => new FilesystemBackend({ maxFileSizeMb: -1 })).toThrow(/maxFileSizeMb/);
    expect(() => new FilesystemBackend({ writeMode: "append" as never })).toThrow(/writeMode/);
    expect(() => FilesystemBackend.createSafe("")).toThrow(TypeError);
  });

  // Cases grep-default-root and write-outside-default.
  test("without virtualMode paths are the machine's, and a search without a path begins at rootDir", async () => {
    const backend = new FilesystemBackend({ rootDir: root });
    const found = { matches: [{ path: join(root, "src/b.ts"), line: 1, text: "needle" }] };
    const withoutPath = [undefined, null, "", "/"].map((path) => backend.grep("needle", path));
    expect(await Promise.all(withoutPath)).toEqual([found, found, found, found]);
    expect((await backend.glob("*.txt")).files?.map(({ path }) => path)).toEqual([join(root, "a.txt")]);
    expect(await backend.read(join(top, "outside.txt"))).toMatchObject({ content: "needle\n" });
    expect(await backend.read("a.txt")).toMatchObject({ content: "one\ntwo\n" });
  });

  test("writeMode, strict, bareGlob, maxFileSizeMb, maxLineLength", async () => {
    const backend = FilesystemBackend.createSafe(root, {
      writeMode: "create",
      strict: true,
      bareGlob: "recursive",
      maxFileSizeMb: 0,
    });
    expect(await backend.write("/a.txt", "x")).toEqual({ error: expect.any(String), code: "already_exists" });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\ntwo\n");
    expect(await backend.ls("/nope")).toEqual({ error: expect.any(String), code: "file_not_found", files: [] });
    expect((await backend.glob("*.ts")).files?.map(({ path }) => path)).toEqual(["/src/b.ts"]);
    expect(await backend.grep("needle")).toEqual({ matches: [] });
    const narrow = FilesystemBackend.createSafe(root, { maxLineLength: 3 });
    expect((await narrow.grep("needle")).matches?.[0]?.text).not.toBe("needle");
  });

  test("an aborted signal ends every call", async () => {
    const abort = new AbortController();
    const backend = FilesystemBackend.createSafe(root, { signal: abort.signal });
    expect(await backend.grep("needle")).toMatchObject({ matches: [{ path: "/src/b.ts" }] });
    abort.abort();
    const cancelled = { error: expect.any(String), code: "cancelled" };
    expect(await backend.read("/a.txt")).toEqual(cancelled);
    expect(await backend.write("/new.txt", "x")).toEqual(cancelled);
    expect(await backend.grep("needle")).toEqual({ ...cancelled, matches: [] });
    expect(await backend.downloadFiles(["/a.txt"])).toMatchObject([
      { path: "/a.txt", content: null, code: "cancelled" },
    ]);
  });
});

describe("forms", () => {
  test("a subclass with super, a proxy and an heir", async () => {
    class Guarded extends FilesystemBackend {
      override async write(path: string, content: string) {
        return path.startsWith("/secret") ? { error: "no" } : super.write(path, content);
      }
    }
    const guarded = Guarded.createSafe(root);
    expect(await guarded.write("/secret/a", "x")).toEqual({ error: "no" });
    expect(await guarded.write("/g.txt", "x")).toEqual({ path: "/g.txt", filesUpdate: null });
    const proxy = new Proxy(guarded, {});
    expect(await proxy.edit("/g.txt", "x", "y")).toMatchObject({ occurrences: 1 });
    const heir = Object.create(proxy) as FilesystemBackend;
    expect(await heir.read("/g.txt")).toMatchObject({ content: "y" });
    expect(await heir.delete("/g.txt")).toEqual({ path: "/g.txt", filesUpdate: null });
  });
});

describe("while it works", () => {
  test("a long answer leaves the event loop free", async () => {
    const lines = 120_000;
    writeFileSync(join(root, "long.log"), "needle in the hay\n".repeat(lines));
    const backend = FilesystemBackend.createSafe(root);
    let turns = 0;
    let running = true;
    const count = (): void => {
      turns += 1;
      if (running) setImmediate(count);
    };
    // Counting begins when the rows arrive, so that only turns between slices of rows count.
    const disk = (backend as unknown as { disk: { grep: (...args: unknown[]) => Promise<unknown> } }).disk;
    const search = disk.grep.bind(disk);
    disk.grep = async (...args) => {
      const packed = await search(...args);
      setImmediate(count);
      return packed;
    };
    const { matches } = await backend.grep("needle", "/long.log");
    running = false;
    rmSync(join(root, "long.log"));
    expect(matches).toHaveLength(lines);
    expect(matches?.[lines - 1]).toEqual({ path: "/long.log", line: lines, text: "needle in the hay" });
    // A slice has at most 8,192 rows.
    expect(turns).toBeGreaterThanOrEqual(Math.floor(lines / 8192));
  });
});

test("a chain of small reads gives the event loop its turns", async () => {
  const { ws, file } = testFolder();
  file("ws/a.txt", "one\n");
  const backend = FilesystemBackend.createSafe(ws);
  let fired = false;
  setTimeout(() => {
    fired = true;
  }, 0);
  let reads = 0;
  while (reads < 10_000 && !fired) {
    expect((await backend.read("/a.txt")).content).toBe("one\n");
    reads += 1;
  }
  expect(fired).toBe(true);
});
