/**
 * The switch for shortcuts that answer the same. It exists for tests that compare, and for whoever suspects one.
 *
 * Off, every read goes through the thread pool and counts its lines anew, one thread walks a tree, rows are unpacked at once,
 * the index of a state is made for each call, and its texts cross to the core whole.
 */

/** False where the environment says `DEEPFS_FAST_PATHS=off`, which is looked at once, when the package is loaded. */
export const FAST_PATHS: boolean = setting() !== "off";

function setting(): string | undefined {
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    return process?.env?.["DEEPFS_FAST_PATHS"];
  } catch {
    // Deno throws when a program without permission looks at its environment.
    return undefined;
  }
}
