/**
 * `ContextHubBackend` against the real Context Hub. `vitest.config.ts` has this file run only where both are set:
 *
 *   LANGSMITH_API_KEY     a key of LangSmith
 *   DEEPFS_LIVE_HUB_REPO  the repository to work in, as `name` or `owner/name`; made if it is not there
 *
 * All that is written is below one folder of a new name, which is removed at the end.
 */

import { ContextHubBackend } from "deepfs";
import { afterAll, expect, test } from "vitest";

const repository = process.env["DEEPFS_LIVE_HUB_REPO"] ?? "";
const folder = `/deepfs-live-${crypto.randomUUID()}`;
const at = (path: string): string => folder + path;

afterAll(() => new ContextHubBackend(repository).delete(folder));

test("what one client commits, another one reads, edits and removes", { timeout: 120_000 }, async () => {
  const one = new ContextHubBackend(repository);
  expect(await one.write(at("/a.md"), "one\ntwo\n")).toEqual({ path: at("/a.md"), filesUpdate: null });
  expect(await one.hasPriorCommits()).toBe(true);
  const bytes = new TextEncoder().encode("needle\n");
  expect(await one.uploadFiles([[at("/d/b.txt"), bytes]])).toEqual([{ path: at("/d/b.txt"), error: null }]);

  const two = new ContextHubBackend(repository);
  expect((await two.ls(folder)).files?.map(({ path }) => path)).toEqual([at("/a.md"), at("/d/")]);
  expect((await two.grep("needle", folder)).matches).toEqual([{ path: at("/d/b.txt"), line: 1, text: "needle" }]);
  expect(await two.edit(at("/a.md"), "one", "1")).toMatchObject({ occurrences: 1 });

  // The first client does not know of that commit: the Hub refuses its parent, and the edit is made on the new text.
  expect(await one.edit(at("/a.md"), "two", "2")).toMatchObject({ occurrences: 1 });
  expect((await new ContextHubBackend(repository).read(at("/a.md"))).content).toBe("1\n2\n");
  expect(await one.delete(at("/d"))).toEqual({ path: at("/d") });
  expect((await new ContextHubBackend(repository).glob("**/*", folder)).files?.map(({ path }) => path)).toEqual([
    at("/a.md"),
  ]);
});
