/** A bad argument of every kind gets an error result from every method of every backend, and nothing is changed. */

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FilesystemBackend, StateBackend } from "deepfs";
import { afterAll, describe, expect, test } from "vitest";
import { BAD_PATHS, HOSTILE } from "../support/hostile.js";

const root = mkdtempSync(join(tmpdir(), "deepfs-arguments-"));
afterAll(() => rmSync(root, { recursive: true }));

type Methods = Record<string, (...args: unknown[]) => unknown>;

const safe = FilesystemBackend.createSafe(root);
const runtime = { state: { files: {} } };
const backends: [string, Methods, () => unknown][] = [
  ["FilesystemBackend", safe as unknown as Methods, () => readdirSync(root)],
  ["StateBackend, own memory", new StateBackend() as unknown as Methods, () => []],
  ["StateBackend, runtime", new StateBackend(runtime) as unknown as Methods, () => Object.keys(runtime.state.files)],
];

const failure = { error: expect.stringMatching(/./s), code: expect.stringMatching(/^[a-z_]+$/) };
/** Listings and searches carry their empty list besides. */
const noFiles = { ...failure, files: [] };
const noMatches = { ...failure, matches: [] };
const transferFailure = {
  error: expect.stringMatching(/^(file_not_found|permission_denied|is_directory|invalid_path)$/),
  code: failure.code,
  message: failure.error,
};

describe.each(backends)("%s", (_name, backend, left) => {
  // A list may carry the update for the caller as a field of its own; here its items count.
  const call = async (method: string, ...args: unknown[]): Promise<unknown> => {
    const answer = await backend[method]?.(...args);
    return Array.isArray(answer) ? [...answer] : answer;
  };

  test.each(BAD_PATHS)("a path that is %s", async (_bad, path) => {
    expect({
      read: await call("read", path),
      readRaw: await call("readRaw", path),
      write: await call("write", path, "x"),
      edit: await call("edit", path, "a", "b"),
      delete: await call("delete", path),
      ls: await call("ls", path),
    }).toEqual({ read: failure, readRaw: failure, write: failure, edit: failure, delete: failure, ls: noFiles });
    expect(await call("uploadFiles", [[path, new Uint8Array(1)]])).toMatchObject([transferFailure]);
    expect(await call("downloadFiles", [path])).toMatchObject([{ ...transferFailure, content: null }]);
    expect(left()).toEqual([]);
  });

  // Without a path a search begins at the root: `undefined` and `null` are no bad ones.
  test.each(BAD_PATHS.filter(([, path]) => path !== undefined && path !== null))(
    "the path of a search that is %s",
    async (_bad, path) => {
      expect([await call("glob", "*", path), await call("grep", "x", path)]).toEqual([noFiles, noMatches]);
    },
  );

  test.each(HOSTILE)("any other argument that is %s", async (_bad, value) => {
    const answers = {
      content: await call("write", "/a.txt", value),
      oldString: await call("edit", "/a.txt", value, "b"),
      newString: await call("edit", "/a.txt", "a", value),
      replaceAll: await call("edit", "/a.txt", "a", "b", value),
      grepPattern: await call("grep", value),
      grepGlob: await call("grep", "x", "/", value),
      maxCount: await call("grep", "x", "/", null, value),
      globPattern: await call("glob", value),
      offset: await call("read", "/a.txt", value, 1),
      limit: await call("read", "/a.txt", 0, value),
    };
    expect(answers).toEqual({
      content: failure,
      oldString: failure,
      newString: failure,
      replaceAll: failure,
      grepPattern: noMatches,
      grepGlob: noMatches,
      maxCount: noMatches,
      globPattern: noFiles,
      offset: failure,
      limit: failure,
    });
    expect(await call("uploadFiles", [["/a.txt", value]])).toMatchObject([{ path: "/a.txt", ...transferFailure }]);
    expect(await call("uploadFiles", [value])).toMatchObject([transferFailure]);
    expect(left()).toEqual([]);
  });

  test.each([...HOSTILE.filter(([name]) => name !== "an array"), ["undefined", undefined], ["a string", "ab"]])(
    "a list that is %s",
    async (_bad, value) => {
      expect(await call("uploadFiles", value)).toEqual([{ path: "", ...transferFailure }]);
      expect(await call("downloadFiles", value)).toEqual([{ path: "", content: null, ...transferFailure }]);
    },
  );

  test("text with half a character", async () => {
    const at = expect.stringContaining("position 1");
    expect(await call("write", "/a.txt", "a\uD83Db")).toEqual({ error: at, code: "invalid_content" });
    expect(await call("edit", "/a.txt", "a\uD83Db", "x")).toEqual({ error: at, code: "invalid_content" });
    expect(await call("edit", "/a.txt", "x", "a\uD83Db")).toEqual({ error: at, code: "invalid_content" });
    expect(await call("grep", "a\uDC00")).toEqual({ error: at, code: "invalid_content" });
    expect(await call("write", "/a\uD83D", "x")).toEqual({
      error: expect.stringContaining("position 2"),
      code: "invalid_path",
    });
    expect(left()).toEqual([]);
  });

  test("one bad item does not stop the others", async () => {
    const bytes = new TextEncoder().encode("x");
    expect(await call("uploadFiles", [["/../up", bytes], null, ["/", bytes]])).toMatchObject([
      { path: "/../up", error: "invalid_path" },
      { path: "", error: "invalid_path" },
      { path: "/" },
    ]);
    expect(await call("downloadFiles", ["/nope", 7])).toMatchObject([
      { path: "/nope", content: null, error: "file_not_found", code: "file_not_found" },
      { path: "", content: null, error: "invalid_path", code: "invalid_argument" },
    ]);
  });
});
