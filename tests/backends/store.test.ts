import { StoreBackend as UpstreamStoreBackend } from "deepagents";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deepfs } from "../support/backend.js";
import { type OpenStore, STORES } from "../support/stores.js";

const { StoreBackend } = deepfs;
const PNG = Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 255]);

describe.each(STORES)("StoreBackend on $name", ({ open }) => {
  let opened: OpenStore;
  let count = 0;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());
  const backend = (options = {}) =>
    new StoreBackend({ store: opened.store, namespace: ["files", `n${(count += 1)}`], ...options });

  test("a file is written, read in windows, edited, listed, found and removed", async () => {
    const files = backend();
    expect(await files.write("notes/day.md", "one\ntwo\nthree\n")).toEqual({ path: "notes/day.md", filesUpdate: null });
    expect(await files.read("/notes/day.md", 1, 1)).toEqual({
      content: "two",
      mimeType: "text/markdown",
      totalLines: 3,
      startLine: 2,
      endLine: 2,
      nextOffset: 2,
    });
    expect(await files.edit("/notes/day.md", "two", "2")).toEqual({
      path: "/notes/day.md",
      filesUpdate: null,
      occurrences: 1,
    });
    const { files: rows } = await files.ls("/");
    expect(rows).toEqual([{ path: "/notes/", is_dir: true, size: 0, modified_at: "" }]);
    const row = { path: "/notes/day.md", is_dir: false, size: 12, modified_at: expect.any(String) as string };
    expect(await files.ls("/notes")).toEqual({ files: [row] });
    expect(await files.glob("**/*.md")).toEqual({ files: [row] });
    expect(await files.grep("2", "/notes", "*.md")).toEqual({
      matches: [{ path: "/notes/day.md", line: 2, text: "2" }],
    });
    expect(await files.delete("/notes")).toEqual({ path: "/notes", filesUpdate: null });
    expect(await files.ls("/")).toEqual({ files: [] });
  });

  test("what is missing, a folder, the root, and a path through a file are told apart", async () => {
    const files = backend();
    await files.write("/a/b.txt", "x");
    expect(await files.read("/none")).toEqual({ error: "File '/none' not found", code: "file_not_found" });
    expect(await files.edit("/none", "a", "b")).toEqual({
      error: "Error: File '/none' not found",
      code: "file_not_found",
    });
    expect(await files.delete("/none")).toEqual({ error: "Error: File '/none' not found", code: "file_not_found" });
    const codes = await Promise.all([
      files.read("/a"),
      files.readRaw("/"),
      files.write("/a", "x"),
      files.write("/", "x"),
      files.write("/a/b.txt/c", "x"),
      files.edit("/a", "x", "y"),
      files.delete("/"),
      files.delete("."),
      files.read("/a/../b"),
    ]);
    expect(codes.map(({ code }) => code)).toEqual([
      "is_directory",
      "is_directory",
      "is_directory",
      "is_directory",
      "not_a_directory",
      "is_directory",
      "root_refused",
      "root_refused",
      "invalid_path",
    ]);
    expect((await files.ls("/a")).files?.map(({ path }) => path)).toEqual(["/a/b.txt"]);
  });

  test("store-pagination: 2,500 files are all seen, searched and removed, whatever a page holds", async () => {
    const files = backend();
    const uploads = Array.from({ length: 2_500 }, (_, n): [string, Uint8Array] => [
      `/d${n % 5}/f${n}`,
      Buffer.from(`line ${n}`),
    ]);
    const answers = await files.uploadFiles(uploads);
    expect(answers).toEqual(uploads.map(([path]) => ({ path, error: null })));
    expect((await files.ls("/d3")).files).toHaveLength(500);
    expect((await files.glob("**/*")).files).toHaveLength(2_500);
    expect((await files.grep("line")).matches).toHaveLength(2_500);
    expect(await files.grep("line", null, null, 7)).toMatchObject({ truncated: true });
    expect(await files.delete("/d3")).toEqual({ path: "/d3", filesUpdate: null });
    expect((await files.glob("**/*")).files).toHaveLength(2_000);
  }, 120_000);

  test("binary and legacy text come back as they were, and upstream sees base64", async () => {
    const files = backend();
    const latin = Uint8Array.from([0x63, 0x61, 0x66, 0xe9]);
    const zip = Uint8Array.from([0x50, 0x4b, 3, 4, 0xff, 0xfe, 0, 0x80]);
    await files.uploadFiles([
      ["/a.png", PNG],
      ["/b.txt", latin],
      ["/c.zip", zip],
    ]);
    expect(await files.downloadFiles(["/a.png", "/b.txt", "/c.zip"])).toEqual([
      { path: "/a.png", error: null, content: PNG },
      { path: "/b.txt", error: null, content: latin },
      { path: "/c.zip", error: null, content: zip },
    ]);
    expect(await files.read("/a.png")).toEqual({ content: PNG, mimeType: "image/png" });
    expect(await files.read("/b.txt")).toMatchObject({ content: "café" });
    const { files: rows = [] } = await files.ls("/");
    expect(rows.map(({ path, size }) => [path, size])).toEqual([
      ["/a.png", 10],
      ["/b.txt", 4],
      ["/c.zip", 8],
    ]);
    const upstream = new UpstreamStoreBackend({ store: opened.store, namespace: ["files", `n${count}`] });
    expect(await upstream.read("/a.png")).toEqual({
      content: Buffer.from(PNG).toString("base64"),
      mimeType: "image/png",
    });
  });

  test("upstream works on our files, and we on upstream's", async () => {
    const ours = backend();
    const theirs = new UpstreamStoreBackend({ store: opened.store, namespace: ["files", `n${count}`] });
    const long = "a long line of text\n".repeat(500);
    await ours.write("/ours/a.md", "one\n");
    await ours.write("/ours/long.md", long);
    await theirs.write("/theirs/b.md", "two\n");
    await theirs.write("/theirs/long.md", long);
    for (const files of [ours, theirs]) {
      expect((await files.read("/ours/a.md")).content).toBe("one\n");
      expect((await files.read("/theirs/b.md")).content).toBe("two\n");
      expect((await files.ls("/")).files?.map(({ path }) => path)).toEqual(["/ours/", "/theirs/"]);
      expect((await files.glob("*/long.md")).files?.map(({ path, size }) => [path, size]).sort()).toEqual([
        ["/ours/long.md", 10_000],
        ["/theirs/long.md", 10_000],
      ]);
    }
    expect(await theirs.edit("/ours/long.md", "a long line of text\n", "", true)).toMatchObject({ occurrences: 500 });
    expect(await ours.edit("/theirs/long.md", "a long line of text\n", "x", true)).toMatchObject({ occurrences: 500 });
    expect((await ours.ls("/ours")).files?.map(({ path, size }) => [path, size])).toEqual([
      ["/ours/a.md", 4],
      ["/ours/long.md", 0],
    ]);
    expect((await theirs.read("/theirs/long.md")).content).toBe("x".repeat(500));
    expect(await theirs.delete("/ours")).toMatchObject({ path: "/ours" });
    expect((await ours.ls("/")).files?.map(({ path }) => path)).toEqual(["/theirs/"]);
  });

  test("a small file is stored exactly as upstream stores it", async () => {
    const ours = backend();
    await ours.write("/a.md", "text");
    const [item, ...more] = await opened.store.search(["files", `n${count}`]);
    expect(more).toEqual([]);
    expect(Object.keys(item?.value ?? {}).sort()).toEqual(["content", "created_at", "mimeType", "modified_at"]);
    expect(item).toMatchObject({ key: "/a.md", namespace: ["files", `n${count}`] });
  });

  test("writeMode, strict and bareGlob", async () => {
    const files = backend({ writeMode: "create", strict: true, bareGlob: "recursive" });
    expect(await files.write("/d/a.ts", "1")).toEqual({ path: "/d/a.ts", filesUpdate: null });
    expect(await files.write("/d/a.ts", "2")).toMatchObject({ code: "already_exists" });
    expect(await files.ls("/none")).toMatchObject({ code: "file_not_found" });
    expect(await files.ls("/d/a.ts")).toMatchObject({ code: "not_a_directory" });
    expect((await files.glob("*.ts")).files?.map(({ path }) => path)).toEqual(["/d/a.ts"]);
  });
});
