import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { build, deepfs } from "../support/backend.js";

const { version } = JSON.parse(readFileSync("npm/deepfs/package.json", "utf8")) as { version: string };

test("the build under test is loaded, and is of the package's version", () => {
  expect(deepfs.coreBuild()).toEqual({ build, version });
});

test("loading the WASM build again gives the same core", async () => {
  const again = await import("deepfs/wasm");
  expect(again.coreBuild()).toEqual({ build: "wasm", version });
});
