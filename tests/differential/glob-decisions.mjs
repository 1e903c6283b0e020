// Where deepfs means to answer differently from micromatch or fast-glob, or where the two differ from each other: the
// answer, who gives another one, and why. `docs/COMPAT.md` tells users the same.

const NEEDS_SEGMENT = "'!(…)' as a segment stands for one name, and never for none";
const BELOW = "a final '/**' means what is below, as on disk; a file of the folder's name is not below itself";
const EXACT = "'!(…)' excludes the exact text, as in bash; micromatch excludes what merely begins with it";
const BOTH = "a name in brackets matches itself as well as a class or group";
const REGEX = "pieces of regular expressions that micromatch lets through are plain characters, as in every shell";
const QUOTES = "quotes are characters of a name";
const ROOT = "no pattern leads out of the root";
const SPELLING = "repeated slashes and '.' segments mean nothing, as in paths";
const RANGE = "ranges count, as in bash and fast-glob; micromatch reads '{1..12}' as a class";
const BRACE = "braces mean the same at the start of a pattern as anywhere";
const POINT = "'?' and classes take one code point, not one UTF-16 unit";
const NEGATION = "a leading '!' means everything but, on disk too";
const STEPS = "fast-glob misses files where a '?' stands in a folder's name";

/** Each line: pattern, path, our answer, the reason. What the two matchers say is asked when the file is written. */
export const DECISIONS = [
  ["**/x*/**/!(docs)", "x.d.ts", false, NEEDS_SEGMENT],
  ["src/*/**/!(docs)", "src/lib.rs", false, NEEDS_SEGMENT],
  ["x/ay/**", "x/ay", false, BELOW],
  ["{lib*,*}/**", "README.md", false, BELOW],
  ["lib/!(a).js", "lib/ab.js", true, EXACT],
  ["lib/!(a).js", "lib/a.js", false, EXACT],
  ["app/[...slug]/*.tsx", "app/[...slug]/page.tsx", true, BOTH],
  ["app/(shop)/*.tsx", "app/(shop)/page.tsx", true, BOTH],
  ["app/(shop)/*.tsx", "app/shop/page.tsx", true, BOTH],
  ["app/(shop)/**", "app/(shop)/cart/page.tsx", true, BOTH],
  ["[a-z].ts", "[a-z].ts", true, BOTH],
  ["[a-z]/*", "[a-z]/x", true, BOTH],
  ["file[0-9]+.txt", "file10.txt", false, REGEX],
  ["file[0-9]+.txt", "file1+.txt", true, REGEX],
  ["file\\d.txt", "file1.txt", false, REGEX],
  ["file\\d.txt", "filed.txt", true, REGEX],
  ['"a"', "a", false, QUOTES],
  ["../secret/*", "secret/key.txt", false, ROOT],
  ["{..,x}/y/z", "x/y/z", true, ROOT],
  ["a/../b.ts", "b.ts", false, ROOT],
  ["src//main.ts", "src/main.ts", true, SPELLING],
  ["src/./main.ts", "src/main.ts", true, SPELLING],
  ["v{1..12}", "v12", true, RANGE],
  ["v{1..12}", "v2", true, RANGE],
  ["v{01..10..3}", "v04", true, RANGE],
  ["{**/x/*,docs}", "x/ay", true, BRACE],
  ["{**/[p7]ackage.json,src}", "package.json", true, BRACE],
  ["?.txt", "😀.txt", true, POINT],
  ["!*.md", "b.ts", true, NEGATION],
  ["!*.md", "README.md", false, NEGATION],
  ["s?c/lib/*", "src/lib/mod.rs", true, STEPS],
];

/** Rows that the two agree on, and we do not: the rules above that random patterns run into. */
export function isDecided({ pattern, match }) {
  return /\/\*\*\/!\([^)]*\)$/.test(pattern) && match;
}
