/** The documentation's examples of binary files: what `read` gives, the types it knows, and the records of files. */

import { InMemoryStore } from "@langchain/langgraph";
import { type BackendProtocolV2, type FileData, FilesystemBackend, StateBackend, StoreBackend } from "deepfs";
import { describe, expect, test } from "vitest";
import { scriptedModel } from "../support/agent.js";
import { workspace } from "./workspace.js";

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff, 0x00);

const BACKENDS: [string, () => BackendProtocolV2][] = [
  ["FilesystemBackend", () => FilesystemBackend.createSafe(workspace())],
  ["StateBackend", () => new StateBackend()],
  ["StoreBackend", () => new StoreBackend({ store: new InMemoryStore(), namespace: ["a"] })],
];

/** What a program that follows the documentation makes of a read. */
async function describeFile(backend: BackendProtocolV2, path: string): Promise<string> {
  const result = await backend.read(path);
  if (result.error) return `error: ${result.error}`;
  if (result.content instanceof Uint8Array) return `binary: ${result.mimeType}`;
  return `text: ${result.mimeType}`;
}

/** The documented table of types. */
const TYPES: Record<string, string[]> = {
  "image/png": ["png"],
  "image/jpeg": ["jpg", "jpeg"],
  "image/gif": ["gif"],
  "image/webp": ["webp"],
  "image/heic": ["heic"],
  "image/heif": ["heif"],
  "audio/mpeg": ["mp3"],
  "audio/wav": ["wav"],
  "audio/aiff": ["aiff"],
  "audio/aac": ["aac"],
  "audio/ogg": ["ogg"],
  "audio/flac": ["flac"],
  "video/mp4": ["mp4"],
  "video/webm": ["webm"],
  "video/mpeg": ["mpeg", "mpg"],
  "video/quicktime": ["mov"],
  "video/x-msvideo": ["avi"],
  "video/x-flv": ["flv"],
  "video/x-ms-wmv": ["wmv"],
  "video/3gpp": ["3gpp"],
  "application/pdf": ["pdf"],
  "application/vnd.ms-powerpoint": ["ppt"],
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": ["pptx"],
};

describe.each(BACKENDS)("%s", (_name, make) => {
  test("binary, text and missing files are told apart", async () => {
    const backend = make();
    await backend.uploadFiles?.([
      ["/workspace/screenshot.png", PNG],
      ["/workspace/notes.txt", new TextEncoder().encode("notes")],
    ]);
    expect(await describeFile(backend, "/workspace/screenshot.png")).toBe("binary: image/png");
    expect(await describeFile(backend, "/workspace/notes.txt")).toBe("text: text/plain");
    expect(await describeFile(backend, "/none.png")).toBe("error: File '/none.png' not found");
    expect((await backend.read("/workspace/screenshot.png")).content).toEqual(PNG);
  });

  test("every documented type", async () => {
    const backend = make();
    const expected = Object.entries(TYPES).flatMap(([type, endings]) =>
      endings.map((ending) => [`/a.${ending}`, type]),
    );
    await backend.uploadFiles?.(expected.map(([path = ""]) => [path, PNG]));
    const seen = await Promise.all(expected.map(async ([path = ""]) => [path, (await backend.read(path)).mimeType]));
    expect(seen).toEqual(expected);
  });

  test("records of both formats", async () => {
    const backend = make();
    await backend.write("/a.txt", "one\ntwo");
    const { data } = (await backend.readRaw("/a.txt")) as { data: FileData };
    const text = Array.isArray(data.content) ? data.content.join("\n") : data.content;
    expect(text).toBe("one\ntwo");
    expect(new Date(data.modified_at).getTime()).toBeGreaterThanOrEqual(new Date(data.created_at).getTime());
  });
});

test("an agent reads a picture as a block that a model can see", async () => {
  const { createDeepAgent } = await import("deepagents");
  const backend = FilesystemBackend.createSafe(workspace());
  await backend.uploadFiles([["/a.png", PNG]]);
  const model = scriptedModel([[["read_file", { file_path: "/a.png" }]]]);
  await createDeepAgent({ model, backend }).invoke({ messages: ["look"] });
  const seen = model.calls.at(-1)?.messages.at(-1)?.content;
  expect(seen).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: "image", mimeType: "image/png", data: Buffer.from(PNG).toString("base64") }),
    ]),
  );
});

test("state in the older format is read as well as in the current one", () => {
  const times = { created_at: "2025-01-01T00:00:00.000Z", modified_at: "2025-01-01T00:00:00.000Z" };
  const backend = new StateBackend({
    files: {
      "/old.txt": { content: ["one", "two"], ...times },
      "/new.txt": { content: "one\ntwo", mimeType: "text/plain", ...times },
    },
  });
  expect(backend.read("/old.txt")).toEqual(backend.read("/new.txt"));
});
