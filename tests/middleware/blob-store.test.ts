import { InMemoryStore } from "@langchain/langgraph";
import { StateBackend as UpstreamState, StoreBackend as UpstreamStore } from "deepagents";
import { StateBackend } from "deepfs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createBlobOffloadMiddleware } from "deepfs";
import { HumanMessage } from "langchain";
import { base64, picture, workspace } from "./blob-thread.js";

type Hook = (state: object, runtime: object) => Promise<{ messages: { content: { data: string }[] }[] } | undefined>;

/** What the middleware makes of a message with these bytes. */
async function offloaded(backend: object, bytes: Uint8Array): Promise<string | undefined> {
  const middleware = createBlobOffloadMiddleware({ backend: backend as never });
  const block = { type: "image", mimeType: "image/png", data: base64(bytes) };
  const update = await (middleware.beforeAgent as unknown as Hook)(
    { messages: [new HumanMessage({ content: [block] as never })] },
    {},
  );
  return update?.messages[0]?.content[0]?.data;
}

/** What the model gets for a message with this in place of a payload. */
async function restored(backend: object, data: string): Promise<unknown> {
  const middleware = createBlobOffloadMiddleware({ backend: backend as never });
  const message = new HumanMessage({ content: [{ type: "image", mimeType: "image/png", data }] as never });
  let content: unknown;
  await (
    middleware.wrapModelCall as unknown as (
      request: object,
      handler: (request: { messages: { content: unknown[] }[] }) => object,
    ) => unknown
  )({ messages: [message], state: {}, runtime: {} }, (request) => {
    content = request.messages[0]?.content[0];
    return {};
  });
  return content;
}

describe("backends of any make", () => {
  test.each([
    ["disk", () => workspace()],
    // Keeps what has no file extension as text: bytes uploaded there are damaged.
    ["the upstream's store", () => new UpstreamStore({ store: new InMemoryStore(), namespace: ["blobs"] } as never)],
  ])("%s: stored, read back, restored", async (_name, make) => {
    const backend = make();
    const bytes = picture(500);
    const reference = await offloaded(backend, bytes);
    expect(reference).toMatch(/^deepfs-blob:\/blobs\//);
    expect(await restored(backend, reference ?? "")).toEqual({
      type: "image",
      mimeType: "image/png",
      data: base64(bytes),
    });
  });

  test.each([
    ["state of its own", () => new StateBackend()],
    ["the upstream's state", () => new UpstreamState()],
    ["the upstream's state from a runtime", () => new UpstreamState({ state: { files: {} } } as never)],
  ])("%s: no effect", async (_name, make) => {
    expect(await offloaded(make(), picture(100))).toBeUndefined();
  });

  test("one that forgets or fails: the payload stays in the history", async () => {
    const forgets = {
      uploadFiles: (files: [string, unknown][]) => files.map(([path]) => ({ path, error: null })),
      downloadFiles: (paths: string[]) => paths.map((path) => ({ path, content: null, error: "file_not_found" })),
      write: () => ({ path: "/" }),
    };
    expect(await offloaded(forgets, picture(100))).toBeUndefined();
    const fails = { write: () => ({ error: "full" }), readRaw: () => ({ error: "full" }) };
    expect(await offloaded(fails, picture(100))).toBeUndefined();
  });
});

test("a forged reference gets only what is under its own hash", async () => {
  const backend = workspace();
  await backend.write("/secret.txt", "TOP");
  const hash = "0".repeat(64);
  expect(await restored(backend, `deepfs-blob:/secret.txt?bytes=3&as=base64`)).toMatchObject({
    data: "deepfs-blob:/secret.txt?bytes=3&as=base64",
  });
  expect(await restored(backend, `deepfs-blob:/secrets/${hash}?bytes=3&as=base64`)).toMatchObject({ type: "text" });
});

test("what is not base64 is left alone", async () => {
  for (const data of ["not base64!", "", "AAA=A", "=", "A"]) {
    const middleware = createBlobOffloadMiddleware({ backend: workspace() });
    const message = new HumanMessage({ content: [{ type: "image", mimeType: "image/png", data }] as never });
    expect(await (middleware.beforeAgent as unknown as Hook)({ messages: [message] }, {})).toBeUndefined();
  }
});

test("a payload of 60 MB", { timeout: 60_000 }, async () => {
  const backend = workspace();
  const bytes = new Uint8Array(60 * 1024 * 1024).fill(7);
  const reference = await offloaded(backend, bytes);
  expect(reference).toContain(`bytes=${bytes.length}`);
  const block = (await restored(backend, reference ?? "")) as { data: string };
  expect(block.data.length).toBe(Math.ceil(bytes.length / 3) * 4);
});

describe("base64 without Node", () => {
  afterEach(() => vi.unstubAllGlobals());

  test("agrees with Node's", async () => {
    const { decodeBase64: withNode } = await import("../../npm/deepfs/src/middleware/base64.js");
    vi.stubGlobal("Buffer", undefined);
    vi.resetModules();
    const { decodeBase64, encodeBase64 } = await import("../../npm/deepfs/src/middleware/base64.js");
    vi.unstubAllGlobals();
    for (const size of [0, 1, 2, 3, 24_575, 24_576, 24_577, 100_000]) {
      const bytes = picture(size).subarray(8);
      expect(encodeBase64(bytes)).toBe(base64(bytes));
      expect(decodeBase64(base64(bytes))).toEqual(bytes);
      expect(withNode(base64(bytes))).toEqual(bytes);
    }
    for (const wrong of ["A", "AA=A", "AAA=A", "====", "A===", "é", "AA-_"]) {
      expect(decodeBase64(wrong)).toBeNull();
      expect(withNode(wrong)).toBeNull();
    }
    expect(decodeBase64("AQ\nID\n")).toEqual(new Uint8Array([1, 2, 3]));
  });
});
