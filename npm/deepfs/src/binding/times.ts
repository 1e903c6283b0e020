/** Times as the protocol writes them. */

/** The largest time that a `Date` can hold, in milliseconds. */
const MAX_TIME_MS = 8.64e15;

/** Milliseconds since 1970 as ISO text, or a text as it is; empty for a time that is not known. */
export function isoText(time: number | string | undefined): string {
  if (typeof time === "string") {
    return time;
  }
  return time === undefined || !(Math.abs(time) <= MAX_TIME_MS) ? "" : new Date(time).toISOString();
}
