import { MemorySaver } from "@langchain/langgraph";
import { CompositeBackend, createBlobOffloadMiddleware, StateBackend } from "deepfs";
import { createFilesystemMiddleware } from "deepfs/middleware";
import { HumanMessage } from "langchain";
import { describe, expect, test } from "vitest";
import { agentThatReads, base64, media, picture, weight, workspace } from "./blob-thread.js";

const thread = { configurable: { thread_id: "1" } };

/** One turn of a user who sends a picture and has the agent read another. */
async function turn(
  saver: MemorySaver,
  backend: ReturnType<typeof workspace>,
  middleware: readonly unknown[],
  sent: Uint8Array,
  file: string,
) {
  const { agent, seen } = agentThatReads([["read_file", { file_path: file }]], {
    backend,
    checkpointer: saver,
    middleware: middleware as never,
  });
  const message = new HumanMessage({
    content: [
      { type: "text", text: "look" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${base64(sent)}` } },
    ],
  });
  const { messages } = await agent.invoke({ messages: [message] }, thread);
  return { seen: seen(), messages };
}

describe("a thread with 50 pictures", () => {
  const sent = Array.from({ length: 25 }, () => picture());
  const read = Array.from({ length: 25 }, () => picture());

  async function run(offloads: boolean) {
    const backend = workspace();
    await backend.uploadFiles(read.map((bytes, at) => [`/pictures/${at}.png`, bytes]));
    const saver = new MemorySaver();
    // A new agent, with new caches, each turn: as after a restart.
    const last = { seen: [] as Awaited<ReturnType<typeof turn>>["seen"] };
    for (const [at, bytes] of sent.entries()) {
      const middleware = offloads ? [createBlobOffloadMiddleware({ backend })] : [];
      last.seen = (await turn(saver, backend, middleware, bytes, `/pictures/${at}.png`)).seen;
    }
    return { backend, saver, seen: last.seen };
  }

  test("has checkpoints at least 90 % smaller, and resumes with every picture", { timeout: 120_000 }, async () => {
    const plain = await run(false);
    const small = await run(true);
    const ratio = weight(small.saver) / weight(plain.saver);
    console.log(
      `checkpoints: ${weight(plain.saver)} bytes, with offload ${weight(small.saver)}, ${(100 * ratio).toFixed(1)} %`,
    );
    expect(ratio).toBeLessThan(0.1);
    expect(media(small.seen)).toEqual(media(plain.seen));
    expect(media(small.seen)).toHaveLength(50);
    const blobs = await small.backend.glob("*", "/blobs");
    expect(blobs.files?.every(({ path }) => /^\/blobs\/[0-9a-f]{64}$/.test(path))).toBe(true);
    expect(blobs.files).toHaveLength(50);
  });
});

test("the history holds references, the model gets the payloads", async () => {
  const backend = workspace();
  const [sent, file] = [picture(100), picture(100)];
  await backend.uploadFiles([["/a.png", file]]);
  const { seen, messages } = await turn(
    new MemorySaver(),
    backend,
    [createBlobOffloadMiddleware({ backend })],
    sent,
    "/a.png",
  );
  expect(media(seen)).toEqual([
    { type: "image_url", image_url: { url: `data:image/png;base64,${base64(sent)}` } },
    { type: "image", mimeType: "image/png", data: base64(file) },
  ]);
  const stored = media(messages as never);
  expect(stored).toEqual([
    {
      type: "image_url",
      image_url: { url: expect.stringMatching(/^deepfs-blob:\/blobs\/[0-9a-f]{64}\?bytes=108&as=url/) },
    },
    {
      type: "image",
      mimeType: "image/png",
      data: expect.stringMatching(/^deepfs-blob:\/blobs\/[0-9a-f]{64}\?bytes=108&as=base64$/),
    },
  ]);
});

test("createFilesystemMiddleware with offloadBinaryContent takes the place of the built-in one", async () => {
  const backend = workspace();
  const [sent, file] = [picture(100), picture(100)];
  await backend.uploadFiles([["/a.png", file]]);
  const files = createFilesystemMiddleware({ backend, offloadBinaryContent: true });
  const { seen, messages } = await turn(new MemorySaver(), backend, [files], sent, "/a.png");
  expect(media(seen).map((block) => block.data ?? (block.image_url as { url: string }).url)).toEqual([
    `data:image/png;base64,${base64(sent)}`,
    base64(file),
  ]);
  expect(JSON.stringify(media(messages as never))).not.toContain(base64(file));
  expect(createFilesystemMiddleware({ backend })).not.toHaveProperty("offloadBinaryContent");
});

describe("a blob that is not there", () => {
  async function afterwards(spoil: (backend: ReturnType<typeof workspace>, path: string) => unknown) {
    const backend = workspace();
    await backend.uploadFiles([["/a.png", picture(100)]]);
    const saver = new MemorySaver();
    await turn(saver, backend, [createBlobOffloadMiddleware({ backend })], picture(100), "/a.png");
    for (const { path } of (await backend.glob("*", "/blobs")).files ?? []) await spoil(backend, path);
    return turn(saver, backend, [createBlobOffloadMiddleware({ backend })], picture(100), "/a.png");
  }

  test("leaves a notice", async () => {
    const { seen } = await afterwards((backend, path) => backend.delete(path));
    const notices = JSON.stringify(seen).match(
      /\[Binary content of 108 bytes, stored at \/blobs\/[0-9a-f]{64}, is no longer there\.\]/g,
    );
    // Of the first turn: the picture that was sent. The one that was read was read again and is there.
    expect(notices).toHaveLength(1);
    expect(media(seen)).toHaveLength(3);
  });

  test("or was changed: its hash is checked", async () => {
    const { seen } = await afterwards((backend, path) => backend.uploadFiles([[path, picture(100)]]));
    expect(JSON.stringify(seen)).toContain("was changed and can not be trusted");
  });
});

describe("where blobs would be in the state", () => {
  test.each([
    ["StateBackend", () => new StateBackend()],
    ["the default of a composite", () => new CompositeBackend(new StateBackend(), { "/disk/": workspace() })],
    ["a route of a composite", () => new CompositeBackend(workspace(), { "/blobs/": new StateBackend() })],
  ])("%s: no effect", async (_name, make) => {
    const backend = make();
    const sent = picture(100);
    const middleware = [createBlobOffloadMiddleware({ backend })];
    const { messages } = await turn(new MemorySaver(), backend as never, middleware, sent, "/none.png");
    expect(media(messages as never)).toEqual([
      { type: "image_url", image_url: { url: `data:image/png;base64,${base64(sent)}` } },
    ]);
  });

  test("a route to the disk has one", async () => {
    const disk = workspace();
    const backend = new CompositeBackend(new StateBackend(), { "/blobs/": disk });
    const middleware = [createBlobOffloadMiddleware({ backend })];
    await turn(new MemorySaver(), backend as never, middleware, picture(100), "/none.png");
    expect((await disk.ls("/")).files).toHaveLength(1);
  });
});

test("threads do not share the cache", async () => {
  const one = workspace();
  const two = workspace();
  const bytes = picture(100);
  let current = one;
  const shared = createBlobOffloadMiddleware({ backend: () => current });
  await one.uploadFiles([["/a.png", bytes]]);
  await two.uploadFiles([["/a.png", bytes]]);
  const saver = new MemorySaver();
  await turn(saver, one, [shared], bytes, "/a.png");
  current = two;
  const { agent } = agentThatReads([["read_file", { file_path: "/a.png" }]], {
    backend: two,
    checkpointer: saver,
    middleware: [shared] as never,
  });
  await agent.invoke({ messages: ["look"] }, { configurable: { thread_id: "2" } });
  expect((await two.glob("*", "/blobs")).files).toHaveLength(1);
});

test("misuse throws", () => {
  for (const folder of ["blobs", "/", "/a/../b", ""]) {
    expect(() => createBlobOffloadMiddleware({ backend: workspace(), folder })).toThrow(/folder/);
  }
});
