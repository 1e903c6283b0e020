/** How many calls may be made in a span of time. */

/** At most `calls` in any `intervalMs`. */
export interface RateLimit {
  /** A whole number from 1 on. */
  calls: number;
  /** Milliseconds. */
  intervalMs: number;
}

/**
 * A limiter: called before each call, it answers with 0 when the call may go ahead, else with the milliseconds until
 * the next one may. Keeps the times of the last `calls` calls and nothing else.
 *
 * @throws When the limit is not made of positive numbers.
 */
export function rateLimiter({ calls, intervalMs }: RateLimit, now: () => number): () => number {
  if (!Number.isInteger(calls) || calls < 1 || !(intervalMs > 0)) {
    throw new Error("withPolicy: rateLimit needs calls, a whole number from 1 on, and intervalMs, above 0");
  }
  const times: number[] = [];
  let oldest = 0;
  return () => {
    const time = now();
    const first = times.length < calls ? undefined : times[oldest];
    // A clock that was set back must not lock the backend.
    const wait = first === undefined || time < first ? 0 : Math.ceil(first + intervalMs - time);
    if (wait > 0) return wait;
    times[oldest] = time;
    oldest = (oldest + 1) % calls;
    return 0;
  };
}
