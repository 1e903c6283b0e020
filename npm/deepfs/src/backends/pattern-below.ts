/**
 * What of a glob is left below a folder: the patterns to ask a mount for, when the search starts above it.
 *
 * The patterns may match too much (the caller checks full paths with the core's matcher afterwards), never too little.
 */

/** Every file. */
const EVERYTHING = "**/*";

/** Walks skip what is inside this folder, unless the pattern names it. */
const GIT = ".git";
const INSIDE_GIT = "**/.git/**";

/** More patterns than this cost a mount more than one walk over everything. */
const MAX_PATTERNS = 4;

const MAGIC = /[*?[\]{}()!+@\\]/;

/**
 * Patterns relative to the folder that `steps` lead to, for a `pattern` relative to where the steps start. None when
 * nothing below the folder can match.
 */
export function patternsBelow(pattern: string, steps: readonly string[]): string[] {
  const segments = splitSegments(pattern);
  if (segments === null) return everything(pattern);
  let states = new Set(withSkipped(segments, [0]));
  for (const step of steps) {
    const next: number[] = [];
    for (const at of states) {
      const segment = segments[at];
      if (segment === undefined) continue;
      if (segment === "**") next.push(at);
      else if (MAGIC.test(segment) || segment === step) next.push(at + 1);
    }
    states = new Set(withSkipped(segments, next));
  }
  // What follows a `**` is taken in by the pattern that starts at the `**`.
  const starts = [...states].filter((at) => at < segments.length && !(segments[at - 1] === "**" && states.has(at - 1)));
  if (starts.length > MAX_PATTERNS) return everything(pattern);
  const patterns = starts.map((at) => segments.slice(at).join("/"));
  const lostGit = patterns.length > 0 && pattern.includes(GIT) && !patterns.some((part) => part.includes(GIT));
  return lostGit ? [...patterns, INSIDE_GIT] : patterns;
}

/**
 * The filter by name that lets through every file that grep's `glob` with a slash can match; `null` for none.
 */
export function nameFilter(glob: string): string | null {
  const last = splitSegments(glob)?.at(-1) ?? "**";
  const name = last.includes("**") ? null : last;
  if (!glob.includes(GIT) || name?.includes(GIT)) return name;
  return `{${name ?? "*"},${GIT}}`;
}

/** Whether a walk from above passes over a mount, as it does over every folder of this name. */
export function isPassedOver(steps: readonly string[]): boolean {
  return steps.includes(GIT);
}

function everything(pattern: string): string[] {
  return pattern.includes(GIT) ? [EVERYTHING, INSIDE_GIT] : [EVERYTHING];
}

/** `**` also stands for no folder at all: with each state go those behind its `**`s. */
function withSkipped(segments: readonly string[], states: readonly number[]): number[] {
  const all: number[] = [];
  for (const at of states) {
    all.push(at);
    if (segments[at] === "**") all.push(at + 1);
  }
  return all;
}

/** The segments of a pattern; `null` when it cannot be taken apart at its slashes. */
function splitSegments(pattern: string): string[] | null {
  if (pattern.startsWith("!") || /[\\()]/.test(pattern)) return null;
  const segments: string[] = [];
  let depth = 0;
  let segment = "";
  const close = (): void => {
    // Two in a row mean the same as one.
    if (segment !== "**" || segments.at(-1) !== "**") segments.push(segment);
    segment = "";
  };
  for (const char of pattern.replace(/^\/+/, "")) {
    if (char === "/" && depth === 0) {
      close();
      continue;
    }
    if (char === "/") return null;
    if (char === "{" || char === "[") depth++;
    if ((char === "}" || char === "]") && depth > 0) depth--;
    segment += char;
  }
  close();
  return segments.some((part) => part === "" || part === "." || part === "..") ? null : segments;
}
