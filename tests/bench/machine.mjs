// Where and with what a run was made: a number without its machine says nothing.

import { readFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, release, totalmem } from "node:os";
import { output } from "../../scripts/setup/command.mjs";
import { fromRoot } from "../../scripts/setup/paths.mjs";

export function machine(programs) {
  const version = (program, pattern) =>
    program === null ? null : (output(program, ["--version"])?.match(pattern)?.[1] ?? null);
  const installed = (name) => JSON.parse(readFileSync(fromRoot("node_modules", name, "package.json"), "utf8")).version;
  return {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()}`,
    loadAverage: loadavg()[0],
    node: process.version,
    deepfs: installed("deepfs"),
    deepagents: installed("deepagents"),
    ripgrep: version(programs.rg, /ripgrep (\S+)/),
    ripgrepOfPeer: version(programs.oldRg, /ripgrep (\S+)/),
    fd: version(programs.fd, /fd\S* (\S+)/),
    commit: output("git", ["rev-parse", "--short", "HEAD"], { cwd: fromRoot() }),
  };
}
