/** `adaptBackendProtocol` and its kin in front of backends of every sort. */

import {
  adaptBackendProtocol,
  adaptSandboxProtocol,
  type AnyBackendProtocol,
  type AnySandboxProtocol,
  applyGrepMaxCount,
  FilesystemBackend,
  isSandboxBackend,
  isSandboxProtocol,
  resolveBackend,
  SandboxError,
  StateBackend,
} from "deepfs";
import * as peer from "deepagents";
import { describe, expect, test } from "vitest";

const failure = (code: string) => ({ error: expect.stringMatching(/./), code });

/** A backend as JavaScript may write it. */
function loose(methods: object): AnyBackendProtocol {
  return methods as AnyBackendProtocol;
}

const methods = [
  "lsInfo",
  "ls",
  "read",
  "readRaw",
  "grepRaw",
  "globInfo",
  "write",
  "edit",
  "delete",
  "uploadFiles",
  "downloadFiles",
];

async function answers(backend: AnyBackendProtocol) {
  const adapted = adaptBackendProtocol(backend);
  return {
    ls: await adapted.ls("/"),
    read: await adapted.read("/a"),
    readRaw: await adapted.readRaw("/a"),
    grep: await adapted.grep("x"),
    glob: await adapted.glob("*"),
    write: await adapted.write("/a", "x"),
    edit: await adapted.edit("/a", "x", "y"),
    delete: await adapted.delete?.("/a"),
    upload: await adapted.uploadFiles?.([["/a", new Uint8Array()]]),
    download: await adapted.downloadFiles?.(["/a"]),
  };
}

describe("answers that are none", () => {
  // Case adapt-null.
  test.each([null, undefined])("%s", async (nothing) => {
    const backend = loose(Object.fromEntries(methods.map((name) => [name, () => nothing])));
    expect(await answers(backend)).toEqual({
      ls: { files: [] },
      read: failure("file_not_found"),
      readRaw: failure("file_not_found"),
      grep: { matches: [] },
      glob: { files: [] },
      write: failure("unavailable"),
      edit: failure("unavailable"),
      delete: failure("unavailable"),
      upload: [{ path: "/a", error: "permission_denied", code: "unavailable", message: expect.any(String) }],
      download: [
        { path: "/a", content: null, error: "permission_denied", code: "unavailable", message: expect.any(String) },
      ],
    });
  });

  test("a backend without any method", async () => {
    const { write, ls, delete: remove, upload } = await answers(loose({}));
    expect([write, ls, remove, upload]).toEqual([
      failure("unsupported"),
      { ...failure("unsupported"), files: [] },
      undefined,
      undefined,
    ]);
  });
});

describe("backends that throw", () => {
  const broken = (error: unknown) =>
    loose(
      Object.fromEntries(
        methods.map((name, index) => [
          name,
          () => {
            if (index % 2 === 0) throw error;
            return Promise.reject(error);
          },
        ]),
      ),
    );

  test.each([new Error("store down"), "store down", { message: "store down" }, null, undefined])(
    "%s becomes an error result",
    async (error) => {
      const { upload, download, ...rest } = await answers(broken(error));
      const lists: Record<string, object> = { ls: { files: [] }, glob: { files: [] }, grep: { matches: [] } };
      const each = Object.keys(rest).map((method) => [method, { ...failure("unavailable"), ...lists[method] }]);
      expect(rest).toEqual(Object.fromEntries(each));
      expect(upload).toMatchObject([{ path: "/a", code: "unavailable" }]);
      expect(download).toMatchObject([{ path: "/a", content: null, code: "unavailable" }]);
    },
  );

  test("an interrupt of LangGraph passes", async () => {
    const interrupt = Object.assign(new Error("interrupt"), { is_bubble_up: true });
    await expect(adaptBackendProtocol(broken(interrupt)).write("/a", "x")).rejects.toBe(interrupt);
  });

  test("an abort is told as one", async () => {
    const abort = new DOMException("stop", "AbortError");
    expect(await adaptBackendProtocol(broken(abort)).read("/a")).toEqual(failure("cancelled"));
  });
});

describe("the older version", () => {
  const record = { content: ["1", "2"], created_at: "c", modified_at: "m" };
  const old = loose({
    lsInfo: async () => [{ path: "/a" }],
    read: () => "text",
    readRaw: () => record,
    grepRaw: (pattern: string) =>
      pattern === "" ? "empty pattern" : [1, 2, 3].map((line) => ({ path: "/a", line, text: pattern })),
    globInfo: () => [{ path: "/a" }],
    write: (path: string) => ({ path, filesUpdate: null }),
    edit: (path: string) => ({ path, occurrences: 1 }),
  });

  test("its values become results", async () => {
    const adapted = adaptBackendProtocol(old);
    expect(await adapted.ls("/")).toEqual({ files: [{ path: "/a" }] });
    expect(await adapted.read("/a")).toEqual({ content: "text" });
    expect(await adapted.readRaw("/a.md")).toEqual({
      data: { content: "1\n2", mimeType: "text/markdown", created_at: "c", modified_at: "m" },
    });
    expect(await adapted.grep("")).toEqual({ error: "empty pattern" });
    expect((await adapted.grep("x", "/", null, 2)).matches).toHaveLength(2);
    expect(await adapted.grep("x", "/", null, 2)).toMatchObject({ truncated: true });
    expect((await adapted.grep("x", "/", null, 3)).truncated).toBeUndefined();
    expect(await adapted.glob("*")).toEqual({ files: [{ path: "/a" }] });
    expect("delete" in adapted || "uploadFiles" in adapted || "downloadFiles" in adapted).toBe(false);
  });

  test("adapting twice changes nothing", async () => {
    expect(await answers(adaptBackendProtocol(old))).toEqual(await answers(old));
  });
});

describe("the backend itself", () => {
  test("methods run on it: a subclass, a proxy and a later change count", async () => {
    class Guarded extends StateBackend {
      allowed = false;
      override write(path: string, content: string) {
        return this.allowed ? super.write(path, content) : { error: "no" };
      }
    }
    const guarded = new Guarded();
    const adapted = adaptBackendProtocol(new Proxy(guarded, {}));
    expect(await adapted.write("/a", "x")).toEqual({ error: "no" });
    guarded.allowed = true;
    expect(await adapted.write("/a", "x")).toEqual({ path: "/a" });
  });

  test("routePrefixes are kept, extra arguments arrive", async () => {
    const seen: unknown[][] = [];
    const see = (...args: unknown[]) => (seen.push(args), { output: "", exitCode: 0, truncated: false });
    const sandbox = { ...new StateBackend(), read: see, execute: see, id: "one", routePrefixes: ["/m/"] };
    const adapted = adaptSandboxProtocol(sandbox as unknown as AnySandboxProtocol);
    // Case adapt-extra-args.
    await (adapted.execute as (...args: unknown[]) => unknown)("x", { timeout: 5 });
    expect(seen).toEqual([["x", { timeout: 5 }]]);
    expect(adapted).toMatchObject({ id: "one", routePrefixes: ["/m/"] });
    sandbox.id = "two";
    expect(adapted.id).toBe("two");
  });

  test("a sandbox is told by its shape", () => {
    const execute = () => ({ output: "", exitCode: 0, truncated: false });
    const gone = Proxy.revocable({}, {});
    gone.revoke();
    const table: [unknown, boolean][] = [
      [{ execute, id: "x" }, true],
      [{ execute, id: "" }, false],
      [{ execute }, false],
      [{ execute: 1, id: "x" }, false],
      [new StateBackend(), false],
      [gone.proxy, false],
      [null, false],
      [undefined, false],
      ["x", false],
    ];
    for (const [backend, expected] of table) {
      expect([isSandboxBackend(backend), isSandboxProtocol(backend)]).toEqual([expected, expected]);
    }
  });

  test("resolveBackend takes backends and factories", async () => {
    const backend = new StateBackend({ files: { "/a": "x" } });
    const runtime = { state: {} };
    expect(await (await resolveBackend(backend, runtime)).read("/a")).toMatchObject({ content: "x" });
    expect(await (await resolveBackend(async () => backend, runtime)).read("/a")).toMatchObject({ content: "x" });
    const shell = {
      ...FilesystemBackend.prototype,
      execute: () => ({ output: "o", exitCode: 0, truncated: false }),
      id: "s",
    };
    expect(isSandboxBackend(await resolveBackend(shell as never, runtime))).toBe(true);
  });
});

test("applyGrepMaxCount cuts and says so", () => {
  const matches = [1, 2, 3].map((line) => ({ path: "/a", line, text: "x" }));
  const capped = (maxCount: number | null | undefined) => applyGrepMaxCount({ result: { matches }, maxCount });
  expect(capped(2)).toEqual({ matches: matches.slice(0, 2), truncated: true });
  expect(capped(3)).toEqual({ matches });
  expect(capped(null)).toEqual({ matches });
  expect(capped(0)).toEqual({ matches: [], truncated: true });
  expect(capped(-1)).toEqual({ matches: [], truncated: true });
  expect(capped(Number.NaN)).toEqual({ matches });
  expect(applyGrepMaxCount({ result: { error: "e" }, maxCount: 1 })).toEqual({ error: "e" });
});

test("SandboxError and the peer's know each other", () => {
  const cause = new Error("cause");
  const own = new SandboxError("text", "COMMAND_TIMEOUT", cause);
  expect(own).toMatchObject({ name: "SandboxError", message: "text", code: "COMMAND_TIMEOUT", cause });
  expect(own instanceof SandboxError && own instanceof Error).toBe(true);
  expect(peer.SandboxError.isInstance(own)).toBe(true);
  expect(SandboxError.isInstance(new peer.SandboxError("t", "c"))).toBe(true);
  expect([new Error("x"), null, undefined, "x", {}].map((value) => SandboxError.isInstance(value))).toEqual(
    Array(5).fill(false),
  );
});

test("adapt-null: what is no row and no answer is left out or refused, item by item", async () => {
  const bytes = new Uint8Array([1]);
  const good = { path: "/a", line: 1, text: "x" };
  const adapted = adaptBackendProtocol(
    loose({
      ls: () => ({ files: "none" }),
      globInfo: () => [null, good, {}, { path: 5 }],
      grep: () => ({ matches: [undefined, good], truncated: true }),
      edit: () => [],
      uploadFiles: () => [null, { path: "/b", error: null }],
      downloadFiles: () => [{ path: "/a" }, { path: "/b", content: bytes, error: null }],
    }),
  );
  expect(await adapted.ls("/")).toEqual({ files: [] });
  expect(await adapted.glob("*")).toEqual({ files: [good] });
  expect(await adapted.grep("x")).toEqual({ matches: [good], truncated: true });
  expect(await adapted.edit("/a", "x", "y")).toEqual(failure("unavailable"));
  const message = (path: string) => expect.stringContaining(`'${path}'`) as string;
  expect(
    await adapted.uploadFiles?.([
      ["/a", bytes],
      ["/b", bytes],
    ]),
  ).toEqual([
    { path: "/a", error: "permission_denied", code: "unavailable", message: message("/a") },
    { path: "/b", error: null },
  ]);
  expect(await adapted.downloadFiles?.(["/a", "/b"])).toEqual([
    { path: "/a", error: "permission_denied", code: "unavailable", message: message("/a"), content: null },
    { path: "/b", content: bytes, error: null },
  ]);
});

test("a transfer that throws is told for each item by its own path", async () => {
  const adapted = adaptBackendProtocol(loose({ downloadFiles: () => Promise.reject(new Error("down")) }));
  expect((await adapted.downloadFiles?.(["/a", "/b"]))?.map(({ message }) => message)).toEqual([
    "Error downloading '/a': the backing service failed: down",
    "Error downloading '/b': the backing service failed: down",
  ]);
});
