/** A grep with a cap over matches of which some are not to be shown. */

import type { GrepMatch, GrepResult } from "../protocol/types.js";

/** How much more to ask for when hidden matches used up the cap. */
const GROWTH = 8;

/** From here on the search runs without a cap. */
const LARGEST_CAP = 1_000_000;

/**
 * Matches that `keep` lets through, up to one more than `maxCount` where there are so many.
 *
 * @param search Asked with a cap; again with a larger one only when hidden matches used that up.
 * @param maxCount The cap on what is shown.
 */
export async function grepKept<Result extends GrepResult>(
  search: (cap: number | null) => Promise<Result>,
  keep: (matches: readonly GrepMatch[]) => GrepMatch[] | Promise<GrepMatch[]>,
  maxCount: number | null,
): Promise<Result> {
  // One more than is shown tells whether there is more to show, and not only something hidden.
  let cap = maxCount === null ? null : maxCount + 1;
  for (;;) {
    const result = await search(cap);
    if (result.error || result.matches === undefined) return result;
    const kept = await keep(result.matches);
    const usedUp = cap !== null && result.matches.length >= cap && kept.length <= (maxCount ?? 0);
    if (!usedUp || cap === null) return { ...result, matches: kept };
    cap = cap * GROWTH > LARGEST_CAP ? null : cap * GROWTH;
  }
}

/** Cuts matches at the cap and says so. */
export function cutMatches<Result extends GrepResult>(result: Result, maxCount: number | null): Result {
  if (maxCount === null || result.matches === undefined || result.matches.length <= maxCount) return result;
  return { ...result, matches: result.matches.slice(0, maxCount), truncated: true };
}
