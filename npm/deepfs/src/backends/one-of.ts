/** Options that take one of a few words. */

/**
 * Checks such an option; left out, it has its default.
 *
 * @throws TypeError when it is something else.
 */
export function oneOf(option: string, value: unknown, allowed: readonly string[]): void {
  if (value !== undefined && !allowed.includes(value as string)) {
    throw new TypeError(`${option} must be one of ${allowed.map((name) => `"${name}"`).join(", ")}`);
  }
}
