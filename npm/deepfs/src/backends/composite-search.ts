/** `glob` and `grep` over several mounts: all are asked at the same time, the answers become one. */

import { type Failure, isFailure } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import { joinKeys } from "../binding/keys.js";
import type { FileInfo, GlobResult, GrepMatch, GrepResult } from "../protocol/types.js";
import { cutMatches, grepKept } from "./capped-grep.js";
import { type AnyResult, ask } from "./mount-call.js";
import { sortByPath } from "../adapters/path-order.js";
import { isPassedOver, nameFilter, patternsBelow } from "./pattern-below.js";
import { innerPath, isShadowed, type Location, type Mount, mountsBelow, outerPaths, type Routes } from "./routes.js";

/** What a search says beyond the protocol. */
export interface Warned {
  /** One sentence per mount that could not be asked. The results of the others are there, and `truncated` is true. */
  warnings?: string[];
}

/** A search that starts at `where`. `inner` is absent when the base is to start at its own default. */
export interface SearchStart {
  where: Location;
  inner: string | undefined;
}

/** Rows of a mount as the composite's caller knows them, without the hidden ones. */
export function visibleRows<Row extends { path: string }>(routes: Routes, mount: Mount, rows: readonly Row[]): Row[] {
  const toOuter = outerPaths(routes, mount);
  const visible: Row[] = [];
  let last: { inner: string; outer: string | undefined } | undefined;
  for (const row of rows) {
    // Matches come grouped by file, so most rows repeat the path before.
    if (last?.inner !== row.path) {
      const outer = toOuter(row.path);
      last = { inner: row.path, outer: outer !== undefined && isShadowed(routes, mount, outer) ? undefined : outer };
    }
    if (last.outer !== undefined) visible.push(last.outer === row.path ? row : { ...row, path: last.outer });
  }
  return visible;
}

/** Finds files by pattern, relative to where the search starts, in its mount and in those below. */
export async function globMounts(
  routes: Routes,
  start: SearchStart,
  pattern: string,
  bareRecursive: boolean,
): Promise<(GlobResult & Warned) | Failure> {
  const { where } = start;
  const matching = (paths: string[]): Uint32Array | Failure =>
    getBinding().rules.globKeys(joinKeys(paths), pattern, where.outer, bareRecursive);
  const searchStart = async (): Promise<GlobResult> =>
    shownFiles(
      routes,
      where.mount,
      await ask("glob", where, () => where.mount.backend.glob(pattern, start.inner), [pattern]),
    );
  const below = mountsBelow(routes, where.outer);
  if (below.length === 0) return searchStart();
  const wrong = matching([]);
  if (isFailure(wrong)) return wrong;

  const whole = bareRecursive && !pattern.includes("/") ? `**/${pattern}` : pattern;
  const others = below.map(async (mount) => {
    const patterns = patternsBelow(whole, stepsTo(where.outer, mount));
    const target = mountRoot(routes, mount);
    const asked = patterns.map((part) => ask("glob", target, () => mount.backend.glob(part, target.inner), [part]));
    const result = shownFiles(routes, mount, uniteFiles(await Promise.all(asked)));
    const files = result.files ?? [];
    const kept = matching(files.map((file) => file.path));
    return isFailure(kept) ? kept : { ...result, files: pick(files, kept) };
  });
  const places = [where, ...below.map((mount) => mountRoot(routes, mount))];
  return uniteMounts<FileInfo, GlobResult>(places, await Promise.all([searchStart(), ...others]), "files");
}

/** What `grep` is asked for, beyond where. */
export interface GrepQuery {
  pattern: string;
  glob: string | null;
  maxCount: number | null;
}

/** Finds lines in the files of the mount where the search starts and of those below. */
export async function grepMounts(
  routes: Routes,
  start: SearchStart,
  query: GrepQuery,
): Promise<(GrepResult & Warned) | Failure> {
  const below = mountsBelow(routes, start.where.outer);
  const starts = [
    start,
    ...below.map((mount) => mountRoot(routes, mount)).map((where) => ({ where, inner: where.inner })),
  ];
  const answers = await Promise.all(starts.map((one) => grepMount(routes, one, query, start.where.outer)));
  const [only] = answers;
  if (below.length === 0 && only !== undefined) return cutMatches(only, query.maxCount);
  const places = starts.map(({ where }) => where);
  return cutMatches(uniteMounts<GrepMatch, GrepResult>(places, answers, "matches"), query.maxCount);
}

/** The matches in one mount, of a search that starts at `base`. */
async function grepMount(
  routes: Routes,
  { where, inner }: SearchStart,
  { pattern, glob, maxCount }: GrepQuery,
  base: string,
): Promise<GrepResult> {
  const { mount } = where;
  // A filter with a slash is relative to where the search starts or to the root, which a mount does not know.
  const byPath = glob !== null && glob.includes("/") && mount.root !== "";
  const asked = byPath ? nameFilter(glob) : glob;
  const texts = glob === null ? [pattern] : [pattern, glob];
  const search = (cap: number | null): Promise<GrepResult> =>
    ask("grep", where, () => mount.backend.grep(pattern, inner, asked, cap), texts);
  const keep = (matches: readonly GrepMatch[]): GrepMatch[] => visibleRows(routes, mount, matches);
  const cap = byPath ? null : maxCount;
  const hides = mountsBelow(routes, where.outer).length > 0;
  const result = hides ? await grepKept(search, keep, cap) : await grepOnce(search, keep, cap);
  const hidden = mount.root.startsWith(base === "/" ? "/" : `${base}/`) && isPassedOver(stepsTo(base, mount));
  return byPath || hidden ? keepFiltered(result, base, glob) : result;
}

async function grepOnce(
  search: (cap: number | null) => Promise<GrepResult>,
  keep: (matches: readonly GrepMatch[]) => GrepMatch[],
  cap: number | null,
): Promise<GrepResult> {
  const result = await search(cap);
  return result.error || result.matches === undefined ? result : { ...result, matches: keep(result.matches) };
}

/** A mount as the place where a search starts. */
function mountRoot(routes: Routes, mount: Mount): Location {
  return { mount, outer: mount.root, inner: innerPath(routes, mount, mount.root) };
}

/** The names of the folders on the way from `base` to a mount below it. */
function stepsTo(base: string, mount: Mount): string[] {
  return mount.root.slice(base === "/" ? 1 : base.length + 1).split("/");
}

function shownFiles<Result extends GlobResult>(routes: Routes, mount: Mount, result: Result): Result {
  if (result.error || result.files === undefined) return result;
  return { ...result, files: visibleRows(routes, mount, result.files) };
}

/** The answers of one mount to several patterns as one; an error among them is the whole answer. */
function uniteFiles(results: (GlobResult | Failure)[]): GlobResult {
  const files = new Map<string, FileInfo>();
  let truncated = false;
  for (const result of results as GlobResult[]) {
    if (result.error) return result;
    for (const file of result.files ?? []) files.set(file.path, file);
    truncated ||= result.truncated === true;
  }
  return { files: [...files.values()], ...(truncated ? { truncated } : {}) };
}

function keepFiltered(result: GrepResult, base: string, glob: string | null): GrepResult {
  if (result.error || result.matches === undefined) return result;
  const paths = [...new Set(result.matches.map((match) => match.path))];
  const kept = getBinding().rules.filterKeys(joinKeys(paths), base, glob);
  if (isFailure(kept)) return kept;
  const wanted = new Set(pick(paths, kept));
  return { ...result, matches: result.matches.filter((match) => wanted.has(match.path)) };
}

function pick<Item>(items: readonly Item[], indices: Uint32Array): Item[] {
  const picked: Item[] = [];
  for (const index of indices) {
    const item = items[index];
    if (item !== undefined) picked.push(item);
  }
  return picked;
}

/** The rows of all places in the order of their paths. An error only when no place gave an answer. */
function uniteMounts<Row extends { path: string }, Result extends AnyResult & { truncated?: boolean }>(
  places: readonly Location[],
  results: readonly (Result | Failure)[],
  field: keyof Result & string,
): (Result & Warned) | Failure {
  const blocks: Row[][] = [];
  const warnings: string[] = [];
  let truncated = false;
  results.forEach((result, index) => {
    if (result.error) {
      warnings.push(`${places[index]?.outer ?? ""}: ${result.error}`);
      return;
    }
    blocks.push(((result as Result)[field] as Row[] | undefined) ?? []);
    truncated ||= (result as Result).truncated === true;
  });
  const failed = results.find((result) => result.error);
  if (failed !== undefined && blocks.length === 0) return failed;
  const united: Record<string, unknown> = { [field]: sortByPath(blocks.flat()) };
  if (truncated || warnings.length > 0) united.truncated = true;
  if (warnings.length > 0) united.warnings = warnings;
  return united as Result & Warned;
}
