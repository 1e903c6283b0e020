// The files that are searched, listed and read: made once, the same every time, and kept in `.cache/bench`.

import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { CACHE } from "../../scripts/setup/paths.mjs";
import { random } from "../differential/random.mjs";
import { Pool, sourceText } from "./text.mjs";

export const BENCH = join(CACHE, "bench");

/** Change it when what is made below changes: every corpus is then made anew. */
const VERSION = 3;
const MIB = 1024 * 1024;

/** Placed in a few files of each tree. */
export const RARE = "zq_rare_marker";
/** In no file at all. */
export const ABSENT = "zq_nowhere_to_be_found";

const EXTENSIONS = [
  "ts",
  "ts",
  "ts",
  "js",
  "js",
  "py",
  "py",
  "rs",
  "go",
  "md",
  "md",
  "json",
  "css",
  "txt",
  "yaml",
  "html",
];

/** What each name stands for; `[full, quick]` where the quick size is another. */
const MAKERS = {
  small: () => tree("small", { files: 50, bytes: 1 * MIB, folders: 8, rareIn: 3 }),
  medium: () => tree("medium", { files: 6_000, bytes: 95 * MIB, folders: 900, rareIn: 12 }),
  large: () => tree("large", { files: 80_000, bytes: 750 * MIB, folders: 15_000, rareIn: 40 }),
  "folder-100k": () => folder("folder-100k", 100_000),
  "folder-10k": () => folder("folder-10k", 10_000),
  "folder-27": () => folder("folder-27", 27),
  "text-200mb": () => long("text-200mb", 200 * MIB),
  "text-40mb": () => long("text-40mb", 40 * MIB),
  "text-1m-lines": () => numbered("text-1m-lines", 1_000_000),
  "text-20mb": () => whole("text-20mb", 20 * MIB, true),
  "text-20mb-unicode": () => whole("text-20mb-unicode", 20 * MIB, false),
  "small-files": () => many("small-files", 1_000),
};

/** Makes a corpus if it is not there, and tells its folder. */
export function corpus(name, say = () => {}) {
  const target = join(BENCH, "corpora", `v${VERSION}`, name);
  if (existsSync(join(target, ".complete"))) return join(target, "files");
  say(`making ${name}`);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(join(target, "files"), { recursive: true });
  MAKERS[name]();
  writeFileSync(join(target, ".complete"), "");
  return join(target, "files");
}

const place = (name, path) => join(BENCH, "corpora", `v${VERSION}`, name, "files", path);

function put(name, path, content) {
  writeFileSync(place(name, path), content);
}

/** A tree of source files: sizes differ by a factor of a hundred, a folder holds some files and some folders. */
function tree(name, { files, bytes, folders, rareIn }) {
  const seed = name.length * 7_919;
  const { next: dice } = random(seed);
  const ascii = new Pool(seed, 4 * MIB);
  const mixed = new Pool(seed + 1, 1 * MIB, { ascii: false });
  const paths = foldersOf(folders, dice);
  for (const path of paths) mkdirSync(place(name, path), { recursive: true });
  // A repository, so that ripgrep respects the ignore file; it ignores nothing that is there but `.log` files.
  mkdirSync(place(name, ".git"));
  put(name, ".git/HEAD", "ref: refs/heads/main\n");
  put(name, ".gitignore", "*.log\n/build/\n");
  const weights = Array.from({ length: files }, () => Math.exp(dice() * 4.6));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const rareEvery = Math.floor(files / rareIn);
  for (let at = 0; at < files; at += 1) {
    const size = Math.max(40, Math.floor((weights[at] / total) * bytes));
    const extension =
      at % 100 === 7 ? "sql" : at % 100 === 8 ? "png" : EXTENSIONS[Math.floor(dice() * EXTENSIONS.length)];
    const path = join(paths[at < folders ? at : Math.floor(dice() * folders)], `${extension}_${at}.${extension}`);
    if (extension === "png") {
      put(
        name,
        path,
        Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]), ascii.take(size)]),
      );
      continue;
    }
    const body = (at % 20 === 3 ? mixed : ascii).take(Math.min(size, 512 * 1024));
    put(name, path, at % rareEvery === 1 ? Buffer.concat([body, Buffer.from(`  ${RARE}(${at});\n`)]) : body);
  }
}

/** Folders up to seven deep; each after the first lies in one of those before it. */
function foldersOf(count, dice) {
  const paths = ["src"];
  const depths = [1];
  for (let at = 1; at < count; at += 1) {
    // The later ones among the earlier: a tree that is deep rather than flat.
    const parent = Math.floor(dice() * dice() * at);
    const isDeep = depths[parent] >= 7;
    paths.push(isDeep ? `d${at}` : join(paths[parent], `d${at}`));
    depths.push(isDeep ? 1 : depths[parent] + 1);
  }
  return paths;
}

function folder(name, count) {
  for (let at = 0; at < count; at += 1) put(name, `entry-${String(at).padStart(6, "0")}.txt`, "x".repeat(at % 50));
}

function long(name, bytes) {
  const pool = new Pool(17, 4 * MIB);
  const file = openSync(place(name, "long.txt"), "w");
  for (let written = 0; written < bytes;) written += writeSync(file, pool.take(1 * MIB));
  closeSync(file);
}

/** Lines of 58 bytes, each with its number. */
function numbered(name, lines) {
  const file = openSync(place(name, "numbered.txt"), "w");
  const block = 10_000;
  for (let from = 0; from < lines; from += block) {
    const rows = Array.from(
      { length: block },
      (_, at) => `line ${String(from + at + 1).padStart(8, "0")} of a long and rather dull text file`,
    );
    writeSync(file, `${rows.join("\n")}\n`);
  }
  closeSync(file);
}

function whole(name, bytes, ascii) {
  put(name, "whole.txt", sourceText(23, bytes, { ascii }));
}

function many(name, count) {
  const pool = new Pool(29, 1 * MIB);
  for (let at = 0; at < count; at += 1) {
    const path = place(name, join(`f${at % 20}`, `file-${at}.ts`));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, pool.take(1500 + ((at * 37) % 3000)));
  }
}
