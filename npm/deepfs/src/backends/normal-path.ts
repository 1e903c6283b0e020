/** A path argument in the one spelling that every layer compares. */

import { type Failure, isFailure, type Method } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import { parsePath } from "../protocol/arguments.js";

/** The normalised path: absolute, without empty and `.` segments and without a final slash. `..` is refused. */
export function normalPath(method: Method, value: unknown): string | Failure {
  const spelt = parsePath(method, value);
  if (isFailure(spelt)) return spelt;
  const parsed = getBinding().rules.parsePath(method, spelt);
  return isFailure(parsed) ? parsed : parsed.path;
}
