/** Changes of files: whole or not at all, in order, with the mode and the protection that a file has. */

import { chmodSync, chownSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { fault } from "../support/fault.js";
import { answerOf } from "./child.js";
import { onEveryDisk } from "./disk-forms.js";

onEveryDisk("edit-parallel-fs", "conflicts", async ({ ws, file, backend, at }) => {
  const lines = Array.from({ length: 20 }, (_, line) => `<L${line}>`);
  file("ws/a.txt", `${lines.join("\n")}\n`);
  const results = await Promise.all(lines.map((line, number) => backend.edit(at("/a.txt"), line, `<D${number}>`)));
  expect(results.filter(({ error }) => error !== undefined)).toEqual([]);
  expect(readFileSync(join(ws, "a.txt"), "utf8")).toBe(`${lines.map((_, line) => `<D${line}>`).join("\n")}\n`);
});

onEveryDisk("edit-parallel-fs: edits, writes and uploads of one file", "conflicts", async ({ ws, backend, at }) => {
  const rounds = Array.from({ length: 12 }, (_, round) => round);
  await backend.write(at("/n.txt"), "0\n");
  const results = await Promise.all(rounds.map((round) => backend.edit(at("/n.txt"), "0\n", `0\n${round}\n`)));
  const done = rounds.filter((round) => results[round]?.error === undefined);
  const kept = readFileSync(join(ws, "n.txt"), "utf8").split("\n").slice(1, -1).map(Number);
  expect(kept.sort((one, other) => one - other)).toEqual(done);
});

onEveryDisk("write-torn-read", "atomicity", async ({ ws, backend, at }) => {
  const size = 2 << 20;
  const texts = ["A".repeat(size), "B".repeat(size)];
  await backend.write(at("/a.txt"), texts[0] ?? "");
  let writing = true;
  const reader = (async () => {
    let reads = 0;
    while (writing) {
      const bytes = await readFile(join(ws, "a.txt"));
      const first = bytes[0];
      expect([bytes.length, bytes.every((byte) => byte === first)]).toEqual([size, true]);
      reads += 1;
    }
    return reads;
  })();
  for (let round = 0; round < 30; round += 1) {
    expect(await backend.write(at("/a.txt"), texts[round % 2] ?? "")).not.toHaveProperty("error");
  }
  writing = false;
  expect(await reader).toBeGreaterThan(0);
  expect(readdirSync(ws)).toEqual(["a.txt"]);
});

onEveryDisk("edit-mode", "modes", async ({ ws, file, backend, at }) => {
  for (const mode of [0o755, 0o640, 0o4711]) {
    const place = file("ws/run.sh", "echo a\n");
    chmodSync(place, mode);
    expect(await backend.edit(at("/run.sh"), "a", "b")).toMatchObject({ occurrences: 1 });
    expect(await backend.write(at("/run.sh"), "echo c\n")).not.toHaveProperty("error");
    expect(await backend.uploadFiles?.([[at("/run.sh"), new Uint8Array([33])]])).toMatchObject([{ error: null }]);
    expect([(statSync(place).mode & 0o777).toString(8), readFileSync(place, "utf8")]).toEqual([
      (mode & 0o777).toString(8),
      "!",
    ]);
    rmSync(join(ws, "run.sh"));
  }
});

const FORMS = [
  { target: "FilesystemBackend, contained", open: "deepfs.FilesystemBackend.createSafe(root)", at: "" },
  { target: "FilesystemBackend, host paths", open: "new deepfs.FilesystemBackend({ rootDir: root })", at: "root + " },
];

describe.each(FORMS)("$target, in a process of its own", ({ target, open, at }) => {
  /** A folder that any user may change, with files of the user that nobody is. */
  const sharedFolder = (files: Record<string, { text: string; mode: number }>): string => {
    const root = mkdtempSync(join(tmpdir(), "deepfs-changes-"));
    chmodSync(root, 0o777);
    for (const [name, { text, mode }] of Object.entries(files)) {
      writeFileSync(join(root, name), text);
      if (process.getuid?.() === 0) chownSync(join(root, name), 65_534, 65_534);
      chmodSync(join(root, name), mode);
    }
    return root;
  };
  /** Without the rights of root, which may do anything. */
  const asNobody = `if (process.getuid() === 0) { process.setgroups([]); process.setgid(65534); process.setuid(65534); }`;

  fault("edit-readonly", { kind: "modes", target }, async () => {
    const root = sharedFolder({ "a.txt": { text: "old\n", mode: 0o444 }, "b.txt": { text: "old\n", mode: 0o000 } });
    const answers = await answerOf(
      `${asNobody}
      const root = process.argv[1];
      const backend = ${open};
      const path = ${at}"/a.txt";
      console.log(JSON.stringify([
        await backend.edit(path, "old", "new"),
        await backend.write(path, "x"),
        (await backend.uploadFiles([[path, new Uint8Array(1)]]))[0].error,
        (await backend.read(path)).content,
        await backend.read(${at}"/b.txt"),
        (await backend.grep("old", ${at}"/")).matches.length,
      ]));`,
      { args: [root] },
    );
    const denied = { error: expect.stringContaining("permission denied"), code: "permission_denied" };
    expect(answers).toEqual([denied, denied, "permission_denied", "old\n", denied, 1]);
    expect([readFileSync(join(root, "a.txt"), "utf8"), readdirSync(root)]).toEqual(["old\n", ["a.txt", "b.txt"]]);
    rmSync(root, { recursive: true });
  });

  fault("edit-truncate-on-fail", { kind: "atomicity", target }, async () => {
    const root = sharedFolder({ "a.txt": { text: `${"x".repeat(2_000)}MARK`, mode: 0o644 } });
    const answers = await answerOf(
      `const root = process.argv[1];
      const backend = ${open};
      console.log(JSON.stringify([
        await backend.edit(${at}"/a.txt", "MARK", "y".repeat(20000)),
        await backend.write(${at}"/a.txt", "z".repeat(20000)),
        await backend.write(${at}"/new.txt", "z".repeat(20000)),
      ]));`,
      { args: [root], fileBlocks: 8 },
    );
    const full = { error: expect.any(String), code: expect.stringMatching(/^(storage_full|too_large|io)$/) };
    expect(answers).toEqual([full, full, full]);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe(`${"x".repeat(2_000)}MARK`);
    expect(readdirSync(root)).toEqual(["a.txt"]);
    rmSync(root, { recursive: true });
  });

  fault("upload-enospc-code", { kind: "atomicity", target }, async () => {
    const root = sharedFolder({});
    const answers = (await answerOf(
      `const root = process.argv[1];
      const backend = ${open};
      console.log(JSON.stringify(await backend.uploadFiles([[${at}"/a.bin", new Uint8Array(100000)], [${at}"/b.bin", new Uint8Array(10)]])));`,
      { args: [root], fileBlocks: 8 },
    )) as { error: string | null; code?: string }[];
    expect(answers[0]?.code).toMatch(/^(storage_full|too_large)$/);
    expect(answers[0]?.error).not.toBe("invalid_path");
    expect(answers[1]?.error).toBeNull();
    expect(readdirSync(root)).toEqual(["b.bin"]);
    rmSync(root, { recursive: true });
  });
});
