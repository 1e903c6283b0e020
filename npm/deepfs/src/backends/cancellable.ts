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

/** Calls that run under a signal. One listener serves them all: many would look like a leak to Node, which warns. */
const running = new WeakMap<AbortSignal, { cancels: Set<CancelHandle>; stop: () => void }>();

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
  for (const signal of signals) {
    follow(signal, cancel);
  }
  try {
    return await call(cancel);
  } finally {
    for (const signal of signals) {
      unfollow(signal, cancel);
    }
  }
}

function follow(signal: AbortSignal, cancel: CancelHandle): void {
  if (signal.aborted) {
    cancel.cancel();
    return;
  }
  const known = running.get(signal);
  if (known !== undefined) {
    known.cancels.add(cancel);
    return;
  }
  const cancels = new Set([cancel]);
  const stop = (): void => {
    for (const one of cancels) {
      one.cancel();
    }
  };
  running.set(signal, { cancels, stop });
  signal.addEventListener("abort", stop, { once: true });
}

function unfollow(signal: AbortSignal, cancel: CancelHandle): void {
  const known = running.get(signal);
  if (known?.cancels.delete(cancel) === true && known.cancels.size === 0) {
    signal.removeEventListener("abort", known.stop);
    running.delete(signal);
  }
}
