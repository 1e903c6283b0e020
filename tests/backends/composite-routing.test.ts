/** Which backend a path belongs to, and what the mounts look like in the tree. Tests named after a fault keep its key. */

import { CompositeBackend, StateBackend } from "deepfs";
import { describe, expect, test } from "vitest";
import { memory, paths } from "./memory-mounts.js";

describe("construction", () => {
  test("routes are folders, whatever their spelling", () => {
    const composite = new CompositeBackend(memory(), { "/mem": memory(), "//a//b/": memory(), o: memory() });
    expect(composite.routePrefixes).toEqual(["/mem/", "/a/b/", "/o/"]);
    expect(CompositeBackend.isInstance(composite)).toBe(true);
    expect(CompositeBackend.isInstance(memory())).toBe(false);
    expect(CompositeBackend.isInstance(null)).toBe(false);
  });

  test("misuse throws", () => {
    expect(() => new CompositeBackend(memory(), { "/a/../b/": memory() })).toThrow(/"\/a\/..\/b\/" is not a folder/);
    expect(() => new CompositeBackend(memory(), { "/mem": memory(), "/mem/": memory() })).toThrow(/one folder/);
    expect(() => new CompositeBackend(memory(), { "/mem/": (() => memory()) as never })).toThrow(/call the factory/);
    expect(() => new CompositeBackend(undefined as never, {})).toThrow(TypeError);
    expect(() => new CompositeBackend(memory(), undefined as never)).toThrow(TypeError);
  });

  test("a route at the root takes the files, the default keeps the commands", async () => {
    const shell = Object.assign(memory({ "/hidden.txt": "x" }), { id: "box", execute: () => ran });
    const composite = new CompositeBackend(shell, {
      "/": memory({ "/a.txt": "x" }),
      "/mem/": memory({ "/b.txt": "x" }),
    });
    expect(paths(await composite.glob("**/*"))).toEqual(["/a.txt", "/mem/b.txt"]);
    expect(composite.id).toBe("box");
    expect(await composite.execute("true")).toEqual(ran);
  });
});

const ran = { output: "done", exitCode: 0, truncated: false };

describe("commands", () => {
  test("adapt-extra-args: everything reaches the default backend", async () => {
    const seen: unknown[][] = [];
    const shell = Object.assign(memory(), { id: "", execute: (...sent: unknown[]) => (seen.push(sent), ran) });
    const composite = new CompositeBackend(shell, {});
    expect(composite.id).toBe("");
    expect(() => composite.execute("ls")).toThrow(/doesn't support command execution/);
    shell.id = "late";
    expect(composite.id).toBe("late");
    await composite.execute("ls", { timeout: 5 });
    expect(seen).toEqual([["ls", { timeout: 5 }]]);
  });
});

describe("routing", () => {
  test("comp-noslash: a longer name is another folder", async () => {
    const base = memory();
    const composite = new CompositeBackend(base, { "/mem": memory({ "/a.txt": "x" }) });
    expect(await composite.write("/memory/x.txt", "y")).toMatchObject({ path: "/memory/x.txt" });
    expect(paths(base.glob("**/*"))).toEqual(["/memory/x.txt"]);
    expect(paths(await composite.ls("/mem"))).toEqual(["/mem/a.txt"]);
    expect(await composite.read("/me")).toMatchObject({ code: "file_not_found" });
  });

  test("comp-unnormalised: every spelling reaches the mount", async () => {
    const store = memory();
    const base = memory();
    const composite = new CompositeBackend(base, { "/memories/": store });
    expect(await composite.write("//memories/a.txt", "x")).toEqual({ path: "/memories/a.txt" });
    expect(await composite.write("/./memories/b.txt", "x")).toEqual({ path: "/memories/b.txt" });
    expect(await composite.write("memories/c.txt", "x")).toEqual({ path: "/memories/c.txt" });
    expect(paths(store.ls("/"))).toEqual(["/a.txt", "/b.txt", "/c.txt"]);
    expect(paths(base.ls("/"))).toEqual([]);
    expect(await composite.write("/x/../memories/d.txt", "x")).toMatchObject({ code: "invalid_path" });
  });

  test("the longest prefix wins", async () => {
    const inner = memory();
    const composite = new CompositeBackend(memory(), { "/o/": memory(), "/o/in/": inner });
    await composite.write("/o/in/z.txt", "x");
    expect(paths(inner.ls("/"))).toEqual(["/z.txt"]);
  });

  test("a relative path without a mount reaches the default as it is", async () => {
    const seen: unknown[] = [];
    const base = Object.assign(memory(), { read: (path: string) => (seen.push(path), { content: "" }) });
    const composite = new CompositeBackend(base, { "/mem/": memory() });
    await composite.read("./src//a.ts");
    await composite.read("/src//a.ts");
    expect(seen).toEqual(["src/a.ts", "/src/a.ts"]);
  });

  test("answers and errors carry the full path", async () => {
    const composite = new CompositeBackend(memory(), { "/mem/": memory({ "/a.txt": "one" }) });
    expect(await composite.edit("/mem/a.txt", "one", "two")).toEqual({ path: "/mem/a.txt", occurrences: 1 });
    expect((await composite.read("/mem/b.txt")).error).toBe("File '/mem/b.txt' not found");
    expect((await composite.edit("/mem/b.txt", "x", "y")).error).toBe("Error: File '/mem/b.txt' not found");
    // The sentence quotes the caller's text, which happens to be the path: it is left alone.
    const quoted = await composite.edit("/mem/a.txt", "/a.txt", "y");
    expect(quoted.error).toContain("'/a.txt'");
    expect(await composite.delete("/mem/a.txt")).toEqual({ path: "/mem/a.txt" });
  });

  test("nobody's arguments are any good", async () => {
    const composite = new CompositeBackend(memory(), { "/mem/": memory() });
    for (const bad of [undefined, null, 7, {}, "\0", "a\ud800", "/mem/../x", "x".repeat(1_000_000)] as never[]) {
      const failures = [
        composite.ls(bad),
        composite.read(bad),
        composite.readRaw(bad),
        composite.write(bad, "x"),
        composite.edit(bad, "a", "b"),
        composite.delete(bad),
      ];
      for (const result of await Promise.all(failures)) expect(result).toMatchObject({ error: expect.any(String) });
    }
    expect(await composite.glob(7 as never)).toMatchObject({ code: "invalid_argument" });
    expect(await composite.grep(7 as never)).toMatchObject({ code: "invalid_argument" });
    expect(await composite.uploadFiles(7 as never)).toMatchObject([{ error: "invalid_path" }]);
    expect(await composite.downloadFiles([7 as never])).toMatchObject([{ error: "invalid_path", content: null }]);
  });
});

describe("mounts in the tree", () => {
  const tree = (): CompositeBackend =>
    new CompositeBackend(memory({ "/o/own.txt": "x", "/o/in/hidden.txt": "x", "/a": "a file above a mount" }), {
      "/a/b/": memory(),
      "/o/": memory({ "/y.txt": "needle", "/in/shadow.txt": "needle" }),
      "/o/in/": memory({ "/z.txt": "needle" }),
    });

  test("comp-intermediate: mounts show in the folders above", async () => {
    const composite = tree();
    expect(paths(await composite.ls("/"))).toEqual(["/a/", "/o/"]);
    expect(paths(await composite.ls("/a"))).toEqual(["/a/b/"]);
    expect(paths(await composite.ls("/o"))).toEqual(["/o/in/", "/o/y.txt"]);
    expect(await composite.ls("/a/b")).toEqual({ files: [] });
  });

  test("comp-nested-search: a search finds what is mounted below", async () => {
    const composite = tree();
    expect(paths(await composite.grep("needle", "/o"))).toEqual(["/o/in/z.txt", "/o/y.txt"]);
    expect(paths(await composite.glob("**/*.txt", "/o"))).toEqual(["/o/in/z.txt", "/o/y.txt"]);
    expect(paths(await composite.glob("o/in/*.txt"))).toEqual(["/o/in/z.txt"]);
  });

  test("comp-write-root: a mount is a folder, and so is what is above", async () => {
    const composite = tree();
    for (const folder of ["/o", "/o/", "/a", "/o/in"]) {
      for (const result of [
        await composite.write(folder, "x"),
        await composite.edit(folder, "a", "b"),
        await composite.read(folder),
        await composite.readRaw(folder),
        ...(await composite.uploadFiles([[folder, new Uint8Array()]])),
        ...(await composite.downloadFiles([folder])),
      ]) {
        expect(result).toMatchObject({ code: "is_directory" });
      }
    }
  });

  test("mounts and folders that hold them are not deleted", async () => {
    const composite = tree();
    for (const folder of ["/", "", ".", "/o", "/o/in", "/a"]) {
      expect(await composite.delete(folder)).toMatchObject({ error: expect.any(String) });
    }
    expect((await composite.delete("/a")).error).toContain("'/a/b/'");
    expect(paths(await composite.glob("**/*"))).toEqual(["/o/in/z.txt", "/o/y.txt"]);
  });

  test("the default's files below a mount are hidden everywhere", async () => {
    const composite = tree();
    expect(await composite.read("/o/own.txt")).toMatchObject({ code: "file_not_found" });
    expect(await composite.downloadFiles(["/o/in/hidden.txt"])).toMatchObject([{ error: "file_not_found" }]);
    expect(paths(await composite.grep("x"))).toEqual([]);
  });

  test("uploads and downloads keep their order across mounts", async () => {
    const composite = new CompositeBackend(memory(), { "/m/": memory(), "/n/": memory() });
    const names = ["/n/1", "/2", "/m/3", "/../4", "/n/5", "/6"];
    const sent = await composite.uploadFiles(names.map((name) => [name, new TextEncoder().encode(name)]));
    expect(sent.map(({ path, error }) => [path, error])).toEqual(
      names.map((name) => [name, name === "/../4" ? "invalid_path" : null]),
    );
    const got = await composite.downloadFiles(names);
    expect(got.map(({ content }) => content && new TextDecoder().decode(content))).toEqual(
      names.map((name) => (name === "/../4" ? null : name)),
    );
  });
});

test("a backend of the first version is adapted", async () => {
  const old = {
    lsInfo: () => [{ path: "/a.txt" }],
    read: () => "text",
    readRaw: () => ({ content: ["text"], created_at: "", modified_at: "" }),
    grepRaw: () => [
      { path: "/a.txt", line: 1, text: "text" },
      { path: "/a.txt", line: 2, text: "text" },
    ],
    globInfo: () => [{ path: "/a.txt" }],
    write: () => ({ path: "/a.txt" }),
    edit: () => ({ path: "/a.txt", occurrences: 1 }),
  };
  const composite = new CompositeBackend(new StateBackend(), { "/old/": old });
  expect(await composite.read("/old/a.txt")).toEqual({ content: "text" });
  expect(await composite.ls("/old")).toEqual({ files: [{ path: "/old/a.txt" }] });
  expect(await composite.glob("**/*")).toEqual({ files: [{ path: "/old/a.txt" }] });
  expect(await composite.grep("text", "/", null, 1)).toEqual({
    matches: [{ path: "/old/a.txt", line: 1, text: "text" }],
    truncated: true,
  });
  expect(await composite.delete("/old/a.txt")).toMatchObject({ code: "unsupported" });
  expect(await composite.uploadFiles([["/old/a", new Uint8Array()]])).toMatchObject([{ code: "unsupported" }]);
});

describe("letters that are composed in two ways", () => {
  const composed = "/caf\u00e9";
  const decomposed = "/cafe\u0301";

  test.each([
    ["composed", composed, decomposed],
    ["decomposed", decomposed, composed],
  ])("name-nfc: a %s route takes both spellings", async (_name, route, other) => {
    const composite = new CompositeBackend(memory(), { [`${route}/deep/`]: memory() });
    expect(await composite.write(`${other}/deep/a.txt`, "needle")).toEqual({ path: `${route}/deep/a.txt` });
    expect(await composite.read(`${other}/deep/a.txt`)).toMatchObject({ content: "needle" });
    expect(await composite.edit(`${other}/deep/a.txt`, "needle", "needles")).toMatchObject({ occurrences: 1 });
    expect(paths(await composite.ls("/"))).toEqual([`${route}/`]);
    expect(paths(await composite.ls(other))).toEqual([`${route}/deep/`]);
    expect(paths(await composite.ls(`${other}/deep`))).toEqual([`${route}/deep/a.txt`]);
    expect(paths(await composite.grep("needles", other))).toEqual([`${route}/deep/a.txt`]);
    expect(paths(await composite.glob("**/*.txt", other))).toEqual([`${route}/deep/a.txt`]);
    expect(await composite.write(other, "x")).toMatchObject({ code: "is_directory" });
    expect(await composite.delete(`${other}/deep`)).toMatchObject({ code: "denied" });
  });

  test("a folder of the default above a mount is listed once, and what it holds is found", async () => {
    const composite = new CompositeBackend(memory({ [`${decomposed}/own.txt`]: "own" }), {
      [`${composed}/deep/`]: memory({ "/a.txt": "a" }),
    });
    expect(await composite.read(`${composed}/own.txt`)).toMatchObject({ content: "own" });
    expect(paths(await composite.ls("/"))).toEqual([`${decomposed}/`]);
    expect(paths(await composite.ls(composed))).toEqual([`${composed}/deep/`, `${decomposed}/own.txt`].sort());
  });
});
