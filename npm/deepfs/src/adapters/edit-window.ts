/**
 * The part of a long text that an edit needs. What an edit means is the core's rule; but a text of many megabytes is
 * costly to hand over, and the lines around the only match say as much.
 */

import { FAST_PATHS } from "../binding/fast-paths.js";

/** Shorter texts cross whole: finding the lines would take as long. */
const LONG_UNITS = 512;

/** A part of a text: from `start` up to `end`, in UTF-16 units. */
export interface EditWindow {
  start: number;
  end: number;
}

/**
 * The lines that hold the only match of `oldString`; `null` where the whole text has to be looked at: it is short,
 * there is no match or more than one, or line ends may have to be made alike.
 */
export function editWindow(text: string, oldString: string, newString: string): EditWindow | null {
  if (!FAST_PATHS || text.length < LONG_UNITS || oldString === "") {
    return null;
  }
  const at = text.indexOf(oldString);
  // From the next unit on: matches that overlap are two.
  if (at < 0 || text.indexOf(oldString, at + 1) >= 0) {
    return null;
  }
  if ((/[\r\n]/.test(oldString) || /[\r\n]/.test(newString)) && text.includes("\r")) {
    return null;
  }
  const after = text.indexOf("\n", at + oldString.length);
  return { start: at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1, end: after < 0 ? text.length : after + 1 };
}
