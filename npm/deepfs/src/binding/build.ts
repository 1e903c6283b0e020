import { getBinding } from "./current.js";
import type { Binding } from "./contract.js";

/** Which build of the core answers, and its version: for bug reports, and for tests that mean one build. */
export function coreBuild(): Pick<Binding, "build" | "version"> {
  const { build, version } = getBinding();
  return { build, version };
}
