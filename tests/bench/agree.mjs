// Answers have to agree before they are timed. What docs/COMPAT.md lists as an intended difference is made alike first: the
// order of listings, and the `.git` folder.

import { isDeepStrictEqual } from "node:util";

/** Breaks the answers of deepfs on purpose, to show that the comparison below is one: `DEEPFS_BENCH_BREAK=1`. */
const isBroken = (process.env.DEEPFS_BENCH_BREAK ?? "") !== "";

/** Two contenders gave different answers. */
export class Disagreement extends Error {}

/**
 * Compares answers in their normal form.
 *
 * @param {Record<string, unknown>} answers by contender; `deepfs` is compared with each of the others
 */
export function agree(answers) {
  const ours = isBroken ? broken(answers.deepfs) : answers.deepfs;
  for (const [name, theirs] of Object.entries(answers)) {
    if (name === "deepfs" || isDeepStrictEqual(ours, theirs)) continue;
    throw new Disagreement(`deepfs and ${name} differ: ${difference(ours, theirs)}`);
  }
}

/** The same answer with something missing. */
function broken(answer) {
  if (Array.isArray(answer)) return answer.slice(0, -1);
  if (typeof answer === "string") return answer.slice(0, -1);
  return { ...answer, broken: true };
}

function difference(ours, theirs) {
  if (!Array.isArray(ours) || !Array.isArray(theirs)) return `${show(ours)} and ${show(theirs)}`;
  const at = ours.findIndex((item, index) => !isDeepStrictEqual(item, theirs[index]));
  const first = at < 0 ? ours.length : at;
  return `${ours.length} and ${theirs.length} rows; row ${first} is ${show(ours[first])} and ${show(theirs[first])}`;
}

const show = (value) => String(JSON.stringify(value)).slice(0, 300);

const byText = (one, other) => (one < other ? -1 : one > other ? 1 : 0);

/** The matches of `grep` as sorted lines. */
export function matchLines({ matches, error }) {
  if (error !== undefined) throw new Disagreement(error);
  return matches.map(({ path, line, text }) => `${path}:${line}:${text}`).sort(byText);
}

/** What `rg -n` printed, as the same lines. */
export function ripgrepLines(lines, root) {
  return lines.map((line) => line.slice(root.length)).sort(byText);
}

/** Rows of a listing, sorted, without `.git`. */
export function listed({ files, error }) {
  if (error !== undefined) throw new Disagreement(error);
  return files.filter(({ path }) => !path.startsWith("/.git/")).sort((one, other) => byText(one.path, other.path));
}

/** Paths that a program printed, as the paths of a listing. */
export function paths(lines, root) {
  return lines.map((line) => line.slice(root.length)).sort(byText);
}

/** A capped answer: as many lines as asked for, each of them one that the whole search finds. */
export function cappedLines(result, cap, whole) {
  const lines = matchLines(result);
  const known = new Set(whole);
  const strays = lines.filter((line) => !known.has(line));
  if (strays.length > 0)
    throw new Disagreement(`a capped answer holds a line that no search finds: ${show(strays[0])}`);
  return { rows: lines.length, isFull: lines.length === Math.min(cap, whole.length) };
}
