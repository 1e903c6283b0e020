import { expect, test } from "vitest";
import { nameFilter, patternsBelow } from "../../npm/deepfs/src/backends/pattern-below.js";

test.each([
  // A pattern for a folder, the steps to a mount, what to ask the mount for.
  ["**/*.md", ["mem"], ["**/*.md"]],
  ["*.md", ["mem"], []],
  ["mem/*.md", ["mem"], ["*.md"]],
  ["/mem/**", ["mem"], ["**"]],
  ["mem", ["mem"], []],
  ["memory/*.md", ["mem"], []],
  ["*/notes.md", ["mem"], ["notes.md"]],
  ["**/mem/*.md", ["mem"], ["**/mem/*.md", "*.md"]],
  ["**/**/a.md", ["mem"], ["**/a.md"]],
  ["a/**/b/*.md", ["a", "b"], ["**/b/*.md", "*.md"]],
  ["a/*/x", ["a", "b", "c"], []],
  ["{mem,src}/x", ["mem"], ["x"]],
  ["{mem/a,src}/x", ["mem"], ["**/*"]],
  ["!mem/**", ["mem"], ["**/*"]],
  ["!(a)/x", ["mem"], ["**/*"]],
  ["./mem/x", ["mem"], ["**/*"]],
  ["{.git,src}/**", ["src"], ["**", "**/.git/**"]],
  ["!.git/**", ["src"], ["**/*", "**/.git/**"]],
  ["**/a/**/a/**/a/**/a/**/a/x", ["a", "a", "a", "a", "a"], ["**/*"]],
])("below %j by %j: ask for %j", (pattern, steps, expected) => {
  expect(patternsBelow(pattern, steps)).toEqual(expected);
});

test("a hostile pattern takes a moment", () => {
  const started = performance.now();
  const hostile = "**/".repeat(200_000);
  expect(patternsBelow(`${hostile}x`, ["a", "b"])).toEqual(["**/x"]);
  expect(patternsBelow("{".repeat(200_000), ["a"])).toEqual([]);
  expect(patternsBelow(`${"a/**/".repeat(100_000)}x`, ["a", "a", "a"])).toHaveLength(3);
  expect(performance.now() - started).toBeLessThan(2000);
});

test.each([
  ["src/*.ts", "*.ts"],
  ["src/**", null],
  ["src/", null],
  ["!src/*.ts", null],
  ["{a/b,c}/d", null],
  [".git/config", "{config,.git}"],
  [".github/**", "{*,.git}"],
])("names that %j can match: %j", (glob, expected) => {
  expect(nameFilter(glob)).toBe(expected);
});
