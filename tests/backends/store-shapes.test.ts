import { InMemoryStore } from "@langchain/langgraph-checkpoint";
import { StoreBackend as UpstreamStoreBackend } from "deepagents";
import { describe, expect, test } from "vitest";
import { JsonStore } from "../services/json-store.js";
import { deepfs } from "../support/backend.js";

const { StoreBackend } = deepfs;
const namespace = ["shapes"];
const times = { created_at: "2024-01-01T00:00:00.000Z", modified_at: "2024-01-02T00:00:00.000Z" };
const PNG = Uint8Array.from([137, 80, 78, 71, 0, 255]);
const BASE64 = Buffer.from(PNG).toString("base64");

const open = () => {
  const store = new InMemoryStore();
  return { store, files: new StoreBackend({ store, namespace }) };
};

describe("every shape that a file was ever stored in", () => {
  test("state-grep-poison: bytes that are no text are not read as such, whatever the record calls itself", async () => {
    const { store, files } = open();
    await store.put(namespace, "/a.txt", { content: PNG, mimeType: "text/plain", ...times });
    await store.put(namespace, "/b.txt", {
      content: Buffer.from("h\xe9\n", "latin1"),
      mimeType: "text/x-log",
      ...times,
    });
    expect(await files.read("/a.txt")).toEqual({ content: PNG, mimeType: "application/octet-stream" });
    expect(await files.read("/b.txt")).toMatchObject({ content: "h\u00e9\n", mimeType: "text/x-log" });
    expect(await files.readRaw("/b.txt")).toEqual({
      data: { content: "h\u00e9\n", mimeType: "text/x-log", ...times },
      encoding: "windows-1252",
    });
  });

  test.each([
    ["v2", "/a.md", { content: "x\ny", mimeType: "text/markdown", ...times }, "x\ny", 3],
    ["v2 without a type", "/a.md", { content: "x\ny", ...times }, "x\ny", 3],
    ["v1", "/a.md", { content: ["x", "y"], ...times }, "x\ny", 3],
    ["without times", "/a.md", { content: "x" }, "x", 1],
    ["bytes", "/a.png", { content: PNG, mimeType: "image/png", ...times }, PNG, 6],
    ["bytes through JSON", "/a.png", { content: { ...PNG }, mimeType: "image/png", ...times }, PNG, 6],
    [
      "a Buffer through JSON",
      "/a.png",
      { content: Buffer.from(PNG).toJSON(), mimeType: "image/png", ...times },
      PNG,
      6,
    ],
    ["base64, as Python writes it", "/a.png", { content: BASE64, encoding: "base64", ...times }, PNG, 6],
    ["text with utf-8 named, as Python", "/a.md", { content: "x", encoding: "utf-8", ...times }, "x", 1],
  ])("%s", async (_, path, value, content, size) => {
    const { store, files } = open();
    await store.put(namespace, path, value);
    const read = await files.read(path);
    expect(read.content).toEqual(content);
    expect((await files.ls("/")).files).toMatchObject([{ path, size }]);
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    const [download] = await files.downloadFiles([path]);
    expect(download).toMatchObject({ path, error: null });
    expect(Uint8Array.from(download?.content ?? [])).toEqual(bytes);
  });

  test("store-readraw-throws: an item that is no file is left out of lists, an error to read, and can be overwritten and removed", async () => {
    const { store, files } = open();
    await store.put(namespace, "/m", { fact: "x" });
    await store.put(namespace, "/ok.txt", { content: "needle", mimeType: "text/plain", ...times });
    await store.put(namespace, "/old.bin", { content: PNG, ...times });
    expect((await files.ls("/")).files?.map(({ path }) => path)).toEqual(["/ok.txt", "/old.bin"]);
    expect(await files.grep("needle")).toEqual({ matches: [{ path: "/ok.txt", line: 1, text: "needle" }] });
    for (const answer of [await files.read("/m"), await files.readRaw("/m"), await files.edit("/m", "a", "b")]) {
      expect(answer).toEqual({ error: expect.stringContaining("/m") as string, code: "io" });
    }
    expect(await files.downloadFiles(["/m"])).toMatchObject([{ path: "/m", content: null, code: "io" }]);
    expect(await files.write("/m", "new")).toEqual({ path: "/m", filesUpdate: null });
    expect((await files.read("/m")).content).toBe("new");
    await store.put(namespace, "/m", { fact: "x" });
    expect(await files.delete("/m")).toEqual({ path: "/m", filesUpdate: null });
    expect(await store.get(namespace, "/m")).toBeNull();
  });

  test("fileFormat v1 is read by upstream, keeps its format, and holds text only", async () => {
    const store = new JsonStore();
    const files = new StoreBackend({ store, namespace, fileFormat: "v1" });
    await files.write("/a.txt", "one\ntwo");
    expect((await store.get(namespace, "/a.txt"))?.value).toEqual({
      content: ["one", "two"],
      created_at: expect.any(String) as string,
      modified_at: expect.any(String) as string,
    });
    await new StoreBackend({ store, namespace }).edit("/a.txt", "two", "2");
    expect((await store.get(namespace, "/a.txt"))?.value["content"]).toEqual(["one", "2"]);
    const upstream = new UpstreamStoreBackend({ store, namespace, fileFormat: "v1" });
    expect((await upstream.read("/a.txt")).content).toBe("one\n2");
    expect(await files.uploadFiles([["/a.png", PNG]])).toMatchObject([
      { path: "/a.png", error: "invalid_path", code: "invalid_content" },
    ]);
  });

  test("the time of creation is kept, and what readRaw hands out is not the store's own object", async () => {
    const { store, files } = open();
    await store.put(namespace, "/a.txt", { content: "old", mimeType: "text/plain", ...times });
    await files.write("/a.txt", "new");
    const { data } = await files.readRaw("/a.txt");
    expect(data).toMatchObject({ content: "new", created_at: times.created_at });
    expect(data?.modified_at).not.toBe(times.modified_at);
    if (data !== undefined) data.content = "changed outside";
    expect((await files.read("/a.txt")).content).toBe("new");
  });

  test("large files carry no trace of the index in readRaw, and upstream's edit of one drops the mark", async () => {
    const { files } = open();
    const large = "line\n".repeat(2_000);
    await files.write("/large.txt", large);
    expect(Object.keys((await files.readRaw("/large.txt")).data ?? {}).sort()).toEqual([
      "content",
      "created_at",
      "mimeType",
      "modified_at",
    ]);
  });

  test("a name that is stored decomposed is found when it is asked for composed", async () => {
    const { store, files } = open();
    await store.put(namespace, "/cafe\u0301.md", { content: "x", mimeType: "text/markdown", ...times });
    expect((await files.read("/caf\u00e9.md")).content).toBe("x");
    expect(await files.edit("/caf\u00e9.md", "x", "y")).toMatchObject({ occurrences: 1 });
    expect((await store.get(namespace, "/cafe\u0301.md"))?.value["content"]).toBe("y");
  });
});
