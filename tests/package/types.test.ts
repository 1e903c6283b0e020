/** The declarations as users get them: without the optional peers, and against the declarations of `deepagents`. */

import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bin, fromRoot } from "../../scripts/setup/paths.mjs";
import { pack } from "./packed.mjs";

let packed: ReturnType<typeof pack>;
beforeAll(() => {
  packed = pack();
});
afterAll(() => packed.remove());

type CompilerOptions = Record<string, unknown>;

/** What the compiler says of a project with these files; nothing, when all is well. */
function complaints(files: Record<string, string>, options: CompilerOptions, packages: readonly string[]): string {
  const project = packed.project({ native: false, files });
  for (const name of packages) {
    const place = join(project, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(fromRoot("node_modules", name), place);
  }
  const compilerOptions = { strict: true, noEmit: true, target: "ES2022", types: [], skipLibCheck: false, ...options };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  const { status, stdout } = spawnSync(bin("tsc"), ["-p", project], { encoding: "utf8" });
  return status === 0 ? "" : stdout;
}

/** Uses every export that takes or gives a type of a peer. */
const CONSUMER = `
import { ContextHubBackend, createBlobOffloadMiddleware, FilesystemBackend, StateBackend, StoreBackend } from "deepfs";
import { StateBackend as WasmBackend } from "deepfs/wasm";

const backend = FilesystemBackend.createSafe("./workspace");
export const middleware = createBlobOffloadMiddleware({ backend });
export const name: string = middleware.name;
export const backends = [new StateBackend(), new StoreBackend({ namespace: ["a"] }), new ContextHubBackend("a"), new WasmBackend()];
// @ts-expect-error -- the options are checked: what imports a package that is not there would be anything at all
createBlobOffloadMiddleware({ backend: 1 });
// @ts-expect-error -- the result as well
middleware.nothing;
`;

describe("without any peer, libraries checked too", () => {
  test.each<[string, CompilerOptions, string[], string]>([
    [
      "an ES module in Node",
      { module: "nodenext", lib: ["ES2022"], types: ["node"] },
      ["@types/node", "undici-types"],
      "main.mts",
    ],
    [
      "CommonJS in Node",
      { module: "nodenext", lib: ["ES2022"], types: ["node"] },
      ["@types/node", "undici-types"],
      "main.cts",
    ],
    ["a bundler, for a page", { module: "esnext", moduleResolution: "bundler", lib: ["ES2022", "DOM"] }, [], "main.ts"],
  ])("%s", { timeout: 120_000 }, (_name, options, packages, file) => {
    expect(complaints({ [file]: CONSUMER }, options, packages)).toBe("");
  });
});

/** Each class is a backend to the peer's declarations, and `createDeepAgent` and `createAgent` take it without a cast. */
const BACKENDS = {
  FilesystemBackend: `new deepfs.FilesystemBackend({ rootDir: "." })`,
  LocalShellBackend: `new deepfs.LocalShellBackend({ rootDir: "." })`,
  StateBackend: `new deepfs.StateBackend()`,
  StoreBackend: `new deepfs.StoreBackend({ namespace: (rt) => [rt.serverInfo.user.identity] })`,
  ContextHubBackend: `new deepfs.ContextHubBackend("owner/name")`,
  CompositeBackend: `new deepfs.CompositeBackend(new deepfs.StateBackend(), { "/memories/": new deepfs.StoreBackend() })`,
  withPermissions: `deepfs.withPermissions(new deepfs.StateBackend(), [])`,
  withPolicy: `deepfs.withPolicy(new deepfs.LocalShellBackend(), { readOnly: true })`,
};

const AGAINST_PEER = [
  `import { type BackendProtocolV2, createDeepAgent, type SandboxBackendProtocolV2 } from "deepagents";`,
  `import * as deepfs from "deepfs";`,
  `import { createFilesystemMiddleware } from "deepfs/middleware";`,
  `import { type AgentMiddleware, createAgent } from "langchain";`,
  ...Object.entries(BACKENDS).flatMap(([name, made]) => [
    `const ${name}: BackendProtocolV2 = ${made};`,
    `createDeepAgent({ backend: ${made}, middleware: [deepfs.createBlobOffloadMiddleware({ backend: ${made} })] });`,
    `createDeepAgent({ backend: () => ${made} });`,
    `createDeepAgent({ middleware: [createFilesystemMiddleware({ backend: ${made}, offloadBinaryContent: true })] });`,
  ]),
  `const shell: SandboxBackendProtocolV2 = new deepfs.LocalShellBackend();`,
  `const guarded: SandboxBackendProtocolV2 = deepfs.withPolicy(new deepfs.LocalShellBackend(), {});`,
  `const middleware: AgentMiddleware = deepfs.createBlobOffloadMiddleware({ backend: StateBackend });`,
  `createAgent({ model: "a:b", middleware: [deepfs.createBlobOffloadMiddleware({ backend: StateBackend })] });`,
  `export const all = [${Object.keys(BACKENDS).join(", ")}, shell, guarded, middleware];`,
  `// @ts-expect-error -- what is no backend is refused: the peer's types are there`,
  `createDeepAgent({ backend: { ls: () => 1 } });`,
].join("\n");

test("every backend is a BackendProtocolV2 of the peer, and its createDeepAgent takes it", { timeout: 120_000 }, () => {
  // The peers' own declarations are theirs to check.
  const options = { module: "nodenext", types: ["node"], skipLibCheck: true };
  const peers = ["deepagents", "langchain", "langsmith", "@langchain/core", "@langchain/langgraph", "@types/node"];
  expect(complaints({ "main.mts": AGAINST_PEER }, options, peers)).toBe("");
});
