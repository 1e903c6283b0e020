// Tables of docs/PERFORMANCE.md, renewed by the runs that are saved.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fromRoot } from "../../scripts/setup/paths.mjs";

const PAGE = fromRoot("docs", "PERFORMANCE.md");

/** A file for what a run of this name leaves. */
export function savedFile(name, extension) {
  const folder = fromRoot("docs", "performance");
  mkdirSync(folder, { recursive: true });
  return join(folder, `${name}.${extension}`);
}

/** Puts text between the marks `<!-- name -->` and `<!-- /name -->` of the page; a name without marks has no place there. */
export function renewPage(name, text) {
  const page = existsSync(PAGE) ? readFileSync(PAGE, "utf8") : "";
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) return;
  writeFileSync(PAGE, `${page.slice(0, from + start.length)}\n${text}\n\n${page.slice(to)}`);
}

/** The machine of a run, in one line. */
export function machineLine({
  cpu,
  cores,
  memoryGiB,
  system,
  node,
  ripgrep,
  ripgrepOfPeer,
  fd,
  deepagents,
  loadAverage,
}) {
  const programs = [`ripgrep ${ripgrep}`, `ripgrep ${ripgrepOfPeer} as the peer finds it`, `fd ${fd}`].join(", ");
  return `${cpu}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node}, deepagents ${deepagents}, ${programs}; load average at the start ${loadAverage.toFixed(1)}.`;
}
