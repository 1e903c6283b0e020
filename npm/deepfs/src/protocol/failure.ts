/** Failures that happen in TypeScript, as the results that the core would give. */

import type { Failure, Method } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import { toWellFormed } from "./well-formed.js";

/** A failure with its sentence, which the core makes. `path` and `detail` may be any text. */
export function failure(method: Method, code: string, path: string, detail = ""): Failure {
  return getBinding().rules.failure(method, code, toWellFormed(path), toWellFormed(detail));
}

/**
 * Whether an error is LangGraph's way to interrupt or to bubble up, which nobody on the way may swallow.
 */
export function isControlFlow(error: unknown): boolean {
  try {
    return typeof error === "object" && error !== null && (error as { is_bubble_up?: unknown }).is_bubble_up === true;
  } catch {
    return false;
  }
}

/** What a thrown value says. */
export function messageOf(error: unknown): string {
  try {
    if (typeof error === "object" && error !== null) {
      const { message } = error as { message?: unknown };
      if (typeof message === "string" && message !== "") {
        return message;
      }
    }
    return String(error);
  } catch {
    return "unknown error";
  }
}

/**
 * The result for something that another party threw: a store, a hub, a backend of the user's.
 *
 * @throws The error itself when it is LangGraph's control flow.
 */
export function thrown(method: Method, path: string, error: unknown): Failure {
  if (isControlFlow(error)) {
    throw error;
  }
  return failure(method, isAbort(error) ? "cancelled" : "unavailable", path, messageOf(error));
}

/** Whether an error says that an `AbortSignal` ended the work. */
function isAbort(error: unknown): boolean {
  try {
    return typeof error === "object" && error !== null && (error as { name?: unknown }).name === "AbortError";
  } catch {
    // A revoked proxy, or a getter that throws.
    return false;
  }
}
