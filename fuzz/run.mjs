// Fuzzes the core, target after target, and the conversion of arguments in both builds. Exits with 1 when something was found.
//
//   npm run fuzz                              ten minutes for each
//   npm run fuzz -- --seconds 60 glob edit    one minute for these two
//   npm run fuzz -- --minimise                and then keep the few inputs that count, to commit them
//   npm run fuzz -- --replay                  the committed inputs once, and nothing new
//
// What a target has found is in fuzz/artifacts: `fuzz/target/…/<target> <file>` repeats it. `cargo fuzz run <target>` works
// as well, where cargo-fuzz is installed; nothing here needs it, nor a nightly compiler.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findCargo } from "../scripts/setup/cargo.mjs";
import { run } from "../scripts/setup/command.mjs";
import { CACHE, fromRoot, ROOT } from "../scripts/setup/paths.mjs";
import { main, Problem } from "../scripts/setup/problem.mjs";

const CORE = ["path", "glob", "grep", "edit", "encoding", "records"];
/** The targets in JavaScript: the same calls on either build. */
const BINDINGS = { "arguments-native": "native", "arguments-wasm": "wasm" };
const ALL = [...CORE, ...Object.keys(BINDINGS)];
/** One input may take this long, in seconds: anything a model sends is linear work. */
const SLOWEST = 10;

/** What cargo-fuzz builds with: counters for every edge and comparison, and checks of every access to memory. */
const INSTRUMENTED = [
  "--cfg fuzzing",
  "-Cpasses=sancov-module",
  "-Cllvm-args=-sanitizer-coverage-level=4",
  "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
  "-Cllvm-args=-sanitizer-coverage-pc-table",
  "-Cllvm-args=-sanitizer-coverage-trace-compares",
  "-Zsanitizer=address",
].join(" ");

await main(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seconds: { type: "string", default: "600" },
      minimise: { type: "boolean", default: false },
      replay: { type: "boolean", default: false },
    },
  });
  const chosen = positionals.length > 0 ? positionals : values.replay ? CORE : ALL;
  const unknown = chosen.filter((name) => !ALL.includes(name));
  if (unknown.length > 0) throw new Problem(`No target is called ${unknown.join(", ")}: ${ALL.join(", ")}.`);
  const folder = chosen.some((name) => CORE.includes(name)) ? await build() : "";
  const found = [];
  const seconds = Number(values.seconds);
  for (const name of chosen) {
    console.log(`▸ ${name}: ${values.replay ? "what is committed" : `${seconds} s`} …`);
    const ran =
      name in BINDINGS
        ? await fuzzArguments(BINDINGS[name], seconds)
        : await fuzz(folder, name, { ...values, seconds });
    console.log(`${ran.code === 0 ? "✔" : "✖"} ${name}: ${ran.sum}`);
    if (ran.code !== 0) found.push(name);
  }
  if (found.length > 0) throw new Problem(`Found something: ${found.join(", ")}.`);
});

/** Builds every target with the counters; answers with the folder of the programs. */
async function build() {
  const { cargo, version } = await findCargo();
  const [, host] = /^host: (.*)$/m.exec(version);
  console.log("▸ building the targets …");
  // An explicit target keeps the flags away from build scripts.
  await run(cargo, ["build", "--release", "--target", host], {
    cwd: fromRoot("fuzz"),
    env: { RUSTFLAGS: INSTRUMENTED, RUSTC_BOOTSTRAP: "1" },
  });
  return fromRoot("fuzz", "target", host, "release");
}

/** One target, from its committed inputs on; new ones are kept beside the build until `--minimise` picks the few that count. */
async function fuzz(folder, name, { seconds, minimise, replay }) {
  const packed = fromRoot("fuzz", "corpus", `${name}.txt`);
  const [committed, grown] = [join(CACHE, "fuzz-committed", name), join(CACHE, "fuzz", name)];
  const artifacts = fromRoot("fuzz", "artifacts", name);
  rmSync(committed, { recursive: true, force: true });
  for (const path of [committed, grown, artifacts]) mkdirSync(path, { recursive: true });
  unpack(packed, committed);
  const dictionary = fromRoot("fuzz", "dictionaries", `${name}.dict`);
  const options = [
    ...(replay ? ["-runs=0"] : [`-max_total_time=${seconds}`]),
    `-timeout=${SLOWEST}`,
    `-artifact_prefix=${artifacts}/`,
    "-rss_limit_mb=2048",
    "-print_final_stats=1",
    ...(existsSync(dictionary) ? [`-dict=${dictionary}`] : []),
  ];
  const { code, text } = await show(join(folder, name), [...(replay ? [] : [grown]), committed, ...options]);
  if (code !== 0)
    return { code, sum: `${readdirSync(artifacts).length} inputs in ${artifacts}\n${text.slice(-4_000)}` };
  if (minimise) await minimised(join(folder, name), grown, committed, packed);
  const runs = /stat::number_of_executed_units:\s*(\d+)/.exec(text)?.[1] ?? "0";
  const edges = [...text.matchAll(/cov: (\d+)/g)].at(-1)?.[1] ?? "0";
  return { code, sum: `${runs} inputs, ${edges} edges, no crash` };
}

/** The committed inputs of a target are one file, a line of base64 each. */
function unpack(packed, folder) {
  if (!existsSync(packed)) return;
  const inputs = readFileSync(packed, "utf8").split("\n").filter(Boolean);
  inputs.forEach((input, at) => writeFileSync(join(folder, String(at)), Buffer.from(input, "base64")));
}

function pack(folder, packed) {
  const inputs = readdirSync(folder).map((name) => readFileSync(join(folder, name)).toString("base64"));
  writeFileSync(packed, `${inputs.sort().join("\n")}\n`);
}

/** Leaves in `packed` the fewest inputs that reach every edge which both folders reach. */
async function minimised(program, grown, committed, packed) {
  const work = mkdtempSync(join(CACHE, "minimise-"));
  const [edges, cover] = [join(work, "edges"), join(work, "cover")];
  for (const path of [edges, cover]) mkdirSync(path);
  // Edges, not how often each is taken: that would be thousands of inputs. The exact cover is too slow for all at once.
  const options = ["-use_counters=0", "-max_len=512"];
  await show(program, ["-merge=1", ...options, edges, committed, grown]);
  await show(program, ["-set_cover_merge=1", ...options, cover, edges]);
  pack(cover, packed);
  rmSync(work, { recursive: true });
}

async function fuzzArguments(build, seconds) {
  const script = fromRoot("tests", "fuzz", "arguments.mjs");
  const { code, text } = await show(process.execPath, [script, "--build", build, "--seconds", String(seconds)]);
  return { code, sum: code === 0 ? text.trim().split("\n").at(-1) : text.slice(-4_000) };
}

function show(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    const collect = (chunk) => {
      text += chunk;
    };
    child.stdout.setEncoding("utf8").on("data", collect);
    child.stderr.setEncoding("utf8").on("data", collect);
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code: signal ?? code, text }));
  });
}
