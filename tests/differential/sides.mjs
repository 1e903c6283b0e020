// The two sides of a comparison: deepfs and deepagents over the same files, on disk and in state.

import { mkdtemp, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A pair of disk backends over two folders with the same files. */
export async function diskPair(ours, theirs) {
  const top = await mkdtemp(join(tmpdir(), "deepfs-differential-"));
  const make = async (name, create) => {
    const root = join(top, name);
    await mkdir(root);
    return {
      backend: create(root),
      root,
      reset: async (files) => {
        await rm(root, { recursive: true });
        await mkdir(root);
        for (const [path, content] of files) {
          await mkdir(dirname(join(root, path)), { recursive: true });
          await writeFile(join(root, path), content);
        }
      },
      files: () => onDisk(root),
    };
  };
  return {
    kind: "disk",
    ours: await make("ours", (rootDir) => new ours.FilesystemBackend({ rootDir, virtualMode: true })),
    theirs: await make("theirs", (rootDir) => new theirs.FilesystemBackend({ rootDir, virtualMode: true })),
    close: () => rm(top, { recursive: true }),
  };
}

async function onDisk(root) {
  const files = new Map();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    files.set(path.slice(root.length), new Uint8Array(await readFile(path)));
  }
  return files;
}

/** A pair of state backends with the runtime of old, whose updates the pair applies. */
export function statePair(ours, theirs) {
  const make = (StateBackend) => {
    const runtime = { state: { files: {} } };
    const inner = new StateBackend(runtime);
    const backend = new Proxy(inner, {
      get:
        (target, name) =>
        (...args) => {
          const result = target[name](...args);
          const update = Object.entries(result?.filesUpdate ?? {});
          runtime.state.files = Object.fromEntries(
            [...Object.entries(runtime.state.files), ...update].filter(
              ([path, record]) => record !== null && !update.some(([key, value]) => key === path && value === null),
            ),
          );
          return result;
        },
    });
    return {
      backend,
      reset: async (files) => {
        runtime.state.files = {};
        const stamp = "2026-01-01T00:00:00.000Z";
        for (const [path, content] of files) {
          const text = decodeStrictly(content);
          const binary = /\.(png|pdf|mp3|gif)$/.test(path) || text === undefined;
          runtime.state.files[path] = {
            content: binary ? content : text,
            mimeType: binary ? mimeOf(path) : mimeOf(path),
            created_at: stamp,
            modified_at: stamp,
          };
        }
      },
      files: async () =>
        new Map(
          Object.entries(runtime.state.files).map(([path, record]) => [
            path,
            typeof record.content === "string"
              ? new TextEncoder().encode(record.content)
              : new Uint8Array(record.content),
          ]),
        ),
    };
  };
  return { kind: "state", ours: make(ours.StateBackend), theirs: make(theirs.StateBackend), close: async () => {} };
}

function decodeStrictly(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const MIMES = {
  ".png": "image/png",
  ".pdf": "application/pdf",
  ".mp3": "audio/mpeg",
  ".gif": "image/gif",
  ".md": "text/markdown",
  ".json": "application/json",
};

function mimeOf(path) {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return MIMES[dot > 0 ? name.slice(dot).toLowerCase() : ""] ?? "text/plain";
}
