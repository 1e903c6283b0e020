/** Calls of the core that an `AbortSignal` can end. */

import type { CancelHandle } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";

/** Whether a value can be used as an `AbortSignal`, also one of another realm. */
export function isSignal(value: unknown): value is AbortSignal {
  try {
    const { aborted, addEventListener, removeEventListener } = value as AbortSignal;
    return (
      typeof aborted === "boolean" &&
      typeof addEventListener === "function" &&
      typeof removeEventListener === "function"
    );
  } catch {
    return false;
  }
}

/** Runs a call that ends early when one of the signals aborts, or has aborted. */
export function cancellable<T>(
  signals: readonly (AbortSignal | undefined)[],
  call: (cancel?: CancelHandle) => Promise<T>,
): Promise<T> {
  const { Cancel } = getBinding();
  const given = signals.filter((signal) => signal !== undefined);
  return given.length === 0 || Cancel === undefined ? call() : withSignals(given, new Cancel(), call);
}

async function withSignals<T>(
  signals: readonly AbortSignal[],
  cancel: CancelHandle,
  call: (cancel: CancelHandle) => Promise<T>,
): Promise<T> {
  const stop = (): void => cancel.cancel();
  for (const signal of signals) {
    signal.addEventListener("abort", stop, { once: true });
  }
  // Listeners of a signal that has aborted are not called.
  if (signals.some((signal) => signal.aborted)) {
    stop();
  }
  try {
    return await call(cancel);
  } finally {
    for (const signal of signals) {
      signal.removeEventListener("abort", stop);
    }
  }
}
