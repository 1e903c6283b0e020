import { InMemoryStore } from "@langchain/langgraph-checkpoint";
import { describe, expect, test } from "vitest";
import { JsonStore } from "../services/json-store.js";
import { deepfs } from "../support/backend.js";

const { StoreBackend } = deepfs;
type Backend = InstanceType<typeof StoreBackend>;

/** One call of every method. */
const calls: Record<string, (files: Backend) => Promise<unknown>> = {
  ls: (files) => files.ls("/"),
  read: (files) => files.read("/a.txt"),
  readRaw: (files) => files.readRaw("/a.txt"),
  write: (files) => files.write("/a.txt", "x"),
  edit: (files) => files.edit("/a.txt", "x", "y"),
  grep: (files) => files.grep("x"),
  glob: (files) => files.glob("**"),
  delete: (files) => files.delete("/a.txt"),
};

describe("a store that fails", () => {
  test.each(Object.entries(calls))("%s answers with an error that names the reason", async (_, call) => {
    for (const failing of [new Error("connection refused"), "connection refused"]) {
      const store = new JsonStore();
      const files = new StoreBackend({ store, namespace: ["n"] });
      await files.write("/a.txt", "x");
      store.failing = () => {
        throw failing;
      };
      expect(await call(files)).toMatchObject({
        error: expect.stringContaining("connection refused") as string,
        code: "unavailable",
      });
      store.failing = undefined;
      expect((await files.read("/a.txt")).content).toBe("x");
    }
  });

  test("a store that has no next page and says so by the same one again is an error, not an endless call", async () => {
    class OnePage extends InMemoryStore {
      override search(...[prefix, options]: Parameters<InMemoryStore["search"]>) {
        return super.search(prefix, { ...options, offset: 0 });
      }
    }
    const store = new OnePage();
    const files = new StoreBackend({ store, namespace: ["n"] });
    for (let at = 0; at < 100; at += 1) await files.write(`/${at}.txt`, "x");
    expect(await files.ls("/")).toMatchObject({ code: "unavailable", files: [] });
    expect((await files.read("/7.txt")).content).toBe("x");
  });

  test("uploads and downloads fail item by item", async () => {
    const store = new JsonStore();
    const files = new StoreBackend({ store, namespace: ["n"] });
    store.failing = (operation) => {
      if ("key" in operation && operation.key === "/bad.txt") throw new Error("disk full");
    };
    expect(await files.downloadFiles(["/bad.txt", "/none.txt"])).toMatchObject([
      { path: "/bad.txt", content: null, error: "permission_denied", code: "unavailable" },
      { path: "/none.txt", content: null, error: "file_not_found" },
    ]);
    const [bad] = await files.uploadFiles([["/bad.txt", Buffer.from("x")]]);
    expect(bad).toMatchObject({ path: "/bad.txt", error: "permission_denied", code: "unavailable" });
  });

  test("a put that fails leaves the old file, and the listing true", async () => {
    const store = new JsonStore();
    const files = new StoreBackend({ store, namespace: ["n"] });
    await files.write("/large.txt", "old ".repeat(2_000));
    store.failing = (operation) => {
      if ("value" in operation && operation.key === "/large.txt") throw new Error("quota");
    };
    expect(await files.write("/large.txt", "new")).toMatchObject({ code: "unavailable" });
    store.failing = undefined;
    expect((await files.ls("/")).files).toMatchObject([{ path: "/large.txt", size: 8_000 }]);
    expect((await files.readRaw("/large.txt")).data?.content).toBe("old ".repeat(2_000));
  });

  test("no store at all", async () => {
    for (const call of Object.values(calls)) {
      expect(await call(new StoreBackend({ namespace: ["n"] }))).toMatchObject({ code: "unavailable" });
    }
  });

  test("bad arguments of every kind are error results", async () => {
    const files = new StoreBackend({ store: new InMemoryStore(), namespace: ["n"] });
    for (const bad of [undefined, null, 7, {}, [], Symbol("x"), "\ud800", "a\0b", "x/".repeat(500_000)]) {
      const path = bad as string;
      const answers: { error?: unknown }[] = [
        await files.read(path),
        await files.readRaw(path),
        await files.write(path, "x"),
        await files.write("/a", (bad === "x/".repeat(500_000) || bad === "a\0b" ? undefined : bad) as string),
        await files.edit(path, "a", "b"),
        await files.delete(path),
        ...(await files.uploadFiles([[path, Buffer.from("x")]])),
        ...(await files.downloadFiles([path])),
      ];
      for (const answer of answers) expect(answer.error).toEqual(expect.any(String));
    }
    expect(await files.uploadFiles(undefined as never)).toMatchObject([{ error: "invalid_path" }]);
    expect(await files.ls("/")).toEqual({ files: [] });
  });

  test("a store with get and put alone can be read, written and edited", async () => {
    const items = new Map<string, Record<string, unknown>>();
    let puts = 0;
    const store = {
      async get(namespace: string[], key: string) {
        const value = items.get(key);
        return value === undefined ? null : { namespace, key, value, createdAt: new Date(), updatedAt: new Date() };
      },
      async put(_: string[], key: string, value: Record<string, unknown>) {
        puts += 1;
        items.set(key, value);
      },
    };
    const files = new StoreBackend({ store: store as never, namespace: ["n"] });
    expect(await files.write("/a.txt", "one")).toEqual({ path: "/a.txt", filesUpdate: null });
    expect(await files.edit("/a.txt", "one", "two")).toMatchObject({ occurrences: 1 });
    expect((await files.read("/a.txt")).content).toBe("two");
    expect(puts).toBe(2);
  });
});
