/** Notices that are given once. */

const given = new Set<string>();

/** Says on the console, once per process and subject, that a form is deprecated. */
export function warnDeprecated(subject: string, instead: string): void {
  warnOnce(subject, `${subject} is deprecated: ${instead}`);
}

/** Says something on the console, once per process and subject. */
export function warnOnce(subject: string, text: string): void {
  if (given.has(subject)) {
    return;
  }
  given.add(subject);
  // The one place that speaks to the user's console, and only to say what to change.
  // oxlint-disable-next-line no-console
  console.warn(`deepfs: ${text}`);
}
