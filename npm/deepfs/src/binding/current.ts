/** The build of the core in use. An entry of the package sets it before anything else runs. */

import type { Binding } from "./contract.js";

let current: Binding | undefined;

/** Makes `binding` the one that every backend uses. */
export function setBinding(binding: Binding): void {
  current = binding;
}

/**
 * The build in use.
 *
 * @throws When no entry has set one: a module of deepfs was imported by a path of its own.
 */
export function getBinding(): Binding {
  if (current === undefined) {
    throw new Error("deepfs has no core loaded: import it as 'deepfs' or 'deepfs/wasm', not by a file of the package");
  }
  return current;
}
