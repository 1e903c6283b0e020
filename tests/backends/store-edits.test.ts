import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { InMemoryStore } from "@langchain/langgraph-checkpoint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { JsonStore } from "../services/json-store.js";
import { deepfs } from "../support/backend.js";
import { connectTo, openPostgres } from "../support/stores.js";

const { StoreBackend } = deepfs;
const EDITOR = fileURLToPath(new URL("../services/store-editor.mjs", import.meta.url));
const namespace = ["edits"];

/** What edits that run at once come to: the lines that were reported as done, those in the file, and codes of errors. */
async function editAtOnce(
  backends: InstanceType<typeof StoreBackend>[],
  edits: number,
  path = "/log.txt",
): Promise<{ done: string[]; inFile: string[]; codes: string[] }> {
  await backends[0]?.write(path, "END");
  const lines = Array.from({ length: edits }, (_, n) => `line ${n};`);
  const results = await Promise.all(
    lines.map((line, n) => backends[n % backends.length]?.edit(path, "END", `${line}\nEND`)),
  );
  const text = String((await backends[0]?.read(path, 0, 10_000))?.content);
  return {
    done: lines.filter((_, n) => results[n]?.error === undefined).sort(),
    inFile: text.split("\n").slice(0, -1).sort(),
    codes: results.flatMap((result) => (result?.code === undefined ? [] : [result.code])),
  };
}

/** All edits done, none lost. */
function allOf(edits: number): { done: string[]; inFile: string[]; codes: string[] } {
  const lines = Array.from({ length: edits }, (_, n) => `line ${n};`).sort();
  return { done: lines, inFile: lines, codes: [] };
}

describe.each([
  ["InMemoryStore", () => new InMemoryStore()],
  ["JSON store", () => new JsonStore()],
])("a path is a file or a folder: %s", (_name, open) => {
  test("also where both are written at the same time", async () => {
    const backend = new StoreBackend({ store: open(), namespace });
    expect(await Promise.all([backend.write("/q", "file"), backend.write("/q/r", "below")])).toEqual([
      { path: "/q", filesUpdate: null },
      { error: "Error writing file '/q/r': a part of the path is a file, not a directory", code: "not_a_directory" },
    ]);
    expect((await backend.ls("/")).files?.map((file) => file.path)).toEqual(["/q"]);
  });

  test("of a batch, the one given first stays", async () => {
    const backend = new StoreBackend({ store: open(), namespace });
    const one = new Uint8Array([49]);
    const sent: [string, Uint8Array][] = [
      ["/y/z", one],
      ["/y", one],
      ["/x", one],
      ["/x/y", one],
      ["/x", one],
    ];
    const answers = await backend.uploadFiles(sent);
    expect(answers.map(({ code }) => code)).toEqual([
      undefined,
      "is_directory",
      undefined,
      "not_a_directory",
      undefined,
    ]);
    expect((await backend.glob("**/*")).files?.map((file) => file.path)).toEqual(["/x", "/y/z"]);
  });
});

describe("edits that run at the same time", () => {
  test("store-parallel: of one backend, on a store with latency", async () => {
    const backend = new StoreBackend({ store: new JsonStore({ latencyMs: 2 }), namespace });
    expect(await editAtOnce([backend], 24)).toEqual(allOf(24));
  });

  test("of several backends over one store, in this process", async () => {
    for (const store of [new InMemoryStore(), new JsonStore({ latencyMs: 1 })]) {
      const backends = [1, 2, 3].map(() => new StoreBackend({ store, namespace }));
      expect(await editAtOnce(backends, 24)).toEqual(allOf(24));
    }
  });

  test("of stores that know nothing of each other over one database", async () => {
    const rows = new JsonStore().rows;
    const stores = [1, 2, 3].map(() => new JsonStore({ rows, latencyMs: 1 }));
    const backends = stores.map((store) => new StoreBackend({ store, namespace }));
    expect(await editAtOnce(backends, 18)).toEqual(allOf(18));
    expect([...rows.values()].map(({ key }) => key)).toEqual(["/log.txt"]);
  });

  test("writes, uploads and deletes wait for edits too", async () => {
    const rows = new JsonStore().rows;
    const [one, two] = [1, 2].map(() => new StoreBackend({ store: new JsonStore({ rows, latencyMs: 2 }), namespace }));
    await one?.write("/a.txt", "old");
    const edit = one?.edit("/a.txt", "old", "edited");
    const write = two?.write("/a.txt", "written");
    // Whichever was first: were they mixed, "edited" would be there although "written" was reported as done.
    expect(["no_match", undefined]).toContain((await edit)?.code);
    expect(await write).toEqual({ path: "/a.txt", filesUpdate: null });
    expect((await one?.read("/a.txt"))?.content).toBe("written");
    const [gone, late] = await Promise.all([one?.delete("/a.txt"), two?.edit("/a.txt", "written", "again")]);
    const left = await one?.read("/a.txt");
    expect(gone?.error === undefined && late?.error === undefined && left?.content === "again").toBe(false);
  });

  test("a claim that a dead process left behind runs out", async () => {
    const store = new JsonStore();
    const backend = new StoreBackend({ store, namespace });
    await backend.write("/a.txt", "old");
    await store.put([...namespace, "deepfs-locks"], "000000001-dead", { paths: ["/a.txt"], beat: 0 });
    await backend.write("/b.txt", "another path is free");
    const start = performance.now();
    expect(await backend.edit("/a.txt", "old", "new")).toMatchObject({ occurrences: 1 });
    expect(performance.now() - start).toBeGreaterThan(9_000);
    expect([...store.rows.values()].map(({ key }) => key).sort()).toEqual(["/a.txt", "/b.txt"]);
  }, 30_000);
});

describe("edits on Postgres", () => {
  let postgres: Awaited<ReturnType<typeof openPostgres>>;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(() => postgres.close());

  test("two pools", async () => {
    const other = connectTo(postgres.url);
    const backends = [postgres.store, other.store].map((store) => new StoreBackend({ store, namespace }));
    expect(await editAtOnce(backends, 32)).toEqual(allOf(32));
    await other.store.stop();
  }, 60_000);

  test("four processes of 16 edits each", async () => {
    const backend = new StoreBackend({ store: postgres.store, namespace });
    await backend.write("/shared.txt", "END");
    const editors = Array.from({ length: 4 }, (_, n) => {
      const child = spawn(process.execPath, [EDITOR, postgres.url, "/shared.txt", `p${n}`, "16"], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      const said: string[] = [];
      const lines = createInterface({ input: child.stdout });
      lines.on("line", (line) => said.push(line));
      return { child, lines, said, ready: once(lines, "line"), ended: once(child, "exit") };
    });
    await Promise.all(editors.map(({ ready }) => ready));
    for (const { child } of editors) child.stdin.write("go\n");
    await Promise.all(editors.map(({ ended }) => ended));
    const reports = editors.map(({ said }) => JSON.parse(said[1] ?? "{}") as { done: string[]; codes: string[] });
    const text = String((await backend.read("/shared.txt", 0, 1_000)).content);
    expect(text.split("\n").slice(0, -1).sort()).toEqual(reports.flatMap(({ done }) => done).sort());
    const codes = reports.flatMap((report) => report.codes);
    expect(codes.filter((code) => code !== "conflict")).toEqual([]);
    expect(reports.flatMap(({ done }) => done).length + codes.length).toBe(64);
    console.log(`four processes: ${64 - codes.length} of 64 edits done, ${codes.length} conflicts reported`);
  }, 120_000);
});
