/** The documentation's examples of `FilesystemBackend`: real files below a folder. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CompositeBackend, FilesystemBackend, StateBackend } from "deepfs";
import { describe, expect, test } from "vitest";
import { ask, edit, list, read, write } from "./ask.js";
import { workspace } from "./workspace.js";

test("a folder as the root of the agent's paths", async () => {
  const root = workspace();
  writeFileSync(join(root, "main.ts"), "const answer = 41;\n");
  const backend = new FilesystemBackend({ rootDir: root, virtualMode: true });
  const answers = await ask({ backend }, [
    list("/"),
    edit("/main.ts", "41", "42"),
    write("/docs/readme.md", "# Docs\n"),
    read("/../outside.txt"),
  ]);
  expect(answers[0]).toBe("/main.ts (19 bytes)");
  expect(readFileSync(join(root, "main.ts"), "utf8")).toBe("const answer = 42;\n");
  expect(readFileSync(join(root, "docs", "readme.md"), "utf8")).toBe("# Docs\n");
  expect(answers[3]).toMatch(/^Error/);
  expect(answers.join()).not.toContain(root);
});

test("without virtualMode the agent speaks of the machine's paths", async () => {
  const root = workspace();
  const path = join(root, "a.txt");
  const backend = new FilesystemBackend({ rootDir: root });
  const answers = await ask({ backend }, [write(path, "text"), read(path), list(root)]);
  expect(answers[0]).toBe(`Successfully wrote to '${path}'`);
  expect(answers[1]).toContain("text");
  expect(answers[2]).toContain(path);
});

describe("what the agent keeps for itself stays out of the project", () => {
  const routed = (root: string) =>
    new CompositeBackend(new StateBackend(), {
      "/workspace/": new FilesystemBackend({ rootDir: root, virtualMode: true }),
    });

  test("paths below the route are files, all others are state", async () => {
    const root = workspace();
    mkdirSync(join(root, "src"));
    writeFileSync(join(root, "src", "a.ts"), "export {};\n");
    const answers = await ask({ backend: routed(root) }, [
      list("/workspace/src"),
      write("/workspace/src/b.ts", "new"),
      write("/large_tool_results/1", "a large result"),
      read("/large_tool_results/1"),
      ["glob", { pattern: "**/*", path: "/" }],
    ]);
    expect(answers[0]).toBe("/workspace/src/a.ts (11 bytes)");
    expect(answers[3]).toContain("a large result");
    expect(answers[4]?.split("\n").sort()).toEqual([
      "/large_tool_results/1",
      "/workspace/src/a.ts",
      "/workspace/src/b.ts",
    ]);
    expect(readdirSync(root)).toEqual(["src"]);
    expect(readdirSync(join(root, "src")).sort()).toEqual(["a.ts", "b.ts"]);
  });
});

test("a route to a folder, beside state: memories on the disk", async () => {
  const root = workspace();
  const backend = new CompositeBackend(new StateBackend(), {
    "/memories/": new FilesystemBackend({ rootDir: root, virtualMode: true }),
  });
  const answers = await ask({ backend }, [
    write("/workspace/plan.md", "the plan"),
    write("/memories/agent.md", "the memory"),
    ["grep", { pattern: "the ", path: "/" }],
    list("/"),
  ]);
  expect(readdirSync(root)).toEqual(["agent.md"]);
  expect(answers[2]).toMatch(/\/memories\/agent\.md[^]*\/workspace\/plan\.md/);
  expect(answers[3]).toMatch(/\/memories\/ .*\n\/workspace\/ /);
});
