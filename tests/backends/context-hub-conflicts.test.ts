import { Client } from "langsmith";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startHubEmulator } from "../services/hub-emulator.mjs";
import { deepfs } from "../support/backend.js";

const { ContextHubBackend } = deepfs;

describe("another writer of the same repository (emulator of the Hub, real 409s)", () => {
  let hub: Awaited<ReturnType<typeof startHubEmulator>>;
  beforeEach(async () => {
    hub = await startHubEmulator();
  });
  afterEach(() => hub.stop());
  const open = () => new ContextHubBackend("my-agent", { client: new Client({ apiUrl: hub.url, apiKey: "emulator" }) });
  const content = (path: string) => hub.files("my-agent")[path]?.content;
  const statuses = () => hub.commits().map(({ status }) => status);

  test("an edit is replayed on the new text, a delete on the new folder", async () => {
    hub.commit("my-agent", { "a.md": "one\ntwo\n", "dir/x": "x" });
    const files = open();
    await files.ls("/");
    hub.commit("my-agent", { "a.md": "zero\none\ntwo\n", "dir/y": "y" });
    expect(
      await Promise.all([files.edit("/a.md", "two", "2"), files.delete("/dir"), files.write("/b.md", "b")]),
    ).toEqual([
      { path: "/a.md", filesUpdate: null, occurrences: 1 },
      { path: "/dir" },
      { path: "/b.md", filesUpdate: null },
    ]);
    expect(statuses()).toEqual([409, 200]);
    expect(Object.keys(hub.files("my-agent")).sort()).toEqual(["a.md", "b.md"]);
    expect(content("a.md")).toBe("zero\none\n2\n");
    expect((await files.ls("/")).files?.map(({ path }) => path)).toEqual(["/a.md", "/b.md"]);
  });

  test("an edit that does not apply any more is a conflict for its caller alone", async () => {
    hub.commit("my-agent", { "a.md": "one\n", "b.md": "one\n" });
    const files = open();
    await files.ls("/");
    hub.commit("my-agent", { "a.md": "changed\n" });
    const [lost, done] = await Promise.all([files.edit("/a.md", "one", "1"), files.edit("/b.md", "one", "1")]);
    expect(lost).toMatchObject({ code: "conflict" });
    expect(done).toEqual({ path: "/b.md", filesUpdate: null, occurrences: 1 });
    expect([content("a.md"), content("b.md")]).toEqual(["changed\n", "1\n"]);
    expect((await files.read("/a.md")).content).toBe("changed\n");
  });

  test("the number of replacements is that of the text it was made on", async () => {
    hub.commit("my-agent", { "a.md": "x" });
    const files = open();
    await files.ls("/");
    hub.commit("my-agent", { "a.md": "x x x" });
    expect(await files.edit("/a.md", "x", "y", true)).toEqual({ path: "/a.md", filesUpdate: null, occurrences: 3 });
  });

  test("changes that wait while a commit is under way are worked out again too", async () => {
    hub.commit("my-agent", { "a.md": "one\n" });
    const files = open();
    await files.ls("/");
    hub.latencyMs = 100;
    const first = files.write("/b.md", "b");
    await new Promise((resolve) => setTimeout(resolve, 80));
    hub.commit("my-agent", { "a.md": "zero\none\n" });
    const second = files.edit("/a.md", "one", "1");
    expect(await Promise.all([first, second])).toMatchObject([{ path: "/b.md" }, { occurrences: 1 }]);
    expect(content("a.md")).toBe("zero\n1\n");
  });

  test("after three retries it is a conflict, and nothing that was not committed is seen", async () => {
    hub.commit("my-agent", { "a.md": "one\n" });
    const files = open();
    await files.ls("/");
    hub.intercept = ({ path }) => (path.endsWith("/commits") ? { status: 409, body: { detail: "staged" } } : undefined);
    expect(await files.edit("/a.md", "one", "1")).toMatchObject({ code: "conflict" });
    expect(statuses()).toEqual([409, 409, 409, 409]);
    hub.intercept = undefined;
    expect((await files.read("/a.md")).content).toBe("one\n");
    expect(await files.edit("/a.md", "one", "1")).toMatchObject({ occurrences: 1 });
  });

  test("an answer without a hash is confirmed by a pull, and edits that wait see what came with it", async () => {
    hub.commit("my-agent", { "a.md": "one\n" });
    const client = new Client({ apiUrl: hub.url, apiKey: "emulator" });
    const hashless = {
      pullAgent: (id: string) => client.pullAgent(id),
      pushAgent: async (id: string, options: Parameters<Client["pushAgent"]>[1]) => {
        // The second edit is taken while the first is on its way.
        second ??= files.edit("/a.md", "1", "I");
        await client.pushAgent(id, options);
        hub.commit("my-agent", { "a.md": `${content("a.md")}more\n` });
        return "https://example.invalid/elsewhere";
      },
    };
    let second: Promise<object> | undefined;
    const files = new ContextHubBackend("my-agent", { client: hashless });
    const first = await files.edit("/a.md", "one", "1");
    expect([first, await second]).toMatchObject([{ occurrences: 1 }, { occurrences: 1 }]);
    expect(content("a.md")).toBe("I\nmore\nmore\n");
  });

  test("two backends with 20 edits each lose none", async () => {
    hub.commit("my-agent", { "log.md": "END\n" });
    const backends = [open(), open()];
    const lines = Array.from({ length: 40 }, (_, n) => `line ${n};`);
    const results = await Promise.all(
      lines.map(async (line, n) => {
        await new Promise((resolve) => setTimeout(resolve, n * 10));
        return backends[n % 2]?.edit("/log.md", "END", `${line}\nEND`);
      }),
    );
    const done = lines.filter((_, n) => results[n]?.error === undefined);
    expect(results.flatMap((result) => result?.code ?? []).filter((code) => code !== "conflict")).toEqual([]);
    expect(content("log.md")?.split("\n").slice(0, -2).sort()).toEqual(done.sort());
    expect(done.length).toBeGreaterThan(0);
  });
});
