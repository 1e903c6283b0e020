// A workspace with links that lead out of it, and beside it the secrets that must stay as they are.

import { createHash, randomBytes } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

/** Folders of the workspace; each has the same names in it. */
export const FOLDERS = ["", "a", "a/b", "a/b/c/d/e"];
/** No file inside has this size, so an answer that tells it has looked outside. */
const SECRET_BYTES = 31_337;
const SECRET_TIME = new Date("2001-02-03T04:05:06Z");

/** Every path that a call may name, as files and as folders. */
export const FILES = FOLDERS.flatMap((folder) =>
  ["f.txt", "f-link", "d/key.txt", "d/sub/key.txt", "d-link/key.txt", "chain", "updown", "magic"].map((name) =>
    ["", ...folder.split("/").filter(Boolean), name].join("/"),
  ),
);
export const DIRECTORIES = [
  "/",
  ...FOLDERS.flatMap((folder) => ["", "/d", "/d/sub", "/d-link"].map((name) => `/${folder}${name}`)),
];

/** Makes the two trees anew. `pairs` are for the swapper: which names change places. */
export function makeArena() {
  // The word is in every host path, and nowhere else.
  const word = `hostpath${randomBytes(6).toString("hex")}`;
  const canary = `canary${randomBytes(8).toString("hex")}`;
  const top = mkdtempSync(join(tmpdir(), `${word}-`));
  const root = join(top, "root");
  const outside = join(top, "outside");
  const pairs = FOLDERS.flatMap((folder) => fill({ root, outside, folder, canary }));
  const before = snapshot(outside);
  return {
    root,
    outside,
    pairs,
    /** What no answer may hold. */
    words: [canary, word, `"size":${SECRET_BYTES}`, SECRET_TIME.toISOString().slice(0, 10)],
    /** What has changed outside, as sentences. */
    changes: () => differences(before, snapshot(outside)),
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}

function fill({ root, outside, folder, canary }) {
  const inside = join(root, folder);
  const secret = join(outside, folder);
  for (const name of ["f.txt", "d/key.txt", "d/sub/key.txt"]) {
    put(join(inside, name), "inside\n");
    putSecret(join(secret, name), canary);
  }
  putSecret(join(secret, "d", `only-${canary}.txt`), canary);
  // Links by full path and by way of `..` take turns.
  const target = (name) => (folder.length % 2 === 0 ? join(secret, name) : join(relative(inside, secret), name));
  const pairs = [
    [folder || ".", "d", "d-link", "dir", target("d")],
    [folder || ".", "f.txt", "f-link", "file", target("f.txt")],
  ];
  if (folder !== "")
    pairs.push([dirname(folder), folder.split("/").at(-1), `${folder.split("/").at(-1)}-link`, "dir", secret]);
  symlinkSync("d/key.txt", join(inside, "chain"));
  symlinkSync("d/sub/../../f.txt", join(inside, "updown"));
  symlinkSync(join("/proc/self/root", secret, "f.txt"), join(inside, "magic"));
  return pairs.map((pair) => pair.join("|"));
}

function put(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** A file that an edit of `inside` would change and a search for it would find. */
function putSecret(path, canary) {
  put(path, `inside ${canary}\n`.padEnd(SECRET_BYTES, `inside ${canary} `));
  utimesSync(path, SECRET_TIME, SECRET_TIME);
}

/** Path by path what is there, with everything that a change would leave a trace in. */
function snapshot(folder) {
  const seen = new Map();
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = join(folder, name);
    const { mode, ino, size, mtimeMs, ctimeMs, nlink } = lstatSync(path);
    // A folder's own times change with its entries.
    const content = (mode & 0o170000) === 0o100000 ? createHash("sha1").update(readFileSync(path)).digest("hex") : "";
    seen.set(name, [mode, ino, size, mtimeMs, ctimeMs, nlink, content].join(" "));
  }
  return seen;
}

function differences(before, after) {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => {
      if (!before.has(name)) return `'${name}' was made outside`;
      return after.has(name) ? `'${name}' was changed outside` : `'${name}' was removed outside`;
    });
}
