/** A mount that fails: comp-one-bad-route. */

import { CompositeBackend } from "deepfs";
import { describe, expect, test } from "vitest";
import { everywhere, memory, paths } from "./memory-mounts.js";

const down = (): never => {
  throw new Error("store down");
};
const files = { "/a.txt": "needle\nneedle\n", "/z.txt": "needle\n" };
const bad = (): CompositeBackend =>
  new CompositeBackend(memory(files), { "/bad/": everywhere(down) as never, "/m/": memory({ "/q.txt": "needle" }) });

describe("comp-one-bad-route", () => {
  test("a search gives what the others found, and says what is missing", async () => {
    const grep = await bad().grep("needle", "/");
    expect(paths(grep)).toEqual(["/a.txt", "/a.txt", "/m/q.txt", "/z.txt"]);
    expect(grep.truncated).toBe(true);
    expect(grep.warnings).toEqual([expect.stringMatching(/^\/bad: .*store down/)]);
    const glob = await bad().glob("**/*", "/");
    expect(paths(glob)).toEqual(["/a.txt", "/m/q.txt", "/z.txt"]);
    expect(glob.warnings).toHaveLength(1);
  });

  test("the folder above lists it", async () => {
    expect(paths(await bad().ls("/"))).toEqual(["/a.txt", "/bad/", "/m/", "/z.txt"]);
  });

  test("what is asked of it alone is an error, not a throw", async () => {
    const results = [
      await bad().ls("/bad"),
      await bad().read("/bad/x"),
      await bad().readRaw("/bad/x"),
      await bad().write("/bad/x", "x"),
      await bad().edit("/bad/x", "a", "b"),
      await bad().delete("/bad/x"),
      await bad().glob("*", "/bad"),
      await bad().grep("x", "/bad"),
    ];
    for (const result of results) expect(result.error).toContain("store down");
    expect(
      await bad().uploadFiles([
        ["/bad/x", new Uint8Array()],
        ["/ok", new Uint8Array()],
      ]),
    ).toMatchObject([
      { path: "/bad/x", error: "permission_denied", code: "unavailable" },
      { path: "/ok", error: null },
    ]);
  });

  test("a failing default leaves the mounts", async () => {
    const composite = new CompositeBackend(everywhere(down) as never, { "/m/": memory({ "/q.txt": "needle" }) });
    expect(await composite.ls("/")).toEqual({
      files: [{ path: "/m/", is_dir: true, size: 0, modified_at: "" }],
      truncated: true,
      warnings: [expect.stringContaining("store down")],
    });
    expect(paths(await composite.grep("needle"))).toEqual(["/m/q.txt"]);
  });

  test("when all fail, the search fails", async () => {
    const composite = new CompositeBackend(everywhere(down) as never, { "/m/": everywhere(down) as never });
    expect(await composite.grep("x")).toMatchObject({
      error: expect.stringContaining("store down"),
      code: "unavailable",
    });
  });

  test("an interrupt of the graph is nobody's failure", async () => {
    const interrupt = Object.assign(new Error("wait"), { is_bubble_up: true });
    const composite = new CompositeBackend(memory(), {
      "/m/": everywhere(() => {
        throw interrupt;
      }) as never,
    });
    await expect(composite.write("/m/x", "x")).rejects.toBe(interrupt);
    await expect(composite.grep("x")).rejects.toBe(interrupt);
  });
});

describe("maxCount", () => {
  const numbered = (name: string, count: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`/${name}${at}.txt`, "needle\n"]));

  test("the first ones by path, whatever mount they are in", async () => {
    const composite = new CompositeBackend(memory(numbered("x", 3)), { "/m/": memory(numbered("a", 3)) });
    expect(await composite.grep("needle", "/", null, 4)).toMatchObject({ truncated: true });
    expect(paths(await composite.grep("needle", "/", null, 4))).toEqual([
      "/m/a0.txt",
      "/m/a1.txt",
      "/m/a2.txt",
      "/x0.txt",
    ]);
    expect((await composite.grep("needle", "/", null, 6)).truncated).toBeUndefined();
  });

  test("each mount is asked for no more than the cap, one that may hide matches for one more", async () => {
    const caps: unknown[] = [];
    const counting = Object.assign(memory(), { grep: (...sent: unknown[]) => (caps.push(sent[3]), { matches: [] }) });
    await new CompositeBackend(counting, { "/m/": counting }).grep("x", "/", null, 2);
    expect(caps).toEqual([3, 2]);
  });

  test("hidden matches do not use up the cap", async () => {
    const base = memory({
      ...Object.fromEntries(Object.keys(numbered("h", 30)).map((name) => [`/m${name}`, "needle"])),
      "/z.txt": "needle",
    });
    const composite = new CompositeBackend(base, { "/m/": memory() });
    expect(await composite.grep("needle", "/", null, 2)).toEqual({
      matches: [{ path: "/z.txt", line: 1, text: "needle" }],
    });
  });

  test("a search of several mounts waits for the slowest, not for the sum", async () => {
    const slow = (): object =>
      Object.assign(memory(), {
        grep: () => new Promise((done) => setTimeout(() => done({ matches: [] }), 60)),
      });
    const mounts = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`/m${at}/`, slow() as never]));
    const started = performance.now();
    await new CompositeBackend(memory(), mounts).grep("x");
    expect(performance.now() - started).toBeLessThan(400);
  });
});
