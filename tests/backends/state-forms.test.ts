/** The forms of `StateBackend` outside of a graph: on files of its own, and made from a runtime. */

import { StateBackend } from "deepfs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { contents, OLD, record } from "../support/records.js";

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

describe("on files of its own", () => {
  // Case state-outside-graph.
  test("works where no graph runs, at once", () => {
    const backend = new StateBackend();
    expect(backend.write("/a.txt", "x\ny\n")).toEqual({ path: "/a.txt" });
    expect(backend.read("/a.txt", { offset: 1 })).toEqual({
      content: "y\n",
      mimeType: "text/plain",
      totalLines: 2,
      startLine: 2,
      endLine: 2,
    });
    expect(backend.edit("/a.txt", "x", "X", { replaceAll: true })).toEqual({ path: "/a.txt", occurrences: 1 });
    expect(backend.grep("X")).toEqual({ matches: [{ path: "/a.txt", line: 1, text: "X" }] });
    expect(backend.delete("/a.txt")).toEqual({ path: "/a.txt" });
    expect(backend.ls("/")).toEqual({ files: [] });
  });

  test("starts with files in any form, and gives them back", () => {
    const png = Uint8Array.from([137, 80, 78, 71]);
    const backend = new StateBackend({
      files: {
        "/a.txt": "text",
        "b/c.png": png,
        "/d.md": record("# D"),
        "/v1.txt": { content: ["1", "2"], created_at: OLD, modified_at: OLD },
      },
    });
    const saved = backend.snapshot();
    expect(saved).toEqual({
      "/a.txt": { content: "text", mimeType: "text/plain", created_at: TIME, modified_at: TIME },
      "/b/c.png": { content: png, mimeType: "image/png", created_at: TIME, modified_at: TIME },
      "/d.md": { content: "# D", mimeType: "text/plain", created_at: OLD, modified_at: OLD },
      "/v1.txt": { content: "1\n2", mimeType: "text/plain", created_at: OLD, modified_at: OLD },
    });
    expect(new StateBackend({ files: saved }).snapshot()).toEqual(saved);
    expect(new StateBackend({ files: JSON.parse(JSON.stringify(saved)) }).snapshot()).toEqual(saved);
  });

  test("a snapshot is of its moment, and restore replaces everything", () => {
    const backend = new StateBackend({ files: { "/a": "1" } });
    const saved = backend.snapshot();
    backend.write("/a", "2");
    backend.write("/b", "3");
    expect(contents(saved)).toEqual({ "/a": "1" });
    expect(backend.restore(saved)).toEqual({});
    expect(contents(backend.snapshot())).toEqual({ "/a": "1" });
  });

  test("files that can not be are refused, and nothing is changed", () => {
    const backend = new StateBackend({ files: { "/a": "1" } });
    const bad: Record<string, never>[] = [
      { "/../x": "1" as never },
      { "/x": 7 as never },
      { "/x": "a\uD83D" as never },
      { "/\uD83D": "a" as never },
      { "/x": "1" as never, "/x/y": "2" as never },
    ];
    for (const files of bad) {
      expect(backend.restore(files)).toEqual({ error: expect.any(String), code: expect.any(String) });
      expect(() => new StateBackend({ files })).toThrow(TypeError);
    }
    expect(contents(backend.snapshot())).toEqual({ "/a": "1" });
  });

  test("options of the wrong kind are refused", () => {
    expect(() => new StateBackend({ fileFormat: "v3" as never })).toThrow(/fileFormat/);
    expect(() => new StateBackend({ writeMode: "x" as never })).toThrow(/writeMode/);
    expect(() => new StateBackend({ limits: { readBytes: -1 } })).toThrow(/readBytes/);
  });

  test("two backends share nothing", () => {
    const one = new StateBackend();
    one.write("/a", "1");
    expect(new StateBackend().ls("/")).toEqual({ files: [] });
  });

  test("a subclass, a proxy and an heir work", () => {
    class Guarded extends StateBackend {
      override write(path: string, content: string) {
        return path.startsWith("/secret") ? { error: "no" } : super.write(path, content);
      }
    }
    const guarded = new Guarded();
    expect(guarded.write("/secret/a", "x")).toEqual({ error: "no" });
    expect(guarded.write("/a", "x")).toEqual({ path: "/a" });
    const proxy = new Proxy(guarded, {});
    expect(proxy.edit("/a", "x", "y")).toEqual({ path: "/a", occurrences: 1 });
    expect((Object.create(proxy) as StateBackend).read("/a")).toMatchObject({ content: "y" });
  });
});

describe("made from a runtime", () => {
  afterEach(() => vi.restoreAllMocks());

  const made = (files: Record<string, unknown>, options?: { fileFormat: "v1" | "v2" }) => {
    const runtime = { state: { files } };
    return { backend: new StateBackend(runtime, options), runtime };
  };

  test("each change comes back as an update, and the state is the caller's", () => {
    const { backend, runtime } = made({ "/a.txt": record("old") });
    expect(backend.write("b.txt", "new")).toEqual({
      path: "b.txt",
      filesUpdate: { "/b.txt": { content: "new", mimeType: "text/plain", created_at: TIME, modified_at: TIME } },
    });
    expect(backend.edit("/a.txt", "old", "new")).toEqual({
      path: "/a.txt",
      occurrences: 1,
      filesUpdate: { "/a.txt": { content: "new", mimeType: "text/plain", created_at: OLD, modified_at: TIME } },
    });
    expect(backend.delete("/")).toEqual({ error: expect.any(String), code: "root_refused" });
    expect(backend.delete("/a.txt")).toEqual({ path: "/a.txt", filesUpdate: { "/a.txt": null } });
    const uploaded = backend.uploadFiles([["/i.png", Uint8Array.from([1])]]);
    expect([...uploaded]).toEqual([{ path: "/i.png", error: null }]);
    expect(Object.keys(uploaded.filesUpdate ?? {})).toEqual(["/i.png"]);
    expect(contents(runtime.state.files)).toEqual({ "/a.txt": "old" });
  });

  test("what is handed out is the caller's own: changing it changes no state", () => {
    const files = {
      "/i.png": { ...record(""), content: Uint8Array.from([1, 2]), mimeType: "image/png" },
      "/v1.txt": { content: ["1", "2"], created_at: OLD, modified_at: OLD },
    };
    const { backend, runtime } = made(files);
    const before = structuredClone(runtime.state.files);
    for (const { content } of [backend.read("/i.png"), backend.readRaw("/i.png").data ?? {}]) {
      expect(content).toEqual(Uint8Array.from([1, 2]));
      (content as Uint8Array).fill(9);
    }
    const { data } = backend.readRaw("/v1.txt");
    expect(data).toEqual(files["/v1.txt"]);
    (data as { content: string[] }).content.push("3");
    Object.assign(data ?? {}, { modified_at: "" });
    expect(runtime.state.files).toEqual(before);
  });

  test("a state that can not be read is an error of each call and each item, never a throw", () => {
    const state = {
      get files(): never {
        throw new Error("no state");
      },
    };
    const backend = new StateBackend({ state });
    const failed = { code: "internal", error: expect.stringContaining("'/a'") };
    expect(backend.write("/a", "x")).toMatchObject(failed);
    expect(backend.grep("x", "/a")).toMatchObject(failed);
    const items = [{ path: "/a", error: "permission_denied", code: "internal" }];
    expect(backend.uploadFiles([["/a", Uint8Array.from([1])]])).toMatchObject(items);
    expect(backend.downloadFiles(["/a"])).toMatchObject([{ ...items[0], content: null }]);
  });

  test("a change of the state in place is seen", () => {
    const { backend, runtime } = made({ "/a": record("needle") });
    expect(backend.grep("needle").matches).toHaveLength(1);
    runtime.state.files["/b"] = record("needle");
    (runtime.state.files["/a"] as { content: string }).content = "hay";
    expect(backend.grep("needle")).toEqual({ matches: [{ path: "/b", line: 1, text: "needle" }] });
    expect(backend.ls("/").files?.map(({ path, size }) => [path, size])).toEqual([
      ["/a", 3],
      ["/b", 6],
    ]);
    delete runtime.state.files["/b"];
    expect(backend.grep("needle")).toEqual({ matches: [] });
  });

  // Case ls-state-noslash.
  test("keys that are no paths are found under the path they mean", () => {
    const { backend } = made({ "notes.txt": record("needle"), "/a//b": record("deep"), "/../x": record("needle") });
    expect(backend.read("notes.txt")).toMatchObject({ content: "needle" });
    expect(backend.read("/notes.txt")).toMatchObject({ content: "needle" });
    expect(backend.read("/a/b")).toMatchObject({ content: "deep" });
    expect(backend.ls("/").files?.map(({ path }) => path)).toEqual(["/a/", "/notes.txt"]);
    expect(backend.grep("needle").matches?.map(({ path }) => path)).toEqual(["/notes.txt"]);
    expect(backend.delete("/notes.txt")).toEqual({ path: "/notes.txt", filesUpdate: { "notes.txt": null } });
    expect(backend.delete("/a")).toEqual({ path: "/a", filesUpdate: { "/a//b": null } });
  });

  // Cases state-json-binary and state-grep-poison.
  test("records damaged by JSON are read, and what is no record is passed over", () => {
    const bytes = Uint8Array.from([137, 80, 78, 71]);
    const { backend } = made({
      "/i.png": { ...record(""), mimeType: "image/png", content: JSON.parse(JSON.stringify(bytes)) },
      "/ok.txt": record("needle"),
      "/old.bin": { content: bytes },
      "/bad": { content: { no: "record" } },
      "/worse": 7,
    });
    expect(backend.downloadFiles(["/i.png"])).toEqual([{ path: "/i.png", content: bytes, error: null }]);
    expect(backend.ls("/").files?.map(({ path, size }) => [path, size])).toEqual([
      ["/i.png", 4],
      ["/ok.txt", 6],
      ["/old.bin", 4],
    ]);
    expect(backend.grep("needle")).toEqual({ matches: [{ path: "/ok.txt", line: 1, text: "needle" }] });
    expect(backend.read("/bad")).toEqual({ error: expect.stringContaining("/bad"), code: "io" });
  });

  test("the older format holds text, and bytes are refused", () => {
    const { backend } = made({}, { fileFormat: "v1" });
    expect(backend.write("/a.txt", "1\n2")).toEqual({
      path: "/a.txt",
      filesUpdate: { "/a.txt": { content: ["1", "2"], created_at: TIME, modified_at: TIME } },
    });
    const refused = { error: expect.stringContaining("v1"), code: "invalid_content" };
    expect(backend.write("/a.png", "iVBORw==")).toEqual(refused);
    const own = new StateBackend({ fileFormat: "v1" });
    expect(own.write("/a.png", "iVBORw==")).toEqual(refused);
    expect(own.uploadFiles([["/a.png", Uint8Array.from([137, 0])]])).toMatchObject([{ code: "invalid_content" }]);
    expect(own.write("/a.txt", "1\n2")).toEqual({ path: "/a.txt" });
    expect(own.readRaw("/a.txt")).toEqual({ data: { content: ["1", "2"], created_at: TIME, modified_at: TIME } });
  });

  test("bytes handed in or out are copies", () => {
    const { backend, runtime } = made({});
    const bytes = Uint8Array.from([0, 1, 2]);
    const { filesUpdate = {} } = backend.uploadFiles([["/a.bin", bytes]]);
    Object.assign(runtime.state.files, filesUpdate);
    bytes.fill(9);
    backend.downloadFiles(["/a.bin"])[0]?.content?.fill(9);
    expect(backend.downloadFiles(["/a.bin"])).toEqual([
      { path: "/a.bin", content: Uint8Array.from([0, 1, 2]), error: null },
    ]);
  });
});
