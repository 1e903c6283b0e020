/** The documentation's outlines of backends of one's own, filled in: objects as in S3, rows as in Postgres. */

import {
  applyGrepMaxCount,
  type BackendProtocolV2,
  CompositeBackend,
  type EditResult,
  type FileInfo,
  type GlobResult,
  type GrepResult,
  type LsResult,
  type ReadRawResult,
  type ReadResult,
  StateBackend,
  withPermissions,
  type WriteResult,
} from "deepfs";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPostgres } from "../services/postgres.mjs";
import { ask, edit, list, read, write } from "./ask.js";

/** What both have to do: texts under keys. */
interface Texts {
  keys(prefix: string): Promise<string[]>;
  get(key: string): Promise<string | undefined>;
  put(key: string, text: string): Promise<void>;
}

class TextsBackend implements BackendProtocolV2 {
  private readonly prefix: string;

  constructor(
    private readonly texts: Texts,
    prefix = "",
  ) {
    this.prefix = prefix.replace(/\/$/, "");
  }

  private key(path: string): string {
    return `${this.prefix}${path}`;
  }

  private async files(path: string): Promise<string[]> {
    const folder = path.endsWith("/") ? path : `${path}/`;
    const keys = await this.texts.keys(this.key(folder));
    return keys.map((key) => key.slice(this.prefix.length)).sort();
  }

  async ls(path: string): Promise<LsResult> {
    const folder = path.endsWith("/") ? path : `${path}/`;
    const rows = new Map<string, FileInfo>();
    for (const file of await this.files(path)) {
      const [name = "", ...below] = file.slice(folder.length).split("/");
      const row = folder + name + (below.length > 0 ? "/" : "");
      rows.set(row, { path: row, is_dir: below.length > 0 });
    }
    return { files: [...rows.values()] };
  }

  async read(filePath: string, offset = 0, limit = 500): Promise<ReadResult> {
    const text = await this.texts.get(this.key(filePath));
    if (text === undefined) return { error: `File '${filePath}' not found` };
    const lines = text.split("\n");
    return {
      content: lines.slice(offset, offset + limit).join("\n"),
      mimeType: "text/plain",
      totalLines: lines.length,
      startLine: offset + 1,
      endLine: Math.min(offset + limit, lines.length),
    };
  }

  async readRaw(filePath: string): Promise<ReadRawResult> {
    const content = await this.texts.get(this.key(filePath));
    if (content === undefined) return { error: `File '${filePath}' not found` };
    const now = new Date().toISOString();
    return { data: { content, mimeType: "text/plain", created_at: now, modified_at: now } };
  }

  async grep(pattern: string, path?: string | null, _glob?: string | null, max?: number | null): Promise<GrepResult> {
    const matches = [];
    for (const file of await this.files(path ?? "/")) {
      const lines = (await this.texts.get(this.key(file)))?.split("\n") ?? [];
      for (const [at, text] of lines.entries()) {
        if (text.includes(pattern)) matches.push({ path: file, line: at + 1, text });
      }
    }
    return applyGrepMaxCount({ result: { matches }, maxCount: max });
  }

  async glob(pattern: string, path = "/"): Promise<GlobResult> {
    const suffix = pattern.replace(/^.*\*/, "");
    const files = (await this.files(path)).filter((file) => file.endsWith(suffix));
    return { files: files.map((file) => ({ path: file, is_dir: false })) };
  }

  async write(filePath: string, content: string): Promise<WriteResult> {
    if ((await this.texts.get(this.key(filePath))) !== undefined) return { error: `'${filePath}' is there already` };
    await this.texts.put(this.key(filePath), content);
    return { path: filePath, filesUpdate: null };
  }

  async edit(filePath: string, oldString: string, newString: string, replaceAll = false): Promise<EditResult> {
    const text = await this.texts.get(this.key(filePath));
    if (text === undefined) return { error: `File '${filePath}' not found` };
    const occurrences = text.split(oldString).length - 1;
    if (occurrences === 0) return { error: `String not found in '${filePath}'` };
    if (occurrences > 1 && !replaceAll) return { error: `${occurrences} occurrences in '${filePath}'` };
    await this.texts.put(this.key(filePath), text.replaceAll(oldString, newString));
    return { path: filePath, filesUpdate: null, occurrences };
  }
}

/** A bucket: keys and objects. */
function bucket(): Texts {
  const objects = new Map<string, string>();
  return {
    keys: async (prefix) => [...objects.keys()].filter((key) => key.startsWith(prefix)),
    get: async (key) => objects.get(key),
    put: async (key, text) => void objects.set(key, text),
  };
}

/** The documented table. */
async function table(client: Client): Promise<Texts> {
  await client.query(
    `CREATE TABLE files (path text primary key, content text, mime_type text DEFAULT 'text/plain',
       created_at timestamptz DEFAULT now(), modified_at timestamptz DEFAULT now())`,
  );
  return {
    keys: async (prefix) =>
      (await client.query("SELECT path FROM files WHERE starts_with(path, $1)", [prefix])).rows.map(({ path }) => path),
    get: async (key) => (await client.query("SELECT content FROM files WHERE path = $1", [key])).rows[0]?.content,
    put: async (key, text) => {
      await client.query(
        `INSERT INTO files (path, content) VALUES ($1, $2)
           ON CONFLICT (path) DO UPDATE SET content = $2, modified_at = now()`,
        [key, text],
      );
    },
  };
}

let postgres: Awaited<ReturnType<typeof startPostgres>>;
let client: Client;
beforeAll(async () => {
  postgres = await startPostgres();
  client = new Client(postgres.url);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await postgres.stop();
});

describe.each<[string, () => Promise<Texts> | Texts]>([
  ["objects in a bucket", bucket],
  ["rows of a table in Postgres", () => table(client)],
])("%s", (_name, make) => {
  test("an agent on it, alone, on a route of a composite, and with permissions around it", async () => {
    const backend = new TextsBackend(await make(), "tenant-1/");
    const alone = await ask({ backend }, [
      write("/docs/a.md", "one needle\n"),
      write("/docs/a.md", "again"),
      edit("/docs/a.md", "one", "a"),
      read("/docs/a.md"),
    ]);
    expect(alone[0]).toBe("Successfully wrote to '/docs/a.md'");
    expect(alone[1]).toContain("is there already");
    expect(alone[3]).toContain("a needle");

    const mounted = new CompositeBackend(new StateBackend(), { "/remote/": backend });
    const routed = await ask({ backend: mounted }, [
      list("/remote/docs"),
      ["grep", { pattern: "needle", path: "/" }],
      ["glob", { pattern: "**/*.md" }],
      write("/remote/b.md", "b"),
    ]);
    expect(routed[0]).toContain("/remote/docs/a.md");
    expect(routed[1]).toContain("/remote/docs/a.md");
    expect(routed[2]).toBe("/remote/docs/a.md");
    expect(routed[3]).toBe("Successfully wrote to '/remote/b.md'");

    const guarded = withPermissions(backend, [{ operations: ["write"], paths: ["/docs/**"], mode: "deny" }]);
    const refused = await ask({ backend: guarded }, [edit("/docs/a.md", "a", "b"), write("/c.md", "c"), list("/")]);
    expect(refused[0]).toMatch(/permission denied/);
    expect(refused[1]).toBe("Successfully wrote to '/c.md'");
    expect(refused[2]).toMatch(/\/b\.md[^]*\/c\.md[^]*\/docs\//);
  });
});
