/** Permissions, as the documentation declares them: the agent's own rules, and the same rules below the tools. */

import { FilesystemBackend, type FilesystemPermission, withPermissions } from "deepfs";
import { describe, expect, test } from "vitest";
import { ask, edit, list, read, write } from "./ask.js";
import { workspace } from "./workspace.js";

const READ_ONLY_POLICIES: FilesystemPermission[] = [
  { operations: ["write"], paths: ["/policies/**"], mode: "deny" },
  { operations: ["read", "write"], paths: ["/secrets/**"], mode: "deny" },
];

const FILES = { "/policies/rule.md": "rule", "/secrets/key.txt": "key", "/notes.md": "notes" };

const calls = [
  read("/policies/rule.md"),
  edit("/policies/rule.md", "rule", "none"),
  read("/secrets/key.txt"),
  write("/draft.md", "draft"),
  list("/secrets"),
];

describe.each([
  [
    "rules of the agent, over a backend of deepfs",
    async () => ({ backend: await folder(), permissions: READ_ONLY_POLICIES }),
  ],
  ["the same rules below the tools", async () => ({ backend: withPermissions(await folder(), READ_ONLY_POLICIES) })],
])("%s", (_name, options) => {
  test("what is allowed works, and what is denied says so", async () => {
    const answers = await ask(await options(), calls);
    expect(answers[0]).toContain("rule");
    expect(answers[1]).toMatch(/permission denied/i);
    expect(answers[2]).toMatch(/permission denied/i);
    expect(answers[3]).toBe("Successfully wrote to '/draft.md'");
    expect(answers[4]).not.toContain("key.txt");
  });
});

test("below the tools, another spelling of a path is no way around", async () => {
  const backend = withPermissions(await folder(), READ_ONLY_POLICIES);
  for (const path of ["/./secrets/key.txt", "//secrets/key.txt", "/secrets/./key.txt"]) {
    expect(await backend.read(path)).toMatchObject({ code: "denied" });
  }
});

/** A folder with something to guard. */
async function folder(): Promise<FilesystemBackend> {
  const backend = FilesystemBackend.createSafe(workspace());
  for (const [path, text] of Object.entries(FILES)) await backend.write(path, text);
  return backend;
}
