/** Failures inside adapters: thrown as a {@link Fault}, turned into a result where the method ends. */

import type { Failure, Method } from "../binding/contract.js";
import { failure, thrown } from "../protocol/failure.js";

const FAULT = Symbol.for("deepfs.fault");

/** A failure with the code that results carry. `detail` is what the sentence adds to it. */
export interface Fault extends Error {
  readonly code: string;
  readonly detail: string;
}

/** Makes a fault to throw. */
export function fault(code: string, detail = ""): Fault {
  return Object.assign(new Error(detail === "" ? code : detail), { code, detail, [FAULT]: true as const });
}

/** Tells a fault from any other thrown value. */
export function isFault(value: unknown): value is Fault {
  return typeof value === "object" && value !== null && FAULT in value;
}

/**
 * The result for whatever was thrown during a method.
 *
 * @throws The value itself when it is LangGraph's control flow.
 */
export function failureOf(method: Method, path: string, value: unknown): Failure {
  return isFault(value) ? failure(method, value.code, path, value.detail) : thrown(method, path, value);
}
