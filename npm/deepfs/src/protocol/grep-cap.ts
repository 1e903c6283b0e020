/** The cap of `grep`, for searches that do not stop by themselves. */

import type { GrepResult } from "./results.js";

/** Cuts a finished search to `maxCount` matches and says so. Without a cap, or below it, the result as it is. */
export function applyGrepMaxCount(params: { result: GrepResult; maxCount: number | null | undefined }): GrepResult {
  const { result, maxCount } = params;
  if (typeof maxCount !== "number" || Number.isNaN(maxCount) || !Array.isArray(result.matches)) {
    return result;
  }
  const cap = Math.max(0, Math.floor(maxCount));
  return result.matches.length <= cap ? result : { ...result, matches: result.matches.slice(0, cap), truncated: true };
}
