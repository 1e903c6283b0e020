/** When a call may be answered at once, without leaving the JS thread. */

/** Answers in a row that are given inside their calls; at some ten microseconds each, less than a millisecond. */
const IN_A_ROW = 64;

let given = 0;

/**
 * Whether the next answer may be given inside its call. Such an answer settles its promise without a turn of the event loop,
 * so a long chain of them would keep timers and sockets waiting: every 64th goes through the thread pool and lets them run.
 */
export function mayAnswerInCall(): boolean {
  given = (given + 1) % IN_A_ROW;
  return given !== 0;
}
