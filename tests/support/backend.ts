/**
 * The package as the build under test gives it. `DEEPFS_TEST_BUILD` says which; `vitest.config.ts` sets it per project.
 */

export type Build = "native" | "wasm";

export const build: Build = process.env["DEEPFS_TEST_BUILD"] === "wasm" ? "wasm" : "native";

export const deepfs = build === "wasm" ? await import("deepfs/wasm") : await import("deepfs");

// The addon that does not load gives way to WASM with a warning: tests that mean the addon must not pass on that.
if (deepfs.coreBuild().build !== build) {
  throw new Error(`The tests mean the ${build} build, and deepfs runs as ${deepfs.coreBuild().build}.`);
}
