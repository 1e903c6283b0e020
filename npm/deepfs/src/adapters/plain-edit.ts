/**
 * The edit that needs no judgement: `oldString` stands in the text once, and no line end is in question. What an edit means
 * is the core's rule; here the rule says "put the one in the other's place", and the text need not cross for that.
 */

import { FAST_PATHS } from "../binding/fast-paths.js";
import { isWellFormed } from "../protocol/well-formed.js";

/** Results of no more UTF-16 units are surely below the core's limit, which is in bytes. */
const SURELY_FITS_UNITS = 64 << 20;

/**
 * The text after an edit of its only match; `null` where the core has to look: there is no match or more than one, nothing would
 * change, line ends may have to be made alike, the result may be too long, or the text cannot be stored as it is.
 */
export function plainEdit(text: string, oldString: string, newString: string): string | null {
  if (!FAST_PATHS || oldString === "" || oldString === newString) {
    return null;
  }
  const find = finder(oldString);
  const at = find(text, 0);
  // From the next unit on: matches that overlap are two.
  if (at < 0 || find(text, at + 1) >= 0) {
    return null;
  }
  if ((hasLineEnd(oldString) || hasLineEnd(newString)) && text.includes("\r")) {
    return null;
  }
  if (text.length + newString.length > SURELY_FITS_UNITS || !isWellFormed(text)) {
    return null;
  }
  return text.slice(0, at) + newString + text.slice(at + oldString.length);
}

/**
 * Where a text holds `pattern`, from a place on. The engine goes from one place with the pattern's first character to the next, and
 * what is edited mostly begins with blanks, of which code is full: so this looks for what comes behind them.
 */
function finder(pattern: string): (text: string, from: number) => number {
  const blanks = pattern.search(/\S/);
  if (blanks <= 0) {
    return (text, from) => text.indexOf(pattern, from);
  }
  const rest = pattern.slice(blanks);
  return (text, from) => {
    let at = text.indexOf(rest, from + blanks);
    while (at >= 0 && !text.startsWith(pattern, at - blanks)) {
      at = text.indexOf(rest, at + 1);
    }
    return at < 0 ? at : at - blanks;
  };
}

function hasLineEnd(text: string): boolean {
  return text.includes("\n") || text.includes("\r");
}
