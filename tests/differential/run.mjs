// Runs the calls of the corpus and generated ones on deepfs and on deepagents, and accounts for every difference by its name in docs/COMPAT.md.
//
//   npm run differential                       20,000 calls, a seed of the day
//   npm run differential -- --calls 200000 --seed 7 --only state

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import * as ours from "deepfs";
import * as theirs from "deepagents";
import { differenceOf, sameFiles } from "./compare.mjs";
import { corpus } from "./corpus.mjs";
import { explain, NAMES } from "./explain.mjs";
import { generator } from "./generate.mjs";
import { random } from "./random.mjs";
import { diskPair, statePair } from "./sides.mjs";

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "20000" },
    seed: { type: "string" },
    verbose: { type: "boolean", default: false },
    only: { type: "string" },
  },
});
const total = Number(values.calls);
const seed = Number(values.seed ?? Math.floor(Date.now() / 86_400_000));
// Without ripgrep on the path deepagents searches in-process: one answer, whatever this machine has installed.
process.env.PATH = "";

const compat = readFileSync(new URL("../../docs/COMPAT.md", import.meta.url), "utf8");
const played = corpus();
const unlisted = [...NAMES, ...played.flatMap(({ differs }) => differs ?? [])].filter(
  (name) => !compat.includes(`| \`${name}\` |`),
);
if (unlisted.length > 0) throw new Error(`docs/COMPAT.md does not list: ${unlisted.join(", ")}`);

const dice = random(seed);
const { world, call } = generator(dice);
/** Unexplained differences of one side after which more would tell nothing new. */
const ENOUGH = 20;
const counts = new Map();
const unexplained = [];
const started = performance.now();
let done = 0;

const pairs = [await diskPair(ours, theirs), statePair(ours, theirs)].filter(
  ({ kind }) => values.only === undefined || values.only === kind,
);
for (const pair of pairs) {
  for (const { files, calls, differs } of played) {
    await reset(pair, files);
    let current = files;
    for (const { method, args } of calls) current = await compare(pair, current, method, args, differs);
  }
  const share = Math.ceil(total / pairs.length);
  for (let made = 0; made < share && unexplained.length < ENOUGH;) {
    let files = world();
    await reset(pair, files);
    for (let step = 0; step < 25 && made < share; step += 1, made += 1) {
      const { method, args } = call(files);
      files = await compare(pair, files, method, args);
    }
  }
  await pair.close();
}

const seconds = ((performance.now() - started) / 1000).toFixed(1);
for (const [name, count] of [...counts].sort(([, one], [, other]) => other - one))
  console.log(`${String(count).padStart(7)}  ${name}`);
for (const { kind, method, args, difference, ours: mine, theirs: peers } of unexplained.slice(
  0,
  values.verbose ? 20 : 5,
)) {
  console.log(`\nunexplained, ${kind}: ${method}(${args.map((arg) => JSON.stringify(arg)).join(", ")}): ${difference}`);
  console.log(`  deepfs:     ${JSON.stringify(mine)}\n  deepagents: ${JSON.stringify(peers)}`);
}
console.log(`\ndifferential: ${done} calls, seed ${seed}, ${unexplained.length} unexplained differences, ${seconds} s`);
process.exitCode = unexplained.length === 0 ? 0 : 1;

function reset({ ours: mine, theirs: peers }, files) {
  return Promise.all([mine.reset(files), peers.reset(files)]);
}

/** Makes one call on both sides, which have `files`; answers with the files that deepfs has then. */
async function compare(pair, files, method, args, differs = null) {
  const results = await Promise.all(
    [pair.ours, pair.theirs].map((side) => settled(() => side.backend[method](...structuredClone(args)))),
  );
  const [oursAfter, theirsAfter] = await Promise.all([pair.ours.files(), pair.theirs.files()]);
  done += 1;
  const even = sameFiles(oursAfter, theirsAfter);
  const difference = differenceOf(method, ...results) ?? (even ? null : "the files after the call differ");
  if (difference !== null) {
    const [mine, peers] = results;
    const seen = { kind: pair.kind, method, args, ours: mine, theirs: peers, files, oursAfter, theirsAfter };
    const name = explain(seen) ?? differs;
    if (name === null) unexplained.push({ kind: pair.kind, method, args, difference, ours: mine, theirs: peers });
    else counts.set(name, (counts.get(name) ?? 0) + 1);
    // Both sides go on from the files that deepfs has, without the folders that only one of them may have left empty.
    if (!even) await reset(pair, oursAfter);
  }
  return oursAfter;
}

async function settled(run) {
  try {
    return await run();
  } catch (error) {
    return { threw: String(error) };
  }
}
