/** The order of paths in every answer: by code point, the same on every machine and in every locale. */

const SURROGATE = /[\uD800-\uDFFF]/;

/** UTF-16 units sort as code points do, once the surrogates are moved behind the rest of the first plane. */
function weight(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Compares two texts by code point. */
export function compareByCodePoint(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return weight(left) - weight(right);
  }
  return a.length - b.length;
}

function compareByUnit(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Sorts rows by path in place; rows of one path keep their order. */
export function sortByPath<Row extends { path: string }>(rows: Row[]): Row[] {
  return sortBy(rows, (row) => row.path);
}

/** Sorts rows in place by a text of theirs. */
export function sortBy<Row>(rows: Row[], textOf: (row: Row) => string): Row[] {
  // The engine's own comparison is many times faster, and right unless surrogates are about.
  const compare = rows.some((row) => SURROGATE.test(textOf(row))) ? compareByCodePoint : compareByUnit;
  return rows.sort((a, b) => compare(textOf(a), textOf(b)));
}
