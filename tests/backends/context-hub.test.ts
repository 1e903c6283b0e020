import { ContextHubBackend as UpstreamContextHubBackend } from "deepagents";
import { Client } from "langsmith";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EMULATED_TENANT, startHubEmulator } from "../services/hub-emulator.mjs";
import { deepfs } from "../support/backend.js";

const { ContextHubBackend } = deepfs;

describe("ContextHubBackend, with the real client against an emulator of the Hub", () => {
  let hub: Awaited<ReturnType<typeof startHubEmulator>>;
  beforeEach(async () => {
    hub = await startHubEmulator();
  });
  afterEach(() => hub.stop());
  const client = () => new Client({ apiUrl: hub.url, apiKey: "emulator" });
  const open = (identifier = "my-agent") => new ContextHubBackend(identifier, { client: client() });

  test("a repository that does not exist is empty, and the first change makes it", async () => {
    const files = open();
    expect(await files.hasPriorCommits()).toBe(false);
    expect(await files.ls("/")).toEqual({ files: [] });
    expect(await files.read("/a.md")).toEqual({ error: "File '/a.md' not found", code: "file_not_found" });
    expect(await files.write("/a.md", "one\ntwo\n")).toEqual({ path: "/a.md", filesUpdate: null });
    expect(await files.hasPriorCommits()).toBe(true);
    expect(hub.files("my-agent")).toEqual({ "a.md": { type: "file", content: "one\ntwo\n" } });
    expect(hub.log.filter(({ path }) => path === "/repos/")).toHaveLength(1);
  });

  test("every method, under both forms of the identifier", async () => {
    hub.commit("my-agent", {
      "notes/a.md": "one\ntwo\n",
      "notes/deep/b.md": "two\r\n",
      "notes2/c.md": "two\n",
      "skills/foo": { type: "skill", repo_handle: "org/foo" },
    });
    for (const files of [open(), open(`${EMULATED_TENANT}/my-agent`)]) {
      expect(await files.ls("/")).toEqual({
        files: [
          { path: "/notes/", is_dir: true, size: 0, modified_at: "" },
          { path: "/notes2/", is_dir: true, size: 0, modified_at: "" },
        ],
      });
      expect(await files.read("/notes/a.md", 1, 1)).toEqual({
        content: "two",
        mimeType: "text/markdown",
        totalLines: 2,
        startLine: 2,
        endLine: 2,
      });
      expect((await files.readRaw("notes/deep/b.md")).data).toMatchObject({
        content: "two\r\n",
        mimeType: "text/markdown",
      });
      expect((await files.glob("**/*.md", "/notes")).files?.map(({ path }) => path)).toEqual([
        "/notes/a.md",
        "/notes/deep/b.md",
      ]);
      expect(await files.grep("two", "/notes")).toEqual({
        matches: [
          { path: "/notes/a.md", line: 2, text: "two" },
          { path: "/notes/deep/b.md", line: 1, text: "two" },
        ],
      });
      expect(await files.getLinkedEntries()).toEqual({ "skills/foo": "org/foo" });
      const codes = [
        await files.read("/notes"),
        await files.write("/notes", "x"),
        await files.write("/notes/a.md/x", "x"),
        await files.delete("/"),
        await files.ls("/../x"),
      ];
      expect(codes.map(({ code }) => code)).toEqual([
        "is_directory",
        "is_directory",
        "not_a_directory",
        "root_refused",
        "invalid_path",
      ]);
    }
    expect(hub.pulls()).toHaveLength(2);
    expect(hub.commits()).toHaveLength(0);
  });

  test("changes of 50 ms are one commit with the parent's hash, and reads see them before", async () => {
    hub.commit("my-agent", { "a.md": "one\ntwo\n", "gone/x": "x", "gone/y": "y" });
    const parent = hub.repos.get("my-agent")?.commits.at(-1)?.hash;
    const files = open();
    await files.ls("/");
    const changes = [
      files.edit("/a.md", "one", "1"),
      files.edit("/a.md", "two", "2"),
      files.write("/b.md", "b"),
      files.delete("/gone"),
    ];
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect((await files.read("/a.md")).content).toBe("1\n2\n");
    expect(hub.commits()).toHaveLength(0);
    expect(await Promise.all(changes)).toEqual([
      { path: "/a.md", filesUpdate: null, occurrences: 1 },
      { path: "/a.md", filesUpdate: null, occurrences: 1 },
      { path: "/b.md", filesUpdate: null },
      { path: "/gone" },
    ]);
    expect(hub.commits().map(({ body }) => body)).toEqual([
      {
        parent_commit: parent,
        files: {
          "a.md": { type: "file", content: "1\n2\n" },
          "b.md": { type: "file", content: "b" },
          "gone/x": null,
          "gone/y": null,
        },
      },
    ]);
    await files.write("/c.md", "c");
    expect(hub.commits().at(-1)?.body.parent_commit).toBe(hub.repos.get("my-agent")?.commits.at(-2)?.hash.slice(0, 8));
    expect(hub.pulls()).toHaveLength(1);
  });

  test("uploads are UTF-8 text, byte for byte; anything else is refused by itself", async () => {
    const files = open();
    const bom = Buffer.from("\ufeffé");
    expect(
      await files.uploadFiles([
        ["/a.txt", bom],
        ["/b.bin", Uint8Array.from([0xff])],
        ["/../x", bom],
      ]),
    ).toMatchObject([
      { path: "/a.txt", error: null },
      { path: "/b.bin", error: "invalid_path", code: "invalid_content" },
      { path: "/../x", error: "invalid_path", code: "invalid_path" },
    ]);
    expect(await files.downloadFiles(["/a.txt", "/none"])).toMatchObject([
      { path: "/a.txt", error: null, content: Uint8Array.from(bom) },
      { path: "/none", error: "file_not_found", content: null },
    ]);
    expect(await files.write("/c.bin", Uint8Array.from([0xff]))).toMatchObject({ code: "invalid_content" });
    expect(hub.commits()).toHaveLength(1);
  });

  test("what upstream commits is read, and the other way round", async () => {
    const theirs = new UpstreamContextHubBackend("my-agent", { client: client() });
    await theirs.write("/a.md", "one");
    const ours = open();
    expect((await ours.read("/a.md")).content).toBe("one");
    await ours.edit("/a.md", "one", "two");
    expect(await theirs.edit("/a.md", "one", "three")).toMatchObject({
      error: expect.stringContaining("Hub unavailable") as string,
    });
    expect((await theirs.read("/a.md")).content).toBe("two");
  });

  test("a failure of the Hub is an error result, and the next call starts over", async () => {
    const files = open();
    await files.write("/a.md", "kept");
    for (const [status, code] of [
      [403, "permission_denied"],
      [422, "unavailable"],
    ] as const) {
      hub.intercept = ({ path }) => (path.endsWith("/commits") ? { status, body: { detail: "staged" } } : undefined);
      const [write, edit] = await Promise.all([files.write("/b.md", "x"), files.edit("/a.md", "kept", "lost")]);
      expect(write).toMatchObject({ code, error: expect.stringContaining("Hub unavailable") as string });
      expect(edit).toMatchObject({ code });
      expect(await files.uploadFiles([["/c.md", Buffer.from("x")]])).toMatchObject([
        { error: "permission_denied", code },
      ]);
      hub.intercept = undefined;
      expect((await files.glob("**")).files?.map(({ path }) => path)).toEqual(["/a.md"]);
      expect((await files.read("/a.md")).content).toBe("kept");
    }
    expect(await files.write("/b.md", "works")).toEqual({ path: "/b.md", filesUpdate: null });
  });

  test("errors that are not the client's own are results too", async () => {
    const broken = {
      pullAgent: () => Promise.reject(new TypeError("no network")),
      pushAgent: () => Promise.reject(new Error("x")),
    };
    const files = new ContextHubBackend("my-agent", { client: broken });
    for (const answer of [
      await files.ls("/"),
      await files.read("/a"),
      await files.write("/a", "x"),
      await files.grep("x"),
    ]) {
      expect(answer).toMatchObject({ code: "unavailable", error: expect.stringContaining("no network") as string });
    }
  });
});
