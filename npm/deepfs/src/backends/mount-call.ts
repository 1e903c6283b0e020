/** Calls to the backend of a mount: nothing is thrown, and sentences name the path that the caller knows. */

import type { Failure, Method } from "../binding/contract.js";
import { thrown } from "../protocol/failure.js";
import type { Coded, MaybePromise } from "../protocol/types.js";
import type { Location } from "./routes.js";

/** What every result has. */
export interface AnyResult extends Coded {
  error?: string;
}

/**
 * The result of a call to a mount.
 *
 * @param texts Texts of the caller's own that the sentence of a failure may repeat.
 */
export async function ask<Result extends AnyResult>(
  method: Method,
  where: Location,
  call: () => MaybePromise<Result>,
  texts: readonly string[] = [],
): Promise<Result | Failure> {
  try {
    const result = await call();
    if (!result.error) return result;
    return { ...result, error: restorePath(result.error, where, texts) };
  } catch (error) {
    return thrown(method, where.outer, error);
  }
}

/**
 * A sentence with the mount's path in place of the stripped one.
 *
 * Only the first quoted text is looked at, and nothing is touched when a text of the caller's own holds it: the sentence
 * may be quoting that.
 */
export function restorePath(sentence: string, where: Location, texts: readonly string[] = []): string {
  const quoted = `'${where.inner}'`;
  if (where.inner === where.outer || texts.some((text) => `'${text}'`.includes(quoted))) return sentence;
  const at = sentence.indexOf(quoted);
  if (at < 0 || sentence.slice(0, at).includes("'")) return sentence;
  return `${sentence.slice(0, at)}'${where.outer}'${sentence.slice(at + quoted.length)}`;
}
