import { CompositeBackend, type Policy, type PolicyEvent, withPermissions, withPolicy } from "deepfs";
import { describe, expect, test } from "vitest";
import { memory, paths } from "./memory-mounts.js";

const files = { "/a.txt": "one", "/policies/p.md": "rule", "/hidden/h.txt": "one" };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const guarded = (policy: Policy) => withPolicy(memory(files), policy);

describe("prefixes", () => {
  test("denyPrefixes: read, not changed", async () => {
    const backend = guarded({ denyPrefixes: ["/policies/"] });
    expect(await backend.read("/policies/p.md")).toMatchObject({ content: "rule" });
    for (const result of [
      await backend.write("/policies/new.md", "x"),
      await backend.edit("//policies/p.md", "rule", "x"),
      await backend.delete?.("/policies"),
      ...((await backend.uploadFiles?.([["/policies/x", bytes("x")]])) ?? []),
    ]) {
      expect(result).toMatchObject({ code: "denied" });
    }
    expect(await backend.write("/policies2/x", "x")).toEqual({ path: "/policies2/x" });
  });

  test("hidePrefixes: not there", async () => {
    const backend = guarded({ hidePrefixes: ["/hidden"] });
    expect(await backend.read("/hidden/h.txt")).toMatchObject({ code: "denied" });
    expect(paths(await backend.ls("/"))).toEqual(["/a.txt", "/policies/"]);
    expect(paths(await backend.grep("one"))).toEqual(["/a.txt"]);
    expect(await backend.delete?.("/hidden")).toMatchObject({ code: "denied" });
  });

  test("a folder that holds a denied one is not deleted", async () => {
    const inside = memory({ "/work/keep/x": "x", "/work/y": "y" });
    expect(await withPolicy(inside, { denyPrefixes: ["/work/keep"] }).delete?.("/work")).toMatchObject({
      code: "denied",
    });
    expect(Object.keys(inside.snapshot())).toHaveLength(2);
  });
});

test("readOnly: nothing changes, commands are refused", async () => {
  const shell = Object.assign(memory(files), {
    id: "box",
    execute: () => ({ output: "ran", exitCode: 0, truncated: false }),
  });
  const backend = withPolicy(shell, { readOnly: true });
  expect(await backend.read("/a.txt")).toMatchObject({ content: "one" });
  for (const result of [
    await backend.write("/x", "x"),
    await backend.edit("/a.txt", "one", "two"),
    await backend.delete?.("/a.txt"),
    ...((await backend.uploadFiles?.([["/x", bytes("x")]])) ?? []),
  ]) {
    expect(result).toMatchObject({ code: "read_only" });
  }
  expect(await backend.execute("rm -rf .")).toMatchObject({ exitCode: 126, truncated: false });
  expect(backend.id).toBe("box");
});

test("maxBytes: counted in bytes, item by item", async () => {
  const backend = guarded({ maxBytes: { write: 4, read: 3 } });
  expect(await backend.write("/x", "éé")).toEqual({ path: "/x" });
  expect(await backend.write("/x", "ééé")).toMatchObject({ code: "too_large" });
  expect(await backend.edit("/a.txt", "one", "three")).toMatchObject({ code: "too_large" });
  expect(await backend.read("/x")).toMatchObject({ code: "too_large" });
  expect(await backend.readRaw("/policies/p.md")).toMatchObject({ code: "too_large" });
  expect(
    await backend.uploadFiles?.([
      ["/u", bytes("12345")],
      ["/v", bytes("1234")],
    ]),
  ).toMatchObject([
    { path: "/u", code: "too_large" },
    { path: "/v", error: null },
  ]);
  expect(await backend.downloadFiles?.(["/a.txt", "/v"])).toMatchObject([
    { path: "/a.txt", error: null },
    { path: "/v", content: null, code: "too_large" },
  ]);
});

test("rateLimit: a window that slides, by the policy's clock", async () => {
  let time = 1000;
  const backend = guarded({ rateLimit: { calls: 2, intervalMs: 100 }, now: () => time });
  const call = async () => (await backend.ls("/")).code ?? "ok";
  expect([await call(), await call(), await call()]).toEqual(["ok", "ok", "denied"]);
  expect((await backend.read("/a.txt")).error).toContain("try again in 100 ms");
  time += 100;
  expect([await call(), await call(), await call()]).toEqual(["ok", "ok", "denied"]);
  time -= 5000;
  expect(await call()).toBe("ok");
  expect(() => guarded({ rateLimit: { calls: 0, intervalMs: 1 } })).toThrow(/rateLimit/);
});

describe("hooks", () => {
  test("before refuses by a reason or a throw, with the normalised path", async () => {
    const seen: unknown[] = [];
    const backend = guarded({
      before: (call) => {
        seen.push([call.method, call.paths]);
        if (call.method === "write") return "not today";
        if (call.method === "edit") throw new Error("never");
        return undefined;
      },
    });
    expect((await backend.write("//x/./y", "x")).error).toContain("not today");
    expect((await backend.edit("/a.txt", "one", "two")).error).toContain("never");
    expect(await backend.glob("*", "")).toMatchObject({ files: [{ path: "/a.txt" }] });
    expect(seen).toEqual([
      ["write", ["/x/y"]],
      ["edit", ["/a.txt"]],
      ["glob", ["/"]],
    ]);
  });

  test("inspect sees what goes in", async () => {
    const seen: unknown[] = [];
    const backend = guarded({
      inspect: async ({ method, path, content }) => {
        seen.push([method, path, typeof content === "string" ? content : content.length]);
        return String(content).includes("SECRET") ? "it holds a secret" : undefined;
      },
    });
    expect((await backend.write("/x", "SECRET")).error).toContain("it holds a secret");
    expect((await backend.edit("/a.txt", "one", "SECRET")).error).toContain("it holds a secret");
    expect(await backend.uploadFiles?.([["/u", bytes("123")]])).toMatchObject([{ error: null }]);
    expect(seen).toEqual([
      ["write", "/x", "SECRET"],
      ["edit", "/a.txt", "SECRET"],
      ["uploadFiles", "/u", 3],
    ]);
    expect(await backend.read("/a.txt")).toMatchObject({ content: "one" });
  });

  test("after may replace a result; one that throws withholds it", async () => {
    const backend = guarded({
      after: (call, result) => {
        if (call.method === "read") return { ...result, content: "***" };
        if (call.method === "grep") throw new Error("can not look");
        return undefined;
      },
    });
    expect(await backend.read("/a.txt")).toMatchObject({ content: "***" });
    expect(await backend.grep("one")).toMatchObject({ code: "denied" });
    expect(paths(await backend.ls("/policies"))).toEqual(["/policies/p.md"]);
  });

  test("an interrupt of the graph passes", async () => {
    const interrupt = Object.assign(new Error("wait"), { is_bubble_up: true });
    const backend = guarded({
      before: () => {
        throw interrupt;
      },
    });
    await expect(backend.write("/x", "x")).rejects.toBe(interrupt);
  });
});

describe("audit", () => {
  test("is told of every call and how it ended", async () => {
    const events: PolicyEvent[] = [];
    let time = 0;
    const backend = guarded({ denyPrefixes: ["/policies"], now: () => time++, audit: (event) => events.push(event) });
    await backend.read("/a.txt");
    await backend.read("/none");
    await backend.write("/policies/x", "x");
    await backend.write("/../x", "x");
    await backend.grep("one");
    expect(events).toMatchObject([
      { method: "read", paths: ["/a.txt"], outcome: "done", startedAt: 0, durationMs: 1 },
      { method: "read", paths: ["/none"], outcome: "failed", code: "file_not_found" },
      { method: "write", paths: ["/policies/x"], outcome: "refused", code: "denied" },
      { method: "write", paths: [], outcome: "failed", code: "invalid_path" },
      { method: "grep", paths: ["/"], pattern: "one", outcome: "done" },
    ]);
  });

  test("is told of a command that throws, and the caller gets what was thrown", async () => {
    const broken = new Error("the sandbox is gone");
    const box = Object.assign(memory(), { id: "box", execute: () => Promise.reject(broken) });
    const events: PolicyEvent[] = [];
    const backend = withPolicy(box, { audit: (event) => events.push(event) });
    await expect(backend.execute("true")).rejects.toBe(broken);
    expect(events).toMatchObject([
      { method: "execute", command: "true", outcome: "failed", error: "the sandbox is gone" },
    ]);
  });

  test("never breaks a call", async () => {
    for (const audit of [
      () => {
        throw new Error("disk full");
      },
      () => Promise.reject(new Error("disk full")),
    ]) {
      expect(await guarded({ audit }).read("/a.txt")).toMatchObject({ content: "one" });
    }
  });
});

test("policies and permissions compose, and keep what an agent tells a backend by", async () => {
  const ran = { output: "ran", exitCode: 0, truncated: false };
  const shell = Object.assign(memory(files), { id: "box", execute: () => ran });
  const events: string[] = [];
  const backend = withPolicy(
    withPermissions(withPolicy(new CompositeBackend(shell, { "/mem/": memory() }), { denyPrefixes: ["/policies"] }), [
      { operations: ["read"], paths: ["/hidden/**"], mode: "deny" },
    ]),
    { audit: ({ method, outcome }) => events.push(`${method} ${outcome}`) },
  );
  expect(backend).toMatchObject({ id: "box", routePrefixes: ["/mem/"] });
  expect(await backend.execute("true")).toEqual(ran);
  expect(await backend.write("/policies/x", "x")).toMatchObject({ code: "denied" });
  expect(await backend.read("/hidden/h.txt")).toMatchObject({ code: "denied" });
  expect(await backend.write("/mem/x", "x")).toEqual({ path: "/mem/x" });
  expect(events).toEqual(["execute done", "write refused", "read refused", "write done"]);
});

test("a backend of the first version is wrapped too", async () => {
  const old = {
    lsInfo: () => [{ path: "/a" }],
    read: () => "text",
    readRaw: () => ({ content: ["text"], created_at: "", modified_at: "" }),
    grepRaw: () => "no such pattern",
    globInfo: () => [],
    write: () => ({ path: "/a" }),
    edit: () => ({ path: "/a", occurrences: 1 }),
  };
  const backend = withPolicy(old, { denyPrefixes: ["/b"] });
  expect(await backend.read("/a")).toEqual({ content: "text" });
  expect(await backend.ls("/")).toEqual({ files: [{ path: "/a" }] });
  expect(await backend.grep("x")).toEqual({ error: "no such pattern" });
  expect(await backend.write("/b/c", "x")).toMatchObject({ code: "denied" });
  expect("delete" in backend).toBe(false);
});

test("misuse throws", () => {
  expect(() => guarded({ denyPrefixes: ["policies"] })).toThrow(/prefix/);
  expect(() => guarded({ hidePrefixes: ["/a/../b"] })).toThrow(/prefix/);
  expect(() => guarded({ maxBytes: { read: -1 } })).toThrow(/maxBytes/);
  expect(() => withPolicy(null as never, {})).toThrow(TypeError);
});
