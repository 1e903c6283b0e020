/** A composite over memory backends answers as one memory backend with the same files. */

import { CompositeBackend, StateBackend } from "deepfs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

const NAMES = ["a", "b", "a", "b", "c.md", ".git", "[id]", "é"];
const PARTS = ["**", "*", "**", "a", "b", "a", "*.md", "?", "{a,b}", "[ab]", "[id]", "{a/b,b}", ".git", "!(a)", "é"];

const folder = fc
  .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 2 })
  .map((names) => `/${names.join("/")}`);
const file = fc.tuple(folder, fc.constantFrom(...NAMES)).map(([dir, name]) => `${dir}/${name}`);
const pattern = fc
  .tuple(fc.constantFrom("", "", "", "/", "!"), fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 4 }))
  .map(([start, parts]) => start + parts.join("/"));

/** A search near a file: where it starts, and a pattern made of the file's own names. */
const aim = fc.record({
  file: fc.nat(),
  depth: fc.constantFrom(0, 0, 0, 1, 2),
  turns: fc.array(fc.constantFrom("keep", "keep", "any", "deep", "skip", "brace", "wrong"), {
    minLength: 4,
    maxLength: 4,
  }),
  start: fc.constantFrom("", "", "/", "!"),
});
type Aim = typeof aim extends fc.Arbitrary<infer Value> ? Value : never;

function aimed(files: string[], { file: index, depth, turns, start }: Aim): { pattern: string; base: string } {
  const names = (files[index % Math.max(files.length, 1)] ?? "/a/b").slice(1).split("/");
  const base = `/${names.slice(0, depth).join("/")}`;
  const rest = names.slice(depth);
  const parts = (rest.length > 0 ? rest : ["a"]).flatMap((name, at) => {
    const turn = turns[at] ?? "keep";
    if (turn === "any") return ["*"];
    if (turn === "deep") return ["**", name];
    if (turn === "skip") return ["**"];
    if (turn === "brace") return [`{${name},zz}`];
    return [turn === "wrong" ? "zz" : name];
  });
  return { pattern: start + parts.join("/"), base };
}

interface Trees {
  composite: CompositeBackend;
  flat: StateBackend;
  roots: string[];
}

/** The same files in a composite and in one backend. */
function plant(rootPaths: string[], filePaths: string[]): Trees {
  const roots = [...new Set(rootPaths)];
  const mounts = Object.fromEntries(roots.map((root) => [root, new StateBackend()]));
  const composite = new CompositeBackend(new StateBackend(), mounts);
  const flat = new StateBackend();
  const within = (path: string, dir: string): boolean => path === dir || path.startsWith(`${dir}/`);
  const kept: string[] = [];
  for (const path of filePaths) {
    // A path is a file or a folder, and mounts are folders.
    if (roots.some((root) => within(root, path))) continue;
    if (kept.some((other) => within(path, other) || within(other, path))) continue;
    kept.push(path);
  }
  for (const path of kept) {
    const mount = roots.filter((root) => within(path, root)).sort((a, b) => b.length - a.length)[0];
    const content = `one\nneedle in ${path}\nneedle again\n`;
    expect(flat.write(path, content).error).toBeUndefined();
    if (mount === undefined) continue;
    expect(mounts[mount]?.write(path.slice(mount.length), content).error).toBeUndefined();
  }
  return { composite, flat, roots };
}

/** What no mount takes goes in through the composite itself. */
async function plantRest({ composite, flat, roots }: Trees): Promise<void> {
  for (const [path, record] of Object.entries(flat.snapshot())) {
    if (roots.some((root) => path.startsWith(`${root}/`))) continue;
    expect((await composite.write(path, String(record.content))).error).toBeUndefined();
  }
}

const trees = fc.tuple(fc.array(folder, { maxLength: 3 }), fc.array(file, { maxLength: 12 }));
const RUNS = { numRuns: 400 };

describe("a composite is one tree", () => {
  test("glob", async () => {
    await fc.assert(
      fc.asyncProperty(trees, pattern, folder, aim, fc.boolean(), async ([roots, files], loose, dir, target, near) => {
        const { pattern: wanted, base } = near ? aimed(files, target) : { pattern: loose, base: dir };
        const both = plant(roots, files);
        await plantRest(both);
        const one = await both.composite.glob(wanted, base);
        const other = both.flat.glob(wanted, base);
        expect({ ...one, files: one.files?.map(({ path }) => path).sort() }).toEqual({
          ...other,
          files: other.files?.map(({ path }) => path).sort(),
        });
      }),
      RUNS,
    );
  });

  test("grep with filter and cap", async () => {
    const filter = fc.option(pattern, { nil: null });
    const cap = fc.option(fc.integer({ min: 1, max: 8 }), { nil: null });
    await fc.assert(
      fc.asyncProperty(trees, filter, cap, aim, fc.boolean(), async ([roots, files], loose, max, target, near) => {
        const { pattern: close, base } = aimed(files, target);
        const glob = near ? close : loose;
        const both = plant(roots, files);
        await plantRest(both);
        expect(await both.composite.grep("needle", base, glob, max)).toEqual(both.flat.grep("needle", base, glob, max));
      }),
      RUNS,
    );
  });

  test("ls, with the folders that lead to mounts", async () => {
    await fc.assert(
      fc.asyncProperty(trees, fc.oneof(fc.constant("/"), folder), async ([roots, files], base) => {
        const both = plant(roots, files);
        await plantRest(both);
        const prefix = base === "/" ? "/" : `${base}/`;
        const ways = both.roots.filter((root) => root.startsWith(prefix));
        const steps = ways.map((root) => `${prefix}${root.slice(prefix.length).split("/")[0]}/`);
        const expected = new Set([...(both.flat.ls(base).files ?? []).map(({ path }) => path), ...steps]);
        const listed = (await both.composite.ls(base)).files?.map(({ path }) => path);
        expect(listed?.sort()).toEqual([...expected].sort());
      }),
      RUNS,
    );
  });

  test("read, edit, delete", async () => {
    await fc.assert(
      fc.asyncProperty(trees, file, async ([roots, files], path) => {
        // A mount without files is a folder; one backend has no empty folders.
        fc.pre(!roots.some((root) => root === path || root.startsWith(`${path}/`)));
        const both = plant(roots, files);
        await plantRest(both);
        expect(await both.composite.read(path)).toEqual(both.flat.read(path));
        expect(await both.composite.edit(path, "one", "two")).toEqual(both.flat.edit(path, "one", "two"));
        expect(await both.composite.delete(path)).toEqual(both.flat.delete(path));
        const left = async (): Promise<string[]> =>
          ((await both.composite.glob("**/*")).files ?? []).map((found) => found.path).sort();
        expect(await left()).toEqual((both.flat.glob("**/*").files ?? []).map((found) => found.path).sort());
      }),
      RUNS,
    );
  });
});
