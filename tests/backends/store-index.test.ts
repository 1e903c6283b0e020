import { StoreBackend as UpstreamStoreBackend } from "deepagents";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deepfs } from "../support/backend.js";
import { openPostgres } from "../support/stores.js";

const { StoreBackend } = deepfs;
const FILES = 2_000;
const TEN_KB = Array.from({ length: 100 }, (_, n) => `${n} `.padEnd(101, "abcdefgh ")).join("\n");

describe("the index of paths, on Postgres", () => {
  let postgres: Awaited<ReturnType<typeof openPostgres>>;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(() => postgres.close());

  const pair = (name: string) => {
    const options = { store: postgres.store, namespace: ["index", name] };
    return { ours: new StoreBackend(options), theirs: new UpstreamStoreBackend(options) };
  };
  const uploads = (count: number) =>
    Array.from({ length: count }, (_, n): [string, Uint8Array] => [`/d${n % 10}/f${n}.txt`, Buffer.from(TEN_KB)]);
  /** What a call answers, the bytes that came over the wire, and how long it took. */
  const measured = async <T>(call: () => Promise<T>) => {
    const [bytes, start] = [postgres.bytesReceived(), performance.now()];
    const answer = await call();
    return { answer, bytes: postgres.bytesReceived() - bytes, ms: performance.now() - start };
  };
  const names = async (files: InstanceType<typeof StoreBackend>, folder = "/d3") =>
    (await files.ls(folder)).files?.map(({ path }) => path) ?? [];

  test("store-ls-cost: ls of 2,000 files of 10 KB moves less than a tenth of upstream's bytes, and is faster", async () => {
    const { ours, theirs } = pair("large");
    expect(await ours.uploadFiles(uploads(FILES))).toHaveLength(FILES);
    const mine = [await measured(() => ours.ls("/d3")), await measured(() => ours.ls("/d3"))];
    const other = [await measured(() => theirs.ls("/d3")), await measured(() => theirs.ls("/d3"))];
    const seen = mine.map(({ answer }) => answer.files?.map(({ path, size }) => [path, size]));
    const expected = uploads(FILES)
      .map(([path]) => path)
      .filter((path) => path.startsWith("/d3/"))
      .sort()
      .map((path) => [path, TEN_KB.length]);
    expect(seen).toEqual([expected, expected]);
    const least = (of: { bytes: number; ms: number }[], what: "bytes" | "ms") =>
      Math.min(...of.map((one) => one[what]));
    console.log(
      `ls: ${least(mine, "bytes")} bytes, ${least(mine, "ms").toFixed(0)} ms; upstream: ${least(other, "bytes")} bytes, ${least(other, "ms").toFixed(0)} ms`,
    );
    expect(Math.max(...mine.map(({ bytes }) => bytes)) * 10).toBeLessThan(least(other, "bytes"));
    expect(least(mine, "ms")).toBeLessThan(least(other, "ms"));
  }, 120_000);

  test("what upstream writes, changes and removes is seen at once", async () => {
    const { ours, theirs } = pair("shared");
    await ours.uploadFiles(uploads(40));
    expect(await names(ours)).toEqual(["/d3/f13.txt", "/d3/f23.txt", "/d3/f3.txt", "/d3/f33.txt"]);
    await theirs.write("/d3/new.txt", TEN_KB);
    await theirs.edit("/d3/f3.txt", "0 ", "zero ", true);
    const { files = [] } = await ours.ls("/d3");
    expect(files.map(({ path }) => path)).toEqual([
      "/d3/f13.txt",
      "/d3/f23.txt",
      "/d3/f3.txt",
      "/d3/f33.txt",
      "/d3/new.txt",
    ]);
    expect(files.find(({ path }) => path === "/d3/f3.txt")?.size).toBe((await ours.read("/d3/f3.txt")).content?.length);
    await theirs.delete("/d3/f13.txt");
    expect(await names(ours)).not.toContain("/d3/f13.txt");
    await theirs.delete("/d3");
    expect(await names(ours)).toEqual([]);
    expect((await ours.glob("**/*")).files).toHaveLength(36);
  }, 60_000);

  test("a file removed by upstream while another is added by us does not hide in the numbers", async () => {
    const { ours, theirs } = pair("numbers");
    await ours.uploadFiles(uploads(20));
    await theirs.delete("/d3/f13.txt");
    await ours.write("/d3/f99.txt", TEN_KB);
    expect(await names(ours)).toEqual(["/d3/f3.txt", "/d3/f99.txt"]);
  }, 60_000);

  test("files that upstream has written are fetched once, then remembered", async () => {
    const { ours, theirs } = pair("theirs");
    await theirs.uploadFiles(uploads(200));
    // Files that changed a moment ago are not trusted.
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    const first = await measured(() => ours.ls("/d3"));
    const second = await measured(() => ours.ls("/d3"));
    expect(second.answer).toEqual(first.answer);
    expect(second.answer.files).toHaveLength(20);
    expect(second.bytes * 10).toBeLessThan(first.bytes);
    await theirs.write("/d3/new.txt", TEN_KB);
    await theirs.edit("/d3/f3.txt", "0 ", "zero ", true);
    await theirs.delete("/d3/f13.txt");
    const { files = [] } = await ours.ls("/d3");
    expect(files).toHaveLength(20);
    expect(files.map(({ path }) => path)).toContain("/d3/new.txt");
    expect(files.find(({ path }) => path === "/d3/f3.txt")?.size).toBeGreaterThan(TEN_KB.length);
    await ours.write("/d3/f23.txt", "short");
    await ours.delete("/d3/f33.txt");
    expect((await ours.ls("/d3")).files?.map(({ path }) => path)).toEqual(
      (await theirs.ls("/d3")).files?.map(({ path }) => path),
    );
  }, 60_000);

  test("a lost or broken index is made anew", async () => {
    const { ours } = pair("broken");
    await ours.uploadFiles(uploads(30));
    const rows = await postgres.store.search(["index", "broken", "deepfs-index"], { limit: 1_000 });
    expect(rows).toHaveLength(30);
    await postgres.store.delete(["index", "broken", "deepfs-index"], rows[0]?.key ?? "");
    await postgres.store.put(["index", "broken", "deepfs-index"], "file:/ghost.txt", { size: 1, modified_at: "" });
    await postgres.store.delete(["index", "broken", "deepfs-index"], rows[1]?.key ?? "");
    expect((await ours.glob("**/*")).files).toHaveLength(30);
    const repaired = await postgres.store.search(["index", "broken", "deepfs-index"], { limit: 1_000 });
    expect(repaired.map(({ key }) => key).sort()).toEqual(rows.map(({ key }) => key).sort());
    for (const { namespace, key } of repaired) await postgres.store.delete(namespace, key);
    expect((await ours.ls("/d3")).files).toHaveLength(3);
    const { bytes } = await measured(() => ours.ls("/d3"));
    expect(bytes).toBeLessThan(30_000);
  }, 60_000);

  test("grep of a small folder does not fetch a large one", async () => {
    const { ours } = pair("grep");
    await ours.uploadFiles([...uploads(100), ["/small/a.txt", Buffer.from(`needle\n${TEN_KB}`)]]);
    const { answer, bytes } = await measured(() => ours.grep("needle", "/small"));
    expect(answer).toEqual({ matches: [{ path: "/small/a.txt", line: 1, text: "needle" }] });
    expect(bytes).toBeLessThan(100_000);
  }, 60_000);
});
