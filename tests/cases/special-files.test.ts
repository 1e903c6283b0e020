/** Pipes, sockets, devices and names that are no text: an error, a skip or an answer, at once. */

import { execFileSync } from "node:child_process";
import { readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect } from "vitest";
import { onEveryDisk, utf8 } from "./disk-forms.js";

const notRegular = { error: expect.stringContaining("not a regular file"), code: "not_a_regular_file" };

/** Far less than a call that waits for the other end of a pipe, far more than one that does not. */
const AT_ONCE = { timeout: 10_000 };

onEveryDisk(
  "write-fifo",
  "special files",
  async ({ ws, backend, at }) => {
    execFileSync("mkfifo", [join(ws, "pipe")]);
    expect(await backend.write(at("/pipe"), "x")).toEqual(notRegular);
    expect(await backend.edit(at("/pipe"), "a", "b")).toEqual(notRegular);
    expect(await backend.uploadFiles?.([[at("/pipe"), utf8("x")]])).toMatchObject([{ error: "invalid_path" }]);
    expect(await backend.read(at("/pipe"))).toEqual(notRegular);
    expect(await backend.readRaw(at("/pipe"))).toEqual(notRegular);
    expect(readdirSync(ws)).toEqual(["pipe"]);
  },
  AT_ONCE,
);

onEveryDisk(
  "download-fifo-starve",
  "special files",
  async ({ ws, file, backend, at }) => {
    const pipes = ["p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7"];
    for (const name of pipes) execFileSync("mkfifo", [join(ws, name)]);
    file("ws/a.txt", "needle");
    const answers = await Promise.all(pipes.map((name) => backend.downloadFiles?.([at(`/${name}`)])));
    for (const answer of answers) expect(answer).toMatchObject([{ content: null, error: "invalid_path" }]);
    expect((await stat("/tmp")).isDirectory()).toBe(true);
    expect(await backend.grep("needle", at("/"))).toMatchObject({ matches: [{ path: at("/a.txt") }] });
    expect(await backend.grep("needle", at("/p0"))).toMatchObject({ matches: [] });
    expect((await backend.glob("*.txt", at("/"))).files?.map(({ path }) => path)).toEqual([at("/a.txt")]);
    expect(await backend.delete?.(at("/p0"))).not.toHaveProperty("error");
    expect(readdirSync(ws)).not.toContain("p0");
  },
  AT_ONCE,
);

onEveryDisk(
  "write-fifo: a socket and a device",
  "special files",
  async ({ ws, backend, at }) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(ws, "socket"), resolve));
    symlinkSync("/dev/zero", join(ws, "zero"));
    try {
      for (const path of ["/socket", "/zero"]) {
        expect(await backend.read(at(path))).toEqual({ error: expect.any(String), code: expect.any(String) });
        expect(await backend.downloadFiles?.([at(path)])).toMatchObject([{ content: null, error: expect.any(String) }]);
      }
      expect(await backend.grep("x", at("/"))).toEqual({ matches: [] });
    } finally {
      server.close();
    }
  },
  AT_ONCE,
);

/** A name that is no UTF-8: `f\xe9.txt`. */
const LATIN1_NAME = Buffer.from([0x66, 0xe9, 0x2e, 0x74, 0x78, 0x74]);

onEveryDisk("grep-nonutf8-name", "names", async ({ ws, file, backend, at }) => {
  writeFileSync(Buffer.concat([Buffer.from(`${ws}/`), LATIN1_NAME]), "needle\n");
  file("ws/a.txt", "needle\n");
  const found = (await backend.grep("needle", at("/"))).matches?.map(({ path }) => path) ?? [];
  const globbed = (await backend.glob("*", at("/"))).files?.map(({ path }) => path) ?? [];
  const listed = ((await backend.ls(at("/"))).files ?? [])
    .map(({ path }) => path)
    .filter((path) => path.endsWith(".txt"));
  expect(found).toHaveLength(2);
  expect([globbed, listed]).toEqual([found, found]);
  // The form in which it is told is one that every other method takes.
  const odd = found.find((path) => path !== at("/a.txt")) ?? "";
  expect(await backend.read(odd)).toMatchObject({ content: "needle\n" });
  expect(await backend.edit(odd, "needle", "pin")).toMatchObject({ occurrences: 1 });
  expect(await backend.downloadFiles?.([odd])).toMatchObject([{ content: utf8("pin\n") }]);
  expect(await backend.delete?.(odd)).not.toHaveProperty("error");
  expect(readdirSync(ws)).toEqual(["a.txt"]);
});

onEveryDisk("delete-nonutf8", "names", async ({ ws, file, backend, at }) => {
  file("ws/d/e/plain.txt", "x");
  for (const folder of ["d", "d/e"]) writeFileSync(Buffer.concat([Buffer.from(`${ws}/${folder}/`), LATIN1_NAME]), "x");
  expect(await backend.delete?.(at("/d"))).not.toHaveProperty("error");
  expect(readdirSync(ws)).toEqual([]);
});

onEveryDisk("name-nfc: where both spellings are there, each is itself", "names", async ({ ws, file, backend, at }) => {
  const spellings = { decomposed: "e\u0301.txt", composed: "\u00e9.txt" };
  for (const [spelling, name] of Object.entries(spellings)) file(`ws/${name}`, spelling);
  for (const [spelling, name] of Object.entries(spellings)) {
    expect(await backend.read(at(`/${name}`))).toMatchObject({ content: spelling });
    expect(await backend.edit(at(`/${name}`), spelling, "x")).toMatchObject({ occurrences: 1 });
  }
  expect(await backend.delete?.(at(`/${spellings.decomposed}`))).not.toHaveProperty("error");
  expect(readdirSync(ws)).toEqual([spellings.composed]);
});
