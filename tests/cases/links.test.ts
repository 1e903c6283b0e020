/** Links: those that stay inside are files and folders like any other, those that lead out lead nowhere. */

import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { onEveryDisk, type Place, utf8 } from "./disk-forms.js";

onEveryDisk("read-symlink-inroot", "links", async ({ ws, file, backend, at }) => {
  file("ws/CLAUDE.md", "hi\n");
  symlinkSync("CLAUDE.md", join(ws, "AGENTS.md"));
  expect(await backend.read(at("/AGENTS.md"))).toMatchObject({ content: "hi\n", mimeType: "text/markdown" });
  expect(await backend.readRaw(at("/AGENTS.md"))).toMatchObject({ data: { content: "hi\n" } });
  expect(await backend.edit(at("/AGENTS.md"), "hi", "ho")).toMatchObject({ occurrences: 1 });
  expect(readFileSync(join(ws, "CLAUDE.md"), "utf8")).toBe("ho\n");
  expect(readlinkSync(join(ws, "AGENTS.md"))).toBe("CLAUDE.md");
  expect(await backend.write(at("/AGENTS.md"), "new\n")).not.toHaveProperty("error");
  expect(await backend.uploadFiles?.([[at("/AGENTS.md"), utf8("up\n")]])).toMatchObject([{ error: null }]);
  expect([readFileSync(join(ws, "CLAUDE.md"), "utf8"), lstatSync(join(ws, "AGENTS.md")).isSymbolicLink()]).toEqual([
    "up\n",
    true,
  ]);
  expect(await backend.downloadFiles?.([at("/AGENTS.md")])).toMatchObject([{ content: utf8("up\n"), error: null }]);
  const found = [at("/AGENTS.md"), at("/CLAUDE.md")];
  expect((await backend.glob("*.md", at("/"))).files?.map(({ path }) => path)).toEqual(found);
  expect((await backend.ls(at("/"))).files?.map(({ path }) => path)).toEqual(expect.arrayContaining(found));
});

onEveryDisk(
  "read-symlink-inroot: links over links, folders and the layout of a ConfigMap",
  "links",
  async ({ ws, file, backend, at }) => {
    file("ws/..2024/app.yaml", "key: 1\n");
    symlinkSync("..2024", join(ws, "..data"));
    symlinkSync("..data/app.yaml", join(ws, "app.yaml"));
    mkdirSync(join(ws, "deep/er"), { recursive: true });
    symlinkSync("../../app.yaml", join(ws, "deep/er/up.yaml"));
    for (const path of ["/app.yaml", "/..data/app.yaml", "/deep/er/up.yaml"]) {
      expect(await backend.read(at(path))).toMatchObject({ content: "key: 1\n" });
    }
    expect(await backend.edit(at("/deep/er/up.yaml"), "1", "2")).toMatchObject({ occurrences: 1 });
    expect(readFileSync(join(ws, "..2024/app.yaml"), "utf8")).toBe("key: 2\n");
    expect(await backend.write(at("/..data/new.yaml"), "x")).not.toHaveProperty("error");
    expect(existsSync(join(ws, "..2024/new.yaml"))).toBe(true);
  },
);

/** Every door, tried on a path; none may tell or change anything. */
async function everyDoor({ backend, at }: Place, path: string): Promise<unknown[]> {
  return [
    await backend.read(at(path)),
    await backend.readRaw(at(path)),
    await backend.write(at(path), "x"),
    await backend.edit(at(path), "TOP", "x"),
    await backend.uploadFiles?.([[at(path), utf8("x")]]),
    await backend.downloadFiles?.([at(path)]),
    await backend.ls(at(path)),
    await backend.glob("**/*", at(path)),
    await backend.grep("TOP", at(path)),
  ];
}

onEveryDisk(
  "read-symlink-escape",
  "containment",
  async (place) => {
    const { top, ws, file } = place;
    file("secret/key.txt", "TOP\n");
    symlinkSync(join(top, "secret"), join(ws, "out"));
    symlinkSync("../secret", join(ws, "up"));
    symlinkSync("../secret/key.txt", join(ws, "leaf.txt"));
    symlinkSync("up", join(ws, "chain"));
    for (const path of ["/out/key.txt", "/up/key.txt", "/leaf.txt", "/chain/key.txt", "/out/new.txt", "/out", "/up"]) {
      const answers = JSON.stringify(await everyDoor(place, path));
      expect(answers).not.toContain("TOP\\n");
      expect(answers).not.toContain(top);
    }
    expect(await place.backend.grep("TOP", place.at("/"))).toEqual({ matches: [] });
    await place.backend.delete?.(place.at("/out/key.txt"));
    expect([readdirSync(join(top, "secret")), readFileSync(join(top, "secret/key.txt"), "utf8")]).toEqual([
      ["key.txt"],
      "TOP\n",
    ]);
  },
  { contained: true },
);

onEveryDisk(
  "write-dangling-link",
  "containment",
  async ({ top, ws, backend, at }) => {
    symlinkSync(join(top, "new.txt"), join(ws, "l"));
    symlinkSync("../new2.txt", join(ws, "r"));
    symlinkSync(join(top, "nodir"), join(ws, "d"));
    for (const path of ["/l", "/r", "/d/x.txt", "/d"]) {
      expect(await backend.write(at(path), "x")).toEqual({ error: expect.any(String), code: expect.any(String) });
      expect(await backend.uploadFiles?.([[at(path), utf8("x")]])).toMatchObject([{ error: expect.any(String) }]);
    }
    expect(readdirSync(top)).toEqual(["ws"]);
  },
  { contained: true },
);

onEveryDisk(
  "glob-link-leak",
  "containment",
  async ({ top, ws, file, backend, at }) => {
    file("secret.txt", "0123456");
    mkdirSync(join(top, "dir"));
    symlinkSync("../secret.txt", join(ws, "l.txt"));
    symlinkSync("../dir", join(ws, "d.txt"));
    const rows = [...((await backend.glob("*", at("/"))).files ?? []), ...((await backend.ls(at("/"))).files ?? [])];
    const links = rows.filter(({ path }) => path.startsWith(at("/l.txt")) || path.startsWith(at("/d.txt")));
    expect(links.length).toBeGreaterThan(0);
    for (const row of links) expect(row).toEqual({ path: row.path, is_dir: false });
  },
  { contained: true },
);

onEveryDisk("glob-symlink-loop", "links", async ({ ws, file, backend, at }) => {
  file("ws/sub/a.txt", "needle");
  symlinkSync(".", join(ws, "sub/sub"));
  symlinkSync("..", join(ws, "sub/up"));
  symlinkSync("self", join(ws, "self"));
  symlinkSync("b", join(ws, "a"));
  symlinkSync("a", join(ws, "b"));
  const globbed = (await backend.glob("**/*.txt", at("/"))).files?.map(({ path }) => path);
  expect(globbed).toEqual([at("/sub/a.txt")]);
  expect(await backend.grep("needle", at("/"))).toEqual({
    matches: [{ path: at("/sub/a.txt"), line: 1, text: "needle" }],
  });
  expect(await backend.read(at("/self"))).toMatchObject({ error: expect.any(String), code: "symlink_loop" });
  expect(await backend.write(at("/a"), "x")).toMatchObject({ error: expect.any(String), code: "symlink_loop" });
  expect(await backend.ls(at("/sub/sub/sub"))).toMatchObject({ files: expect.any(Array) });
});

onEveryDisk("delete-link", "links", async ({ ws, file, backend, at }) => {
  file("ws/keep/file.txt", "x");
  for (const name of ["l", "l2"]) symlinkSync("keep", join(ws, name));
  symlinkSync("keep/file.txt", join(ws, "leaf"));
  symlinkSync("nowhere", join(ws, "dangling"));
  for (const path of ["/l", "/l2/", "/leaf", "/dangling"]) {
    expect(await backend.delete?.(at(path))).not.toHaveProperty("error");
  }
  expect([readdirSync(ws), readdirSync(join(ws, "keep"))]).toEqual([["keep"], ["file.txt"]]);
  symlinkSync("../keep", join(ws, "keep/me"));
  expect(await backend.delete?.(at("/keep"))).not.toHaveProperty("error");
  expect(readdirSync(ws)).toEqual([]);
});

onEveryDisk("edit-hardlink", "links", async ({ ws, file, backend, at }) => {
  file("ws/a.txt", "old\n");
  linkSync(join(ws, "a.txt"), join(ws, "b.txt"));
  expect(await backend.edit(at("/a.txt"), "old", "new")).toMatchObject({ occurrences: 1 });
  expect(await backend.read(at("/b.txt"))).toMatchObject({ content: "new\n" });
  expect(await backend.write(at("/b.txt"), "written")).not.toHaveProperty("error");
  expect([readFileSync(join(ws, "a.txt"), "utf8"), statSync(join(ws, "a.txt")).nlink]).toEqual(["written", 2]);
  expect(readdirSync(ws)).toEqual(["a.txt", "b.txt"]);
});
