// Records what the peer's matchers answer to thousands of patterns, for the core's tests to replay without them.
//
//   node tests/differential/glob-oracle.mjs            writes tests/corpus/glob.json
//   node tests/differential/glob-oracle.mjs --disputed shows where the two differ
//   node tests/differential/glob-oracle.mjs --check    fails if the file is not what would be written
//
// Two matchers are asked, as the peer uses both: micromatch (graph state, stores) on the paths, and fast-glob (disk)
// in a real folder that holds these paths. A row is recorded where both agree. Where they differ, or where deepfs
// means to differ from both, the answer is fixed by hand in `glob-decisions.mjs` with its reason.

import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import fg from "fast-glob";
import micromatch from "micromatch";
import { DECISIONS, isDecided } from "./glob-decisions.mjs";

const CORPUS = fileURLToPath(new URL("../corpus/glob.json", import.meta.url));
const RANDOM_PATTERNS = 1000;
const MISSES_PER_PATTERN = 3;
const MATCHES_PER_PATTERN = 4;

const PATHS = [
  "a",
  "b.ts",
  "ab.ts",
  "README.md",
  "readme.MD",
  "package.json",
  ".env",
  ".gitignore",
  "Makefile",
  "x.test.ts",
  "x.d.ts",
  "file1.txt",
  "file2.txt",
  "file10.txt",
  "file01.txt",
  "img-1.png",
  "img_2.png",
  "a b.txt",
  "a+b.txt",
  "a,b.txt",
  "a=b",
  "src/main.ts",
  "src/index.tsx",
  "src/app.js",
  "src/.hidden.ts",
  "src/app/main.ts",
  "src/app/page.tsx",
  "src/app/main.test.ts",
  "src/app/deep/er/leaf.ts",
  "src/lib/mod.rs",
  "src/lib/a/mod.rs",
  "src/lib.rs",
  "src/a/b/c/d/e.js",
  "src/components/Button.tsx",
  "src/components/Button.test.tsx",
  "src/components/button.css",
  "src/1/one.ts",
  "src/9/nine.ts",
  "lib/a.js",
  "lib/b.js",
  "lib/ab.js",
  "lib/abc.js",
  "lib/a/a.js",
  "lib/aa/aab.js",
  "test/unit/a.spec.ts",
  "test/e2e/b.spec.ts",
  "docs/guide.md",
  "docs/api/v1.md",
  "docs/api/v2.md",
  "docs/api/index.html",
  ".github/workflows/ci.yml",
  ".github/dependabot.yml",
  "node_modules/pkg/index.js",
  "node_modules/@scope/pkg/index.js",
  "app/[id]/page.tsx",
  "app/[...slug]/page.tsx",
  "app/(shop)/page.tsx",
  "app/(shop)/cart/page.tsx",
  "app/id/page.tsx",
  "app/shop/page.tsx",
  "app/i/page.tsx",
  "data/{a}/x.csv",
  "data/2024-01/x.csv",
  "data/2024-02/x.csv",
  "data/2025-01/x.csv",
  "x/y/z",
  "x/y/zz",
  "x/a/y",
  "x/a/b/y",
  "x/ay",
];

const HAND_MADE = [
  "*",
  "**",
  "**/*",
  "***",
  "*/*",
  "**/**",
  "**/**/**/*.ts",
  "*/**",
  "a",
  "a*",
  "*a",
  "*.ts",
  "**/*.ts",
  "**.ts",
  "src/*",
  "src/**",
  "src/**/*",
  "src/**/*.ts",
  "src/**/*.{ts,tsx}",
  "src/**/main*",
  "src/**/*.test.ts",
  "**/src/**",
  "**/app/**/*.tsx",
  "**/mod.rs",
  "src/*/*.ts",
  "src/**/a/**/*.js",
  "./src/*.ts",
  "./**/*.md",
  "*.{md,json}",
  "{src,lib}/**/*.js",
  "{a,b}.ts",
  "{a,ab,b}.ts",
  "{src/app,lib}/*",
  "**/{unit,e2e}/*.ts",
  "**/*.{spec,test}.{ts,tsx}",
  "{,**/}*.md",
  "src/{,app/}main.ts",
  "src{,/app}/main.ts",
  "{**/,}*.tsx",
  "file{1,2}.txt",
  "file{1..2}.txt",
  "file{1..9}.txt",
  "docs/api/v{1..2}.md",
  "lib/{a..b}.js",
  "data/2024-0{1,2}/*.csv",
  "file?.txt",
  "file??.txt",
  "?.ts",
  "??.ts",
  "[ab].ts",
  "[!a].ts",
  "[^a].ts",
  "file[0-9].txt",
  "file[!0-9].txt",
  "file[0-9]*.txt",
  "[[:alpha:]].ts",
  "file[[:digit:]].txt",
  "[[:upper:]]*",
  "[[:lower:]]*.json",
  "[a-c]*.ts",
  "img[-_]?.png",
  "img[_-][0-9].png",
  ".*",
  ".*/**",
  "**/.*",
  "*.*",
  ".env",
  ".git*",
  ".github/**/*.yml",
  "node_modules/**",
  "**/node_modules/**",
  "**/@scope/**",
  "app/[id]/page.tsx",
  "app/[id]/*.tsx",
  "app/*/page.tsx",
  "app/**/page.tsx",
  "README.md",
  "src/main.ts",
  "src/nothing.ts",
  "**/page.tsx",
  "**/*.css",
  "**/Button*",
  "**/[A-Z]*",
  "src/**/[a-m]*.ts",
  "lib/**/a*.js",
  "lib/*a*.js",
  "lib/*/*a*b*.js",
  "@(a|b).ts",
  "+(a|b).ts",
  "*(a|b).ts",
  "?(a)b.ts",
  "lib/@(a|ab).js",
  "lib/+(a|b).js",
  "lib/*(a|b|c).js",
  "lib/?(a)b.js",
  "!(a|b.ts)",
  "lib/!(a).js",
  "src/!(*.test).ts",
  "**/!(*.d).ts",
  "src/app/!(*.test).ts",
  "@(src|lib)/*.js",
  "**/@(main|index).*",
  "\\*.ts",
  "a\\+b.txt",
  "a+b.txt",
  "a b.txt",
  "a,b.txt",
  "a=b",
  "x/**/y",
  "x/*/y",
  "x/**/**/y",
  "x/**/a/**/y",
  "x/y/z*",
  "**/z",
  "x/**/z",
  "*/*/*/*/*",
  "{x,y}/{y,a}/*",
  "{a,{b,ab}}.ts",
  "{{a,b},ab}.ts",
  "data/\\{a\\}/*",
  "data/*/x.csv",
  "data/{2024,2025}-01/*.csv",
  "**/x.csv",
  "/src/*.ts",
  "[",
  "[a",
  "a]",
  "{a",
  "a}",
  "(a",
  "a)",
  "{}",
  "[]",
  "x/",
  "x/y/",
  "**/",
  "*/",
  "**/*/",
];

function randomSource(seed) {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** A pattern that is likely to match something: a path, with pieces of it replaced. */
function randomPattern(below) {
  const pick = (list) => list[below(list.length)];
  const names = PATHS.flatMap((path) => path.split("/")).filter((name) => /^[\w.-]+$/.test(name));
  const changeName = (name) => {
    const at = below(name.length + 1);
    const to = at + below(name.length - at + 1);
    const [head, piece, tail] = [name.slice(0, at), name.slice(at, to), name.slice(to)];
    const first = name[0];
    switch (below(16)) {
      case 0:
        return "*";
      case 1:
        return `${head}*${tail}`;
      case 2:
        return `${head}*`;
      case 3:
        return `*${tail}`;
      case 4:
        return `${head}${"?".repeat(piece.length)}${tail}`;
      case 5:
        return `${head}{${piece},${pick(names)}}${tail}`;
      case 6:
        return `{${name},${pick(names)}}`;
      case 7:
        return /[a-z0-9]/i.test(first) ? `[${first}${pick(["q", "7", ""])}]${name.slice(1)}` : name;
      case 8:
        return /[a-z]/.test(first) ? `[${pick(["a-z", "!0-9", "^A-Z", "[:alpha:]"])}]${name.slice(1)}` : name;
      case 9:
        return `@(${name}|${pick(names)})`;
      case 10:
        return `${head}?(${pick(["a", "x", "1"])})${tail}`;
      case 11:
        return `{${head}*,*${tail}}`;
      case 12:
        return `*${piece}*`;
      case 13:
        return `{${name},{${pick(names)},*.${pick(["ts", "js", "md"])}}}`;
      case 14:
        return `!(${pick(names)})`;
      default:
        return name;
    }
  };
  const segments = pick(PATHS)
    .split("/")
    .filter((name) => /^[\w.-]+$/.test(name));
  const out = [];
  for (const name of segments.length > 0 ? segments : [pick(names)]) {
    const change = below(10);
    if (change === 0) out.push("**");
    else if (change === 1) out.push("**", changeName(name));
    else if (change === 2) out.push("*");
    else if (change < 6) out.push(changeName(name));
    else if (change !== 6 || out.length === 0) out.push(name);
  }
  const pattern = out.join("/");
  return below(25) === 0 ? `./${pattern}` : below(25) === 0 ? `{${pattern},${pick(names)}}` : pattern;
}

async function plant(root) {
  for (const path of PATHS) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), "");
  }
}

function micromatches(path, pattern) {
  try {
    return micromatch.isMatch(path, pattern, { dot: true, posix: true });
  } catch {
    return false;
  }
}

/** The peer drops one leading slash before it asks fast-glob, and so do we for both. */
async function rowsOf(root, pattern, below) {
  const asked = pattern.startsWith("/") ? pattern.slice(1) : pattern;
  const found = await fg(asked, { cwd: root, dot: true, onlyFiles: false, followSymbolicLinks: false }).catch(() => []);
  const onDisk = new Set(found.map((path) => path.replace(/^\.\//, "")));
  const rows = [];
  const disputed = [];
  for (const path of PATHS) {
    const match = micromatches(path, asked);
    if (match !== onDisk.has(path)) disputed.push({ pattern, path, micromatch: match, fastGlob: onDisk.has(path) });
    else rows.push({ pattern, path, match });
  }
  const shuffled = rows
    .map((row) => [below(1e9), row])
    .sort((a, b) => a[0] - b[0])
    .map(([, row]) => row);
  return {
    rows: [
      ...shuffled.filter((row) => row.match).slice(0, MATCHES_PER_PATTERN),
      ...shuffled.filter((row) => !row.match).slice(0, MISSES_PER_PATTERN),
    ],
    disputed,
  };
}

async function decidedRow([pattern, path, match, because]) {
  const root = await mkdtemp(join(tmpdir(), "deepfs-glob-"));
  try {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), "");
    const found = await fg(pattern, { cwd: root, dot: true, followSymbolicLinks: false }).catch(() => []);
    const fastGlob = found.some((file) => normalize(file) === path);
    return { pattern, path, match, micromatch: micromatches(path, pattern), fastGlob, because };
  } finally {
    await rm(root, { recursive: true });
  }
}

async function main() {
  const below = randomSource(20250607);
  const patterns = new Set(HAND_MADE);
  while (patterns.size < HAND_MADE.length + RANDOM_PATTERNS) patterns.add(randomPattern(below));
  const root = await mkdtemp(join(tmpdir(), "deepfs-glob-"));
  const rows = [];
  const disputed = [];
  try {
    await plant(root);
    for (const pattern of patterns) {
      const answer = await rowsOf(root, pattern, below);
      rows.push(...answer.rows.filter((row) => !isDecided(row)));
      disputed.push(...answer.disputed);
    }
  } finally {
    await rm(root, { recursive: true });
  }
  const decided = await Promise.all(DECISIONS.map(decidedRow));
  const text = `[\n${[...rows, ...decided].map((row) => JSON.stringify(row)).join(",\n")}\n]\n`;
  if (process.argv.includes("--disputed")) {
    for (const row of disputed) console.log(JSON.stringify(row));
    return;
  }
  if (process.argv.includes("--check")) {
    const same = (await readFile(CORPUS, "utf8")) === text;
    console.log(same ? "glob.json is up to date" : "glob.json differs: run node tests/differential/glob-oracle.mjs");
    process.exitCode = same ? 0 : 1;
    return;
  }
  await writeFile(CORPUS, text);
  console.log(`${rows.length} rows recorded, ${DECISIONS.length} decided by hand, ${disputed.length} disputed`);
}

await main();
