/** The paths that keys of a state, and texts of callers, mean. */

import type { Failure, Method } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import { FAST_PATHS } from "../binding/fast-paths.js";

/** The longest name in bytes is 255, so no shorter key can hold one that is too long. */
const SURELY_SHORT_UNITS = 80;

/** Whether a key surely is a normalised path; a few that are may be taken for ones that are not. */
export function isNormal(key: string): boolean {
  return (
    key.length > 1 &&
    key.length <= SURELY_SHORT_UNITS &&
    key.startsWith("/") &&
    !key.endsWith("/") &&
    !key.includes("//") &&
    !key.includes("/.") &&
    !key.includes("\0")
  );
}

/** Whether each of these keys, joined by NUL, surely is a normalised path. */
export function areNormal(keys: readonly string[], joined: string): boolean {
  // One pass; three searches for a slash and another character would stop at every slash of every key.
  if (/\/[/.\0]/.test(joined) || joined.endsWith("/")) {
    return false;
  }
  return keys.every(
    (key) => key.length > 1 && key.length <= SURELY_SHORT_UNITS && key.startsWith("/") && !key.includes("\0"),
  );
}

/** The path that a caller's text means, or the failure that it is none. Most are normal already, and need not cross for it. */
export function pathOf(method: Method, shown: string): { path: string } | Failure {
  return FAST_PATHS && isNormal(shown) ? { path: shown } : getBinding().rules.parsePath(method, shown);
}

/** The path that a key means; `null` when it can be none. */
export function meaningOf(key: string): string | null {
  const parsed = getBinding().rules.parsePath("ls", key);
  return "path" in parsed && parsed.path !== "/" ? parsed.path : null;
}

/** Whether a normalised path is another one or lies below it. */
export function isAtOrBelow(path: string, base: string): boolean {
  return base === "/" || path === base || path.startsWith(`${base}/`);
}
