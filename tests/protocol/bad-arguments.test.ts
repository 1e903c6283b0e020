/**
 * A bad argument of every kind, in every place, to every method of every backend, in both builds: an error result or the
 * documented default, in time, never a throw, and the backend goes on working.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryStore } from "@langchain/langgraph-checkpoint";
import * as native from "deepfs";
import * as wasm from "deepfs/wasm";
import { Client } from "langsmith";
import { afterAll, describe, expect, test } from "vitest";
import { legacyTarget } from "../conformance/state-targets.js";
import { startHubEmulator } from "../services/hub-emulator.mjs";
import { EVERY_VALUE, type Hostile } from "../support/hostile.js";

type Methods = Record<string, (...args: unknown[]) => unknown>;
type Takes = (value: unknown) => boolean;

const root = mkdtempSync(join(tmpdir(), "deepfs-bad-"));
const hub = await startHubEmulator();
afterAll(async () => {
  rmSync(root, { recursive: true });
  await hub.stop();
});

const permissive = { operations: ["read", "write"], paths: ["/**"], mode: "allow" };

/** A V1 backend, as people wrote them: the adapter in front of it is what is tested. */
function oldBackend(): object {
  const state = new native.StateBackend();
  return {
    lsInfo: (path: string) => state.ls(path).files ?? [],
    read: (path: string) => String(state.read(path).content ?? ""),
    readRaw: (path: string) => state.readRaw(path).data,
    write: (path: string, content: string) => state.write(path, content),
    edit: (path: string, from: string, to: string, all?: boolean) => state.edit(path, from, to, all),
    globInfo: (pattern: string, path?: string) => state.glob(pattern, path).files ?? [],
    grepRaw: (pattern: string) => state.grep(pattern).matches ?? [],
  };
}

/** What an adapted backend answers is that backend's own: here it takes everything as good. */
const ADAPTED = "adaptBackendProtocol";

/** Without a shell `execute` is misuse, which throws, upstream too. */
function withoutShell(composite: object): object {
  return Object.assign(composite, { execute: undefined });
}

const backends: [string, object][] = [
  ["FilesystemBackend, contained", native.FilesystemBackend.createSafe(root)],
  ["FilesystemBackend, host paths", new native.FilesystemBackend({ rootDir: root })],
  ["LocalShellBackend", new native.LocalShellBackend({ rootDir: root, virtualMode: true, timeout: 2 })],
  [
    "CompositeBackend over a shell",
    new native.CompositeBackend(new native.LocalShellBackend({ rootDir: root, virtualMode: true, timeout: 2 }), {}),
  ],
  [
    "ContextHubBackend",
    new native.ContextHubBackend("bad", { client: new Client({ apiUrl: hub.url, apiKey: "emulator" }) }),
  ],
  ["withPolicy over disk", native.withPolicy(native.FilesystemBackend.createSafe(root), {})],
];
for (const [build, deepfs] of [
  ["native", native],
  ["wasm", wasm as unknown as typeof native],
] as const) {
  const { CompositeBackend, StateBackend, StoreBackend, adaptBackendProtocol, withPermissions } = deepfs;
  backends.push(
    [`StateBackend, own memory, ${build}`, new StateBackend()],
    [`StateBackend, runtime, ${build}`, (await legacyTarget(deepfs, build).open({})).backend],
    [`StoreBackend, ${build}`, new StoreBackend({ store: new InMemoryStore(), namespace: ["bad"] })],
    [
      `CompositeBackend, ${build}`,
      withoutShell(new CompositeBackend(new StateBackend(), { "/mem/": new StateBackend() })),
    ],
    [`withPermissions, ${build}`, withPermissions(new StateBackend(), [permissive as never])],
    [`${ADAPTED}, ${build}`, adaptBackendProtocol(oldBackend() as never)],
  );
}

const text: Takes = (value) => typeof value === "string";
const absent: Takes = (value) => value === undefined || value === null;
const optional =
  (takes: Takes): Takes =>
  (value) =>
    absent(value) || takes(value);
const number: Takes = (value) => typeof value === "number";
const bytes: Takes = (value) =>
  ArrayBuffer.isView(value) || Object.prototype.toString.call(value) === "[object ArrayBuffer]";
/** Options objects are read, whatever else they hold. */
const orOptions =
  (takes: Takes): Takes =>
  (value) =>
    takes(value) || typeof value === "object";

/** Good arguments of each method, and what each place takes besides. */
const METHODS: Record<string, { args: unknown[]; takes: Takes[] }> = {
  ls: { args: ["/"], takes: [text] },
  read: { args: ["/keep.txt", 0, 10], takes: [text, optional(orOptions(number)), optional(number)] },
  readRaw: { args: ["/keep.txt"], takes: [text] },
  write: { args: ["/new.txt", "x"], takes: [text, (value) => text(value) || bytes(value)] },
  edit: {
    args: ["/keep.txt", "zzz", "y", false],
    takes: [text, text, text, optional(orOptions((value) => typeof value === "boolean"))],
  },
  glob: { args: ["*", "/"], takes: [text, optional(text)] },
  grep: { args: ["zzz", "/", null, null], takes: [text, optional(text), optional(text), optional(number)] },
  delete: { args: ["/none"], takes: [text] },
  uploadFiles: { args: [[["/up.txt", new Uint8Array([120])]]], takes: [Array.isArray] },
  downloadFiles: { args: [["/keep.txt"]], takes: [Array.isArray] },
  // What follows the command is passed over unless it is an object with options.
  execute: { args: ["true"], takes: [text, () => true] },
};

const isError = (answer: unknown): boolean => {
  const list = Array.isArray(answer) ? (answer as unknown[]) : [answer];
  return list.some((item) => {
    const { error, exitCode } = (item ?? {}) as { error?: unknown; exitCode?: unknown };
    return typeof error === "string" || (typeof exitCode === "number" && exitCode !== 0);
  });
};

/** How a call went: nothing, or what was wrong with it. */
async function attempt(backend: Methods, method: string, args: unknown[], mayWork: boolean): Promise<string | null> {
  const started = performance.now();
  try {
    const answer = await backend[method]?.(...args);
    const took = performance.now() - started;
    if (took > 10_000) return `took ${Math.round(took)} ms`;
    if (typeof answer !== "object" || answer === null) return `answered ${String(answer)}`;
    return mayWork || isError(answer) ? null : `took it as good: ${JSON.stringify(answer).slice(0, 200)}`;
  } catch (error) {
    return `threw ${String(error)}`;
  }
}

describe.each(backends)("%s", (name, object) => {
  /** The Hub's listing has a default, the root; upstream's, too. */
  const lenient = (method: string, value: unknown): boolean =>
    name.startsWith(ADAPTED) || (name === "ContextHubBackend" && method === "ls" && value === undefined);
  const backend = object as Methods;
  const methods = Object.entries(METHODS).filter(([method]) => typeof backend[method] === "function");

  test.each(methods)("%s", { timeout: 120_000 }, async (method, { args, takes }) => {
    await backend["write"]?.("/keep.txt", "kept\n");
    const wrong: string[] = [];
    for (const [kind, make] of EVERY_VALUE) {
      for (const [at, good] of takes.entries()) {
        const value = make();
        const trial = [...args];
        trial[at] = value;
        const problem = await attempt(backend, method, trial, lenient(method, value) || safely(good, value));
        if (problem !== null) wrong.push(`argument ${at} as ${kind}: ${problem}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(await backend["read"]?.("/keep.txt")).toMatchObject({ content: expect.stringContaining("kept") });
  });

  test.each(["uploadFiles", "downloadFiles"])("the items of %s", { timeout: 120_000 }, async (method) => {
    if (typeof backend[method] !== "function") return;
    const wrong: string[] = [];
    for (const [kind, make] of EVERY_VALUE) {
      const items =
        method === "uploadFiles"
          ? [[make()], [["/b.txt", make()]], [[make(), new Uint8Array(1)]], [make()]]
          : [[make()]];
      for (const list of items) {
        const problem = await attempt(backend, method, [list], true);
        if (problem !== null) wrong.push(`${kind}: ${problem}`);
      }
    }
    expect(wrong).toEqual([]);
    await backend["write"]?.("/keep.txt", "kept\n");
    expect(await backend["ls"]?.("/")).toHaveProperty("files");
  });

  test.each(methods)("%s without arguments, and with too many", async (method, { args }) => {
    expect(await attempt(backend, method, [], true)).toBeNull();
    const more = [...args, ...Array.from({ length: 8 }, () => Symbol("more"))].slice(0, 12);
    expect(await attempt(backend, method, more, true)).toBeNull();
  });
});

function safely(takes: Takes, value: Hostile): boolean {
  try {
    return takes(value);
  } catch {
    return false;
  }
}
