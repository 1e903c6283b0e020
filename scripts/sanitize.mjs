// Runs the Rust tests under tools that watch every access to memory.
//
//   npm run sanitize             what this machine has of the three
//   npm run sanitize -- address  AddressSanitizer on core and host, with the stable compiler
//   npm run sanitize -- thread   ThreadSanitizer on the disk of host, whose walks and writers share memory: needs rust-src
//   npm run sanitize -- miri     the interpreter on parts of the core: needs the nightly toolchain's miri

import { existsSync } from "node:fs";
import { join } from "node:path";
import { findCargo } from "./setup/cargo.mjs";
import { output, run } from "./setup/command.mjs";
import { ROOT } from "./setup/paths.mjs";
import { main, Problem } from "./setup/problem.mjs";

/** A stable compiler has the sanitizers behind a gate, which this opens. */
const UNLOCKED = { RUSTC_BOOTSTRAP: "1" };
/** Tests of the disk; those of the shell fork, which a sanitized process is not made for. */
const DISK_TESTS = ["contract", "links", "races", "walks", "writers"];
/** Modules of the core that the interpreter gets through in minutes. */
const INTERPRETED = ["columns", "content", "path", "record", "storage", "text", "tree"];

const TOOLS = { address, thread, miri };

await main(async () => {
  const asked = process.argv.slice(2);
  const unknown = asked.filter((name) => !(name in TOOLS));
  if (unknown.length > 0)
    throw new Problem(`No tool is called ${unknown.join(", ")}: ${Object.keys(TOOLS).join(", ")}.`);
  const { cargo, rustc, version } = await findCargo();
  const [, host] = /^host: (.*)$/m.exec(version);
  for (const name of asked.length > 0 ? asked : Object.keys(TOOLS)) {
    const { missing, args, env } = TOOLS[name]({ cargo, rustc, host });
    if (missing !== undefined) {
      if (asked.length > 0) throw new Problem(`${name}: ${missing}`);
      console.log(`  ${name}: left out, ${missing}`);
      continue;
    }
    console.log(`▸ ${name} …`);
    const text = await run(cargo, args, { cwd: ROOT, env });
    const passed = [...text.matchAll(/^test result: ok\. (\d+) passed/gm)].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    );
    console.log(`✔ ${name}: ${passed} tests passed`);
  }
});

function address({ host }) {
  return {
    args: [...test(host, "address"), "-p", "deepfs-core", "-p", "deepfs-host", "--lib", ...files(DISK_TESTS)],
    env: { ...UNLOCKED, RUSTFLAGS: "-Zsanitizer=address" },
  };
}

function thread({ rustc, host }) {
  const sysroot = output(rustc, ["--print", "sysroot"]) ?? "";
  if (!existsSync(join(sysroot, "lib", "rustlib", "src", "rust", "library")))
    return { missing: "rust-src is not installed: rustup component add rust-src" };
  return {
    // The standard library has to be watched as well, else what it synchronises looks like a race.
    args: [...test(host, "thread"), "-Zbuild-std", "-p", "deepfs-host", "--lib", ...files(DISK_TESTS)],
    env: { ...UNLOCKED, RUSTFLAGS: "-Zsanitizer=thread" },
  };
}

function miri({ cargo }) {
  if (output(cargo, ["+nightly", "miri", "--version"]) === null)
    return { missing: "the nightly toolchain has no miri: rustup component add miri --toolchain nightly" };
  return {
    args: [
      "+nightly",
      "miri",
      "test",
      "--target-dir",
      "target/miri",
      "-p",
      "deepfs-core",
      "--lib",
      "--",
      ...INTERPRETED,
    ],
    // The property tests look for their own folder.
    env: { MIRIFLAGS: "-Zmiri-disable-isolation", PROPTEST_CASES: "2" },
  };
}

/** With an explicit target, so that build scripts are left as they are. */
function test(host, name) {
  return ["test", "--no-fail-fast", "--target", host, "--target-dir", `target/${name}`];
}

function files(names) {
  return names.flatMap((name) => ["--test", name]);
}
