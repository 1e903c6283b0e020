/** The package on machines where the addon does not load, or may not share memory. */

import { expect } from "vitest";
import { fault } from "../support/fault.js";
import { testFolder } from "../support/folder.js";
import { answerOf, runNode } from "./child.js";

fault("pkg-musl-glibc", { kind: "packaging", target: "wasm in Node" }, async () => {
  // As the loader of the system answers for an addon that was linked against a newer or another C library.
  const { code, out, error } = await runNode(
    `console.log(JSON.stringify([deepfs.coreBuild().build, new deepfs.StateBackend().write("/a", "x").path]));`,
    { preload: `process.dlopen = () => { throw new Error("/lib/libc.so.6: version 'GLIBC_2.99' not found"); };` },
  );
  expect([code, JSON.parse(out)]).toEqual([0, ["wasm", "/a"]]);
  expect(error.match(/DEEPFS_WASM_FALLBACK/g)).toHaveLength(1);
  expect(error).toContain("GLIBC_2.99");
});

fault("napi-external-buffer", { kind: "packaging", target: "FilesystemBackend, contained" }, async () => {
  // Electron forbids memory that is not the engine's own, and napi copies there. What must hold either way: the bytes are
  // a Uint8Array over an ArrayBuffer, which can be handed to another thread and outlives its backend.
  const { ws, file } = testFolder();
  file(
    "ws/a.bin",
    Uint8Array.from({ length: 70_000 }, (_, at) => at % 251),
  );
  const answer = await answerOf(
    `const backend = deepfs.FilesystemBackend.createSafe(process.argv[1]);
    const [{ content }] = await backend.downloadFiles(["/a.bin"]);
    const moved = structuredClone(content, { transfer: [content.buffer] });
    const read = await backend.readRaw("/a.bin");
    const whole = (bytes) => bytes instanceof Uint8Array && bytes.buffer instanceof ArrayBuffer &&
      bytes.length === 70_000 && bytes.every((byte, at) => byte === at % 251);
    console.log(JSON.stringify([whole(moved), whole(read.data.content)]));`,
    { args: [ws] },
  );
  expect(answer).toEqual([true, true]);
});
