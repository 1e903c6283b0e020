/** Rules below the tools. Tests named after a fault keep its key. */

import { CompositeBackend, withPermissions } from "deepfs";
import type { FilesystemPermission } from "deepfs";
import { createFilesystemMiddleware } from "deepagents";
import * as fc from "fast-check";
import micromatch from "micromatch";
import { describe, expect, test } from "vitest";
import { memory, paths } from "./memory-mounts.js";

const SECRETS: FilesystemPermission[] = [
  { operations: ["read", "write"], paths: ["/secrets", "/secrets/**"], mode: "deny" },
];
const files = { "/secrets/key": "TOP needle", "/pub/a.txt": "needle", "/pub/.git/config": "needle" };

describe("perm-dot-segment", () => {
  test.each(["/secrets/key", "/./secrets/key", "//secrets//key", "secrets/key", "/secrets/./key/"])(
    "%s",
    async (path) => {
      const inside = memory(files);
      const guarded = withPermissions(inside, SECRETS);
      const results = [
        await guarded.read(path),
        await guarded.readRaw(path),
        await guarded.write(path, "PWN"),
        await guarded.edit(path, "TOP", "PWN"),
        await guarded.delete?.(path),
        ...((await guarded.uploadFiles?.([[path, new Uint8Array()]])) ?? []),
        ...((await guarded.downloadFiles?.([path])) ?? []),
        await guarded.grep("TOP", path),
        await guarded.glob("*", path),
        await guarded.ls(path),
      ];
      for (const result of results) expect(result).toMatchObject({ code: "denied" });
      expect(inside.read("/secrets/key").content).toBe("TOP needle");
    },
  );
});

describe("listings and searches", () => {
  test("leave out what may not be read", async () => {
    const guarded = withPermissions(memory(files), SECRETS);
    expect(paths(await guarded.ls("/"))).toEqual(["/pub/"]);
    expect(paths(await guarded.glob("**/*"))).toEqual(["/pub/a.txt"]);
    expect(paths(await guarded.grep("needle"))).toEqual(["/pub/a.txt"]);
    expect(await guarded.grep("needle", "/", null, 1)).toEqual({
      matches: [{ path: "/pub/a.txt", line: 1, text: "needle" }],
    });
  });

  test("a cap is not used up by lines that are not shown", async () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`/secrets/${at}`, "needle"]));
    const guarded = withPermissions(memory({ ...many, "/z.txt": "needle" }), SECRETS);
    expect(paths(await guarded.grep("needle", "/", null, 1))).toEqual(["/z.txt"]);
  });
});

describe("rules", () => {
  test("the first match decides, no match allows", async () => {
    const guarded = withPermissions(memory(files), [
      { operations: ["write"], paths: ["/pub/**"] },
      { operations: ["write"], paths: ["/**"], mode: "deny" },
    ]);
    expect(await guarded.write("/pub/b.txt", "x")).toMatchObject({ path: "/pub/b.txt" });
    expect(await guarded.write("/b.txt", "x")).toMatchObject({ code: "denied" });
    expect(await guarded.read("/secrets/key")).toMatchObject({ content: "TOP needle" });
    expect(await guarded.write("/.git/hooks/x", "x")).toMatchObject({ code: "denied" });
  });

  // The upstream matches with the leading slash, so that `/**/x` misses `/x`; here `**` is any number of folders, also none.
  test("match as the upstream's do, at the root too", () => {
    const name = fc.constantFrom("a", "b", ".git", ".env", "c.md");
    const path = fc.array(name, { maxLength: 4 }).map((names) => `/${names.join("/")}`);
    const part = fc.constantFrom("a", "*", "**", "*.md", "{a,b}", "[ab]", ".*", ".git");
    const glob = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join("/")}`);
    return fc.assert(
      fc.asyncProperty(path, glob, async (target, pattern) => {
        const guarded = withPermissions(memory(), [{ operations: ["read"], paths: [pattern], mode: "deny" }]);
        const denied = (await guarded.ls(target)).code === "denied";
        const expected =
          target === "/"
            ? micromatch.isMatch(target, pattern, { dot: true })
            : micromatch.isMatch(target.slice(1), pattern.slice(1), { dot: true });
        expect(denied).toBe(expected);
      }),
      { numRuns: 1500 },
    );
  });

  test("misuse throws", () => {
    const rule = (change: object) => [{ operations: ["read"], paths: ["/a"], ...change }] as FilesystemPermission[];
    expect(() => withPermissions(memory(), rule({ paths: ["a"] }))).toThrow(/absolute/);
    expect(() => withPermissions(memory(), rule({ paths: ["/a/../b"] }))).toThrow(/"\.\."/);
    expect(() => withPermissions(memory(), rule({ paths: ["/~/b"] }))).toThrow(/"~"/);
    expect(() => withPermissions(memory(), rule({ operations: ["execute"] }))).toThrow(/operations/);
    expect(() => withPermissions(memory(), rule({ mode: "maybe" }))).toThrow(/mode/);
    expect(() => withPermissions(undefined as never, [])).toThrow(TypeError);
  });

  test("a path too long for the matcher is denied, not passed", async () => {
    const long = `/secrets/${"x/".repeat(2041)}yyy`;
    expect(await withPermissions(memory(), SECRETS).read(long)).toMatchObject({
      error: expect.any(String),
      code: "denied",
    });
  });
});

describe("deletes", () => {
  const deny = (...globs: string[]): FilesystemPermission[] => [{ operations: ["write"], paths: globs, mode: "deny" }];
  const tree = { "/work/a.txt": "x", "/work/secret/key.pem": "x", "/work/.git/config": "x", "/free/b.txt": "x" };

  test.each([
    [deny("/work/secret/**"), "/work"],
    [deny("/work/secret"), "/work"],
    [deny("/**/*.pem"), "/work"],
    [deny("/work/*/key.pem"), "/work/secret"],
    [deny("/work/.git/**"), "/work"],
    [deny("/**/config"), "/work"],
    [deny("/work"), "/work"],
  ])("what holds something denied stays: %j", async (rules, target) => {
    const inside = memory(tree);
    expect(await withPermissions(inside, rules).delete?.(target)).toMatchObject({ code: "denied" });
    expect(Object.keys(inside.snapshot())).toHaveLength(4);
  });

  test("what holds nothing denied goes", async () => {
    const inside = memory(tree);
    expect(await withPermissions(inside, deny("/work/**")).delete?.("/free")).toEqual({ path: "/free" });
    const allowedFirst: FilesystemPermission[] = [
      { operations: ["write"], paths: ["/work/**"] },
      ...deny("/work/secret/**"),
    ];
    expect(await withPermissions(inside, allowedFirst).delete?.("/work")).toEqual({ path: "/work" });
  });

  test("what cannot be checked stays", async () => {
    const inside = Object.assign(memory(tree), { glob: () => ({ files: [], truncated: true }) });
    expect(await withPermissions(inside, deny("/**/*.pem")).delete?.("/work")).toMatchObject({ code: "denied" });
  });
});

describe("perm-symlink", () => {
  /** `/pub/s` leads to `/secrets`, `/pub/k` to `/secrets/key`; `/pub/new` does not exist. */
  const linked = () => {
    const target = (path: string): string =>
      path.replace(/^\/pub\/s(?=\/|$)/, "/secrets").replace(/^\/pub\/k$/, "/secrets/key");
    const seen: string[] = [];
    const inside = Object.assign(memory(files), {
      resolveTarget: async (path: string) =>
        path.includes("new") ? { error: `File '${path}' not found`, code: "file_not_found" } : { path: target(path) },
      read: (path: string) => (seen.push(path), { content: "TOP" }),
      write: (path: string) => (seen.push(path), { path }),
      grep: () => ({
        matches: [
          { path: "/pub/k", line: 1, text: "TOP" },
          { path: "/pub/a.txt", line: 1, text: "needle" },
        ],
      }),
    });
    return { guarded: withPermissions(inside, SECRETS), seen };
  };

  test("a link gives no access to what is denied", async () => {
    const { guarded, seen } = linked();
    expect(await guarded.read("/pub/s/key")).toMatchObject({ code: "denied" });
    expect(await guarded.read("/pub/k")).toMatchObject({ code: "denied" });
    expect(await guarded.write("/pub/s/new", "x")).toMatchObject({ code: "denied" });
    expect(await guarded.write("/pub/s/new/newer", "x")).toMatchObject({ code: "denied" });
    expect(await guarded.ls("/pub/s")).toMatchObject({ code: "denied" });
    expect(await guarded.delete?.("/pub/s/key")).toMatchObject({ code: "denied" });
    expect(await guarded.downloadFiles?.(["/pub/k"])).toMatchObject([{ code: "denied", content: null }]);
    expect(paths(await guarded.grep("T"))).toEqual(["/pub/a.txt"]);
    expect(seen).toEqual([]);
    expect(await guarded.write("/pub/new", "x")).toEqual({ path: "/pub/new" });
  });

  test("through a composite as well", async () => {
    const { guarded: _, ...rest } = linked();
    const inside = Object.assign(memory(files), { resolveTarget: () => ({ path: "/secrets/key" }) });
    const composite = new CompositeBackend(memory(), { "/disk/": inside });
    const rules: FilesystemPermission[] = [{ operations: ["read"], paths: ["/disk/secrets/**"], mode: "deny" }];
    expect(await withPermissions(composite, rules).read("/disk/pub/a.txt")).toMatchObject({ code: "denied" });
    expect(rest.seen).toEqual([]);
  });
});

describe("what an agent tells a backend by", () => {
  const ran = { output: "", exitCode: 0, truncated: false };
  const shell = () =>
    Object.assign(memory(files), {
      id: "box",
      execute: (...sent: unknown[]) => ({ ...ran, output: String(sent.length) }),
    });

  test("execute, id and routePrefixes stay", async () => {
    const composite = new CompositeBackend(shell(), { "/mem/": memory() });
    const guarded = withPermissions(composite, SECRETS);
    expect(guarded).toMatchObject({ id: "box", routePrefixes: ["/mem/"] });
    expect(await (guarded.execute as (...sent: unknown[]) => unknown)("ls", { timeout: 5 })).toMatchObject({
      output: "2",
    });
    expect("execute" in withPermissions(memory(), SECRETS)).toBe(false);
  });

  test("execute can be taken away, or bound to rules that commands cannot get round", () => {
    expect("execute" in withPermissions(shell(), SECRETS, { execute: "deny" })).toBe(false);
    expect(() => withPermissions(shell(), SECRETS, { execute: "scoped" })).toThrow(/scope each rule/);
    const composite = new CompositeBackend(shell(), { "/secrets/": memory() });
    expect(withPermissions(composite, SECRETS, { execute: "scoped" }).id).toBe("box");
  });

  test("a method that the backend lacks is not there", () => {
    const { ls, read, readRaw, write, edit, glob, grep } = memory();
    const guarded = withPermissions({ ls, read, readRaw, write, edit, glob, grep }, SECRETS);
    expect(Object.keys(guarded).sort()).toEqual([
      "edit",
      "glob",
      "grep",
      "ls",
      "read",
      "readRaw",
      "resolveTarget",
      "write",
    ]);
  });

  test("the upstream's middleware takes it", () => {
    expect(createFilesystemMiddleware({ backend: withPermissions(memory(), SECRETS) }).name).toBe(
      "FilesystemMiddleware",
    );
  });
});
