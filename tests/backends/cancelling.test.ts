/** `AbortSignal`: of a backend, and of one command. */

import { join } from "node:path";
import { FilesystemBackend, LocalShellBackend } from "deepfs";
import { describe, expect, onTestFinished, test } from "vitest";
import { testFolder } from "../support/folder.js";

const CANCELLED = expect.objectContaining({ code: "cancelled" });

/** Enough of a tree and of a file that no call is done before it is cancelled. */
function slow() {
  const folder = testFolder();
  for (let at = 0; at < 3000; at += 1) folder.file(`ws/d${at % 50}/f${at}.txt`, "straw\n".repeat(2000));
  folder.file("ws/big.txt", "line\n".repeat(40_000_000));
  return folder;
}

test("an abort ends walks, searches and reads while they run", async () => {
  const { ws } = slow();
  const calls: [string, (backend: FilesystemBackend) => Promise<object>][] = [
    ["glob", (backend) => backend.glob("**/*.md")],
    ["grep", (backend) => backend.grep("needle")],
    ["read", (backend) => backend.read("/big.txt", 39_999_000, 10)],
  ];
  for (const [name, call] of calls) {
    const abort = new AbortController();
    const backend = new FilesystemBackend({
      rootDir: ws,
      virtualMode: true,
      maxFileSizeMb: 1000,
      signal: abort.signal,
    });
    const running = call(backend);
    await Promise.resolve();
    abort.abort();
    expect(await running, name).toEqual(CANCELLED);
  }
});

test("an abort ends the delete of a folder; what is left stays", async () => {
  const { ws } = slow();
  const abort = new AbortController();
  const backend = FilesystemBackend.createSafe(join(ws, ".."), { signal: abort.signal });
  const running = backend.delete("/ws");
  await Promise.resolve();
  abort.abort();
  expect(await running).toEqual(CANCELLED);
  const left = await FilesystemBackend.createSafe(ws).glob("**");
  expect(left.files?.length).toBeGreaterThan(2500);
});

test("after an abort every method answers so, and nothing is done", async () => {
  const { ws, file } = testFolder();
  file("ws/a.txt", "a");
  const signal = AbortSignal.abort();
  const backend = new LocalShellBackend({ rootDir: ws, virtualMode: true, signal });
  const transferred = { path: "/a.txt", error: "permission_denied", code: "cancelled", message: expect.any(String) };
  expect(await backend.ls("/")).toEqual(CANCELLED);
  expect(await backend.read("/a.txt")).toEqual(CANCELLED);
  expect(await backend.readRaw("/a.txt")).toEqual(CANCELLED);
  expect(await backend.write("/b.txt", "b")).toEqual(CANCELLED);
  expect(await backend.edit("/a.txt", "a", "b")).toEqual(CANCELLED);
  expect(await backend.glob("*")).toEqual(CANCELLED);
  expect(await backend.grep("a")).toEqual(CANCELLED);
  expect(await backend.delete("/a.txt")).toEqual(CANCELLED);
  expect(await backend.uploadFiles([["/a.txt", new Uint8Array([98])]])).toEqual([transferred]);
  expect(await backend.downloadFiles(["/a.txt"])).toEqual([{ ...transferred, content: null }]);
  expect(await backend.resolveTarget("/a.txt")).toEqual(CANCELLED);
  const cancelled = { output: "Error: Command was cancelled.", exitCode: null, truncated: false, code: "cancelled" };
  expect(await backend.execute("echo x > b.txt")).toEqual(cancelled);
  const fresh = new FilesystemBackend({ rootDir: ws, virtualMode: true });
  expect((await fresh.ls("/")).files).toMatchObject([{ path: "/a.txt", size: 1 }]);
});

describe("commands", () => {
  const cancelled = (output: string) => ({ output, exitCode: null, truncated: false, code: "cancelled" });

  test("one command, by its own signal or the backend's", async () => {
    const { ws } = testFolder();
    const whole = new AbortController();
    const backend = new LocalShellBackend({ rootDir: ws, signal: whole.signal });
    onTestFinished(() => backend.close());
    const one = new AbortController();
    const start = performance.now();
    const running = backend.execute("echo a; sleep 50", { signal: one.signal });
    const other = backend.execute("echo b; sleep 50");
    setTimeout(() => one.abort(), 300);
    expect(await running).toEqual(cancelled("a\n\nError: Command was cancelled."));
    whole.abort();
    expect(await other).toEqual(cancelled("b\n\nError: Command was cancelled."));
    expect(performance.now() - start).toBeLessThan(3000);
    expect(await backend.execute("echo c", { signal: AbortSignal.abort() })).toEqual(
      cancelled("Error: Command was cancelled."),
    );
  });

  test("a signal that outlives many calls keeps none of them", async () => {
    const { ws } = testFolder();
    const { signal } = new AbortController();
    const listeners = new Set<unknown>();
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (name: string, listener: never, options?: never) => {
      listeners.add(listener);
      add(name, listener, options);
    };
    signal.removeEventListener = (name: string, listener: never) => {
      listeners.delete(listener);
      remove(name, listener);
    };
    const warnings: string[] = [];
    const warned = (warning: Error): void => void warnings.push(warning.name);
    process.on("warning", warned);
    const backend = new LocalShellBackend({ rootDir: ws, signal });
    await Promise.all(Array.from({ length: 30 }, () => Promise.all([backend.execute("true"), backend.glob("*")])));
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", warned);
    expect([listeners.size, warnings]).toEqual([0, []]);
  });
});
