// Times deepfs against deepagents, ripgrep, fd and others, once the answers agree.
//
//   npm run bench                          every row; the first run makes 2 GB of files in .cache/bench
//   npm run bench -- --quick               small inputs, a few minutes: what CI runs
//   npm run bench -- --only grep/large     rows whose name begins so; several with commas
//   npm run bench -- --save full           also writes docs/performance/full.json, full.svg and the table of docs/PERFORMANCE.md
//   npm run bench -- --growth              how cost grows with the input
//
// Exit 1: a "must" is missed, or answers differ.

import { fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { machine } from "./machine.mjs";
import { machineLine, renewPage, savedFile } from "./page-of-docs.mjs";
import { findPrograms } from "./programs.mjs";
import { Progress } from "./progress.mjs";
import { ROWS } from "./rows/index.mjs";
import { ratioPicture } from "./svg.mjs";
import { markdownTable, plainTable } from "./table.mjs";
import { ratio } from "./verdict.mjs";

const ROW_PROCESS = fileURLToPath(new URL("row-process.mjs", import.meta.url));

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    rounds: { type: "string", default: "7" },
    save: { type: "string" },
    growth: { type: "boolean", default: false },
  },
});

if (values.save !== undefined && !/^[\w-]+$/.test(values.save))
  throw new Error(`--save takes a name, such as "full", not a path: ${values.save}`);

if (values.growth) {
  const { growth } = await import("./growth.mjs");
  process.exitCode = (await growth(values)) ? 0 : 1;
} else {
  process.exitCode = (await bench()) ? 0 : 1;
}

async function bench() {
  const isQuick = values.quick;
  const picked = pick(ROWS, isQuick);
  const progress = new Progress(picked.length);
  const programs = await findPrograms((text) => progress.say(text));
  const about = machine(programs);
  const results = [];
  for (const ids of groups(picked)) {
    const asked = { ids, isQuick, rounds: Number(values.rounds), programs };
    results.push(...(await inProcess(asked, progress)));
  }
  console.log(`${plainTable(results)}\n`);
  if (values.save !== undefined) save(values.save, about, results, isQuick);
  return summary(results);
}

/** A process for each row; those of the page share one, since one visit times them all. */
function groups(picked) {
  const inPage = picked.filter(({ id }) => id.startsWith("page/")).map(({ id }) => id);
  const alone = picked.filter(({ id }) => !id.startsWith("page/")).map(({ id }) => [id]);
  return inPage.length > 0 ? [...alone, inPage] : alone;
}

/** Times rows in a process of their own, and answers with their results. */
function inProcess(asked, progress) {
  const child = fork(ROW_PROCESS, { execArgv: ["--max-old-space-size=6144"] });
  const results = [];
  child.on("message", ({ say, begin, tick, result }) => {
    if (say !== undefined) progress.say(say);
    if (begin !== undefined) progress.begin(begin);
    if (tick !== undefined) progress.tick();
    if (result === undefined) return;
    results.push(result);
    progress.end();
  });
  child.send(asked);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve(results) : reject(new Error(`${asked.ids}: exit ${code}`))));
  });
}

function pick(all, isQuick) {
  const wanted = values.only?.split(",");
  const isPicked = ({ id, isFullOnly }) =>
    wanted === undefined ? !(isQuick && isFullOnly) : wanted.some((start) => id.startsWith(start));
  const picked = all.filter(isPicked);
  if (picked.length === 0)
    throw new Error(`No row begins with ${values.only}. There are: ${all.map(({ id }) => id).join(", ")}`);
  return picked;
}

function summary(results) {
  const failed = results.filter(({ error }) => error !== undefined);
  const all = results.flatMap(({ id, verdicts: list }) => list.map((verdict) => ({ id, ...verdict })));
  const missed = all.filter(({ meetsMust }) => !meetsMust);
  const stretched = all.filter(({ meetsStretch }) => meetsStretch);
  for (const { id, error } of failed) console.log(`✖ ${id}: ${error}`);
  for (const { id, against, value, must } of missed)
    console.log(`✖ ${id}, ${against}: ${value.toFixed(2)}, must be ${must}`);
  console.log(
    `bench: ${results.length} rows, ${all.length} targets: ${all.length - missed.length} "must" met, ${missed.length} missed, ${stretched.length} "stretch" met; ${failed.length} rows failed`,
  );
  return failed.length === 0 && missed.length === 0;
}

function save(name, about, results, isQuick) {
  const file = (extension) => savedFile(name, extension);
  writeFileSync(
    file("json"),
    `${JSON.stringify({ machine: about, isQuick, rounds: Number(values.rounds), results }, shortened)}\n`,
  );
  renewPage(name, `${machineLine(about)}\n\n${markdownTable(results)}`);
  const bars = results.flatMap(({ title, measured, verdicts: list }) => {
    const peer = list.find(({ against }) => against === "peer");
    return peer === undefined
      ? []
      : [{ title, ratio: ratio(measured.peer.cpuMs, measured.deepfs.cpuMs), must: peer.must }];
  });
  writeFileSync(file("svg"), ratioPicture(bars, "deepfs and deepagents 1.14.1"));
  console.log(
    `Written: docs/performance/${name}.json, docs/performance/${name}.svg, and the table of docs/PERFORMANCE.md`,
  );
}

/** Four digits are more than a clock is good for. */
function shortened(_key, value) {
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
}
