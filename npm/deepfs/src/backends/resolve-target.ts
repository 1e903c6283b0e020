/** Asks a backend where a path leads once links are followed. */

import type { Failure } from "../binding/contract.js";
import { thrown } from "../protocol/failure.js";
import type { MaybePromise } from "../protocol/types.js";

/** A virtual path, or why there is none. */
export type ResolvedTarget = { path: string } | Failure;

/** The method of a backend that may have links. */
interface ResolvesTargets {
  resolveTarget?(path: string): MaybePromise<ResolvedTarget>;
}

/** The target of `path`; `path` itself for a backend without links. */
export async function resolveTarget(backend: object, path: string): Promise<ResolvedTarget> {
  const links = backend as ResolvesTargets;
  if (typeof links.resolveTarget !== "function") return { path };
  try {
    return await links.resolveTarget(path);
  } catch (error) {
    return thrown("read", path, error);
  }
}
