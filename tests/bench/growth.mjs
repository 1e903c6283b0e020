// How the cost of a call grows with its input: each operation on 1×, 10× and 100× of it.
//
// Exit 1: the cost of one grows faster than its input.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BENCH } from "./corpora.mjs";
import { machine } from "./machine.mjs";
import { measure, median } from "./measure.mjs";
import { renewPage, savedFile } from "./page-of-docs.mjs";
import { findPrograms } from "./programs.mjs";
import { Progress } from "./progress.mjs";
import { longRecord, makeRecords, STATE_RARE } from "./records.mjs";
import { inGraph } from "./run-in-graph.mjs";
import { growthPicture } from "./svg.mjs";
import { milliseconds } from "./table.mjs";
import { sourceText } from "./text.mjs";

const FACTORS = [1, 10, 100];
/** What does not fit a cache any more costs more for each byte; that is no growth of the work. */
const TOLERANCE = 1.6;
const KIB = 1024;

const rows = [
  row("grep, files", "60 files", (ours, at) => ours.grepIn(tree(60 * at))),
  row("grep, bytes of a file", "200 KB", (ours, at) => ours.grepIn(oneFile(200 * KIB * at))),
  row("grep, matches", "1,000 matches", (ours, at) => ours.grepIn(repeated("zq_rare_marker and more\n", 1_000 * at))),
  row("glob, files", "60 files", (ours, at) => ours.on(tree(60 * at), (backend) => backend.glob("**/*"))),
  row("ls, entries", "60 entries", (ours, at) => ours.on(flat(60 * at), (backend) => backend.ls("/"))),
  row("read 10 lines, lines before", "2,000 lines", (ours, at) =>
    ours.on(repeated("a line\n", 2_000 * at), (backend) => backend.read("/f.txt", 2_000 * at - 20, 10)),
  ),
  row("readRaw, bytes", "200 KB", (ours, at) =>
    ours.on(oneFile(200 * KIB * at), (backend) => backend.readRaw("/f.txt")),
  ),
  row("write, bytes", "40 KB", (ours, at) =>
    ours.on(empty(), (backend, text) => backend.write("/w.txt", text), sourceText(3, 40 * KIB * at)),
  ),
  row("edit, bytes", "40 KB", (ours, at) => ours.edit(40 * KIB * at)),
  row("upload, files", "10 files", (ours, at) => ours.upload(10 * at)),
  row("download, files", "10 files", (ours, at) =>
    ours.on(flat(10 * at), (backend) => backend.downloadFiles(names(10 * at))),
  ),
  row("state grep, records", "500 records", (ours, at) =>
    ours.inState(500 * at, (backend) => backend.grep(STATE_RARE)),
  ),
  row("state glob, records", "500 records", (ours, at) => ours.inState(500 * at, (backend) => backend.glob("**/*.md"))),
  row("state ls, records", "500 records", (ours, at) => ours.inState(500 * at, (backend) => backend.ls("/src/d1"))),
  row("state read, records", "500 records", (ours, at) =>
    ours.inState(500 * at, (backend) => backend.read("/src/d1/e1/file-1.ts")),
  ),
  row("state read of nothing, records", "500 records", (ours, at) =>
    ours.inState(500 * at, (backend) => backend.read("/src/none.ts")),
  ),
  row("state write of a new file, records", "500 records", (ours, at) =>
    ours.inState(500 * at, (backend) => backend.write("/src/new.ts", "x")),
  ),
  row(
    "state edit, bytes of the record",
    "200 KB",
    (ours, at) => ours.stateEdit(200 * KIB * at),
    // 200 KB lie in the processor's cache, 20 MB do not: nothing that looks at them can grow less than this.
    (at) => lookThrough(200 * KIB * at),
  ),
];

/** @param {{ rounds: string, save?: string, only?: string }} values */
export async function growth({ rounds, save, only }) {
  const places = new Places(await import("deepfs"));
  const picked = rows.filter(({ title }) => only === undefined || title.startsWith(only));
  const progress = new Progress(picked.length);
  const curves = [];
  for (const { title, unit, make, floor } of picked) {
    progress.begin(title);
    const [points, least] = [[], []];
    for (const factor of FACTORS) {
      const contenders = { deepfs: make(places, factor), ...(floor === undefined ? {} : { floor: floor(factor) }) };
      const measured = await measure(contenders, { rounds: Number(rounds), isQuick: true, tick: progress.tick });
      points.push([factor, median(measured.deepfs.cpuMs), measured.deepfs]);
      if (floor !== undefined) least.push([factor, median(measured.floor.cpuMs), measured.floor]);
    }
    curves.push({ title, unit, points, least });
    progress.end();
  }
  rmSync(SCRATCH, { recursive: true, force: true });
  const table = curves.flatMap((curve) =>
    curve.least.length === 0
      ? [cells(curve)]
      : [
          cells(curve),
          cells({ title: "— its text gone through once, by the engine", unit: curve.unit, points: curve.least }),
        ],
  );
  console.log([HEAD, ...table].map((cells) => cells.join("  ")).join("\n"));
  const fast = curves.filter(growsFaster);
  console.log(
    `growth: ${curves.length} operations, ${fast.length} grow faster than their input${fast.map(({ title }) => `\n✖ ${title}`).join("")}`,
  );
  if (save !== undefined) await write(save, curves, table);
  return fast.length === 0;
}

const HEAD = ["operation", "1× is", ...FACTORS.map((factor) => `${factor}×`), "10× costs", "100× costs"];

function cells({ title, unit, points }) {
  const [first, ...more] = points.map(([, cost]) => cost);
  return [
    title,
    unit,
    ...points.map(([, cost]) => milliseconds(cost)),
    ...more.map((cost) => `${(cost / first).toFixed(1)}×`),
  ];
}

/** The fixed part of a call hides growth between small inputs, so each step is looked at for itself. */
function growsFaster({ points, least }) {
  const growth = (curve, at) => curve[at][1] / curve[at - 1][1];
  return points.some(([factor], at) => {
    if (at === 0) return false;
    const input = factor / points[at - 1][0];
    const allowed = least.length === 0 ? input : Math.max(input, growth(least, at));
    return growth(points, at) > allowed * TOLERANCE;
  });
}

async function write(name, curves, table) {
  const about = machine(await findPrograms(() => {}));
  const rawOf = (points) => points.map(([factor, , measured]) => ({ factor, ...measured }));
  const raw = curves.map(({ title, unit, points, least }) => ({
    title,
    unit,
    points: rawOf(points),
    ...(least.length === 0 ? {} : { least: rawOf(least) }),
  }));
  writeFileSync(savedFile(name, "json"), `${JSON.stringify({ machine: about, tolerance: TOLERANCE, curves: raw })}\n`);
  const lines = [HEAD, HEAD.map((_, at) => (at < 2 ? "---" : "--:")), ...table].map((row) => `| ${row.join(" | ")} |`);
  renewPage(name, lines.join("\n"));
  writeFileSync(
    savedFile(name, "svg"),
    growthPicture(
      curves.map(({ title, points }) => ({ title, points })),
      "How cost grows",
    ),
  );
}

/** With `floor`, which makes a contender too, growth as fast as that one's is no fault. */
function row(title, unit, make, floor) {
  return { title, unit, make, floor };
}

function lookThrough(bytes) {
  const { content } = longRecord(bytes, "the one line to change: before");
  return { run: () => content.indexOf("change: before") };
}

const SCRATCH = join(BENCH, "scratch", "growth");
let made = 0;

function place(files) {
  const root = join(SCRATCH, String((made += 1)));
  mkdirSync(root, { recursive: true });
  for (const [name, content] of files) {
    if (name.includes("/")) mkdirSync(join(root, name.slice(0, name.lastIndexOf("/"))), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

const names = (count) => Array.from({ length: count }, (_, at) => `/f${at}.txt`);
const empty = () => place([]);
const oneFile = (bytes) => place([["f.txt", sourceText(5, bytes)]]);
const repeated = (line, count) => place([["f.txt", line.repeat(count)]]);
const flat = (count) => place(names(count).map((name) => [name.slice(1), "x".repeat(40)]));

function tree(count) {
  const text = sourceText(7, 3_000);
  return place(Array.from({ length: count }, (_, at) => [`d${at % Math.ceil(count / 10)}/f${at}.ts`, text]));
}

/** Calls of deepfs, as contenders. */
class Places {
  constructor({ FilesystemBackend, StateBackend }) {
    this.disk = FilesystemBackend;
    this.state = StateBackend;
  }

  on(root, call, argument) {
    const backend = this.disk.createSafe(root);
    return { run: () => call(backend, argument), maxBatch: 200 };
  }

  grepIn(root) {
    return this.on(root, (backend) => backend.grep("zq_rare_marker"));
  }

  edit(bytes) {
    const root = place([["f.txt", `${sourceText(9, bytes / 2)}change: before\n${sourceText(11, bytes / 2)}`]]);
    let isOld = true;
    return this.on(root, (backend) => {
      const [from, to] = isOld ? ["change: before", "change: behind"] : ["change: behind", "change: before"];
      isOld = !isOld;
      return backend.edit("/f.txt", from, to);
    });
  }

  upload(count) {
    const bytes = new TextEncoder().encode(sourceText(13, 2_000));
    let calls = 0;
    return {
      ...this.on(empty(), (backend) => {
        calls += 1;
        return backend.uploadFiles(names(count).map((name) => [`/c${calls}${name}`, bytes]));
      }),
      maxBatch: 3,
    };
  }

  inState(count, call) {
    const files = makeRecords(count, 2_000);
    const backend = new this.state();
    return { run: () => inGraph(files, 0, () => call(backend)) };
  }

  stateEdit(bytes) {
    const files = { "/long.txt": longRecord(bytes, "the one line to change: before") };
    const backend = new this.state();
    return { run: () => inGraph(files, 0, () => backend.edit("/long.txt", "change: before", "change: behind")) };
  }
}
