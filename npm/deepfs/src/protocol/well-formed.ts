/**
 * Lone surrogates: half of a two-part UTF-16 character. They have no UTF-8 form, so a string that holds one cannot be
 * stored, and the crossing into Rust would silently replace it.
 */

// In the `u` mode a surrogate pair is one character, so this matches halves only.
const LONE_SURROGATE = /\p{Surrogate}/u;
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** Absent in engines before 2023. */
interface WellFormedString {
  isWellFormed?: () => boolean;
}

/** Whether a text has no lone surrogate. */
export function isWellFormed(text: string): boolean {
  const native = (text as WellFormedString).isWellFormed;
  return native === undefined ? !LONE_SURROGATE.test(text) : native.call(text);
}

/** Where the first lone surrogate is, in UTF-16 units; -1 without one. */
export function loneSurrogateAt(text: string): number {
  return isWellFormed(text) ? -1 : text.search(LONE_SURROGATE);
}

/** The text with each lone surrogate replaced, for showing it. */
export function toWellFormed(text: string): string {
  return isWellFormed(text) ? text : text.replace(LONE_SURROGATES, "\uFFFD");
}
