/** The documentation's policy hooks: a subclass that guards prefixes, and a wrapper around any backend. */

import { createDeepAgent } from "deepagents";
import {
  type BackendProtocolV2,
  type DeleteResult,
  type EditResult,
  type FileDownloadResponse,
  type FileUploadResponse,
  FilesystemBackend,
  type FilesystemBackendOptions,
  type GlobResult,
  type GrepResult,
  type LsResult,
  type ReadRawResult,
  type ReadResult,
  StateBackend,
  withPermissions,
  withPolicy,
  type WriteResult,
} from "deepfs";
import { describe, expect, test } from "vitest";
import { runTurns } from "../support/agent.js";
import { workspace } from "./workspace.js";

class GuardedBackend extends FilesystemBackend {
  private readonly denyPrefixes: string[];

  constructor({ denyPrefixes, ...options }: FilesystemBackendOptions & { denyPrefixes: string[] }) {
    super(options);
    this.denyPrefixes = denyPrefixes.map((prefix) => (prefix.endsWith("/") ? prefix : `${prefix}/`));
  }

  override async write(filePath: string, content: string): Promise<WriteResult> {
    if (this.denyPrefixes.some((prefix) => filePath.startsWith(prefix))) {
      return { error: `Writes are not allowed under ${filePath}` };
    }
    return super.write(filePath, content);
  }

  override async edit(filePath: string, oldString: string, newString: string, replaceAll = false): Promise<EditResult> {
    if (this.denyPrefixes.some((prefix) => filePath.startsWith(prefix))) {
      return { error: `Edits are not allowed under ${filePath}` };
    }
    return super.edit(filePath, oldString, newString, replaceAll);
  }
}

class PolicyWrapper implements BackendProtocolV2 {
  constructor(
    private readonly inner: BackendProtocolV2,
    private readonly denyPrefixes: string[] = [],
  ) {}

  private isDenied(path: string): boolean {
    return this.denyPrefixes.some((prefix) => path.startsWith(prefix));
  }

  async ls(path: string): Promise<LsResult> {
    return this.inner.ls(path);
  }
  async read(filePath: string, offset?: number, limit?: number): Promise<ReadResult> {
    return this.inner.read(filePath, offset, limit);
  }
  async readRaw(filePath: string): Promise<ReadRawResult> {
    return this.inner.readRaw(filePath);
  }
  async grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
  ): Promise<GrepResult> {
    return this.inner.grep(pattern, path, glob, maxCount);
  }
  async glob(pattern: string, path?: string): Promise<GlobResult> {
    return this.inner.glob(pattern, path);
  }
  async write(filePath: string, content: string): Promise<WriteResult> {
    if (this.isDenied(filePath)) return { error: `Writes are not allowed under ${filePath}` };
    return this.inner.write(filePath, content);
  }
  async edit(filePath: string, oldString: string, newString: string, replaceAll?: boolean): Promise<EditResult> {
    if (this.isDenied(filePath)) return { error: `Edits are not allowed under ${filePath}` };
    return this.inner.edit(filePath, oldString, newString, replaceAll);
  }
  async delete(filePath: string): Promise<DeleteResult> {
    if (this.isDenied(filePath)) return { error: `Deletes are not allowed under ${filePath}` };
    return this.inner.delete?.(filePath) ?? { error: "no delete" };
  }
  async uploadFiles(files: Array<[string, Uint8Array]>): Promise<FileUploadResponse[]> {
    return this.inner.uploadFiles?.(files) ?? [];
  }
  async downloadFiles(paths: string[]): Promise<FileDownloadResponse[]> {
    return this.inner.downloadFiles?.(paths) ?? [];
  }
}

const calls = [
  [["write_file", { file_path: "/policies/rule.md", content: "x" }] as [string, Record<string, unknown>]],
  [["write_file", { file_path: "/notes.md", content: "one" }] as [string, Record<string, unknown>]],
  [
    ["edit_file", { file_path: "/notes.md", old_string: "one", new_string: "two" }] as [
      string,
      Record<string, unknown>,
    ],
  ],
  [["read_file", { file_path: "/notes.md" }] as [string, Record<string, unknown>]],
];

describe.each([
  ["a subclass", () => new GuardedBackend({ rootDir: workspace(), virtualMode: true, denyPrefixes: ["/policies"] })],
  ["a wrapper", () => new PolicyWrapper(FilesystemBackend.createSafe(workspace()), ["/policies/"])],
  ["a wrapper around state", () => new PolicyWrapper(new StateBackend(), ["/policies/"])],
  ["withPolicy", () => withPolicy(FilesystemBackend.createSafe(workspace()), { denyPrefixes: ["/policies/"] })],
  [
    "withPermissions",
    () => withPermissions(new StateBackend(), [{ operations: ["write"], paths: ["/policies/**"], mode: "deny" }]),
  ],
])("policy hooks: %s", (_name, make) => {
  test("an agent is kept out of what is guarded, and works elsewhere", async () => {
    const { answers } = await runTurns(calls, {}, { backend: make() });
    expect(answers[0]).toMatch(/not allowed|permission denied/);
    expect(answers[1]).toBe("Successfully wrote to '/notes.md'");
    expect(answers[2]).toBe("Successfully replaced 1 occurrence(s) in '/notes.md'");
    expect(answers[3]).toContain("two");
  });
});

test("a subclass is a backend for createDeepAgent as it is", () => {
  const backend: BackendProtocolV2 = new GuardedBackend({ rootDir: workspace(), virtualMode: true, denyPrefixes: [] });
  expect(createDeepAgent({ backend: new GuardedBackend({ rootDir: workspace(), denyPrefixes: [] }) })).toBeDefined();
  expect(backend).toBeInstanceOf(FilesystemBackend);
});
