import { defineConfig } from "vitest/config";

/** Tests that say what every build of the core has to answer; they take the build from `tests/support/backend.ts`. */
const EVERY_BUILD = ["tests/conformance/**/*.test.ts", "tests/binding/**/*.test.ts"];

/** Prints what the cases of every backend came to. */
const CASE_TABLE = "./tests/support/case-table.ts";

/** `DEEPFS_TEST_BUILD=wasm npx vitest run` picks one build; without it, each runs. */
const picked = process.env["DEEPFS_TEST_BUILD"];

/** Tests of services that are not here: they are there only for those who have a key. */
const hasHub = process.env["LANGSMITH_API_KEY"] !== undefined && process.env["DEEPFS_LIVE_HUB_REPO"] !== undefined;
const LIVE = hasHub ? ["tests/live/**/*.live.ts"] : [];

const projects = [
  {
    name: "native",
    build: "native",
    include: ["tests/!(attack)/**/*.test.ts", "npm/deepfs/src/**/*.test.ts", ...LIVE],
  },
  { name: "wasm", build: "wasm", include: EVERY_BUILD },
  // The attack takes the machine for itself: file after file, once all others are done.
  { name: "attack", build: "native", include: ["tests/attack/**/*.test.ts"], alone: true },
].filter(({ build }) => picked === undefined || picked === build);

export default defineConfig({
  test: {
    // The bundles are what ships: Node loads them itself, not vite.
    server: { deps: { external: [/npm\/deepfs\/dist\//] } },
    reporters: ["default", CASE_TABLE],
    // For machines that do other things too; a test that waits for something sets its own.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: projects.map(({ name, build, include, alone = false }) => ({
      extends: true,
      test: {
        name,
        include,
        env: { DEEPFS_TEST_BUILD: build },
        ...(alone ? { maxWorkers: 1, sequence: { groupOrder: 1 } } : {}),
      },
    })),
  },
});
