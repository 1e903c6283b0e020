import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { node, pack } from "./packed.mjs";

const ESM = `import { coreBuild } from "deepfs"; console.log(coreBuild().build);`;
const CJS = `console.log(require("deepfs").coreBuild().build);`;
const FORCED_ESM = `import { coreBuild } from "deepfs/wasm"; console.log(coreBuild().build);`;
const FORCED_CJS = `console.log(require("deepfs/wasm").coreBuild().build);`;
const FILES = { "esm.mjs": ESM, "cjs.cjs": CJS, "wasm.mjs": FORCED_ESM, "wasm.cjs": FORCED_CJS };

let packed: ReturnType<typeof pack>;
beforeAll(() => {
  packed = pack();
});
afterAll(() => packed.remove());

describe("with the platform package, and none of the optional peers", () => {
  let project: string;
  beforeAll(() => {
    project = packed.project({ native: true, files: FILES });
  });

  test.each([
    ["esm.mjs", "native"],
    ["cjs.cjs", "native"],
    ["wasm.mjs", "wasm"],
    ["wasm.cjs", "wasm"],
  ])("%s gets the %s build, in silence", (file, build) => {
    expect(node(project, file)).toEqual({ status: 0, stdout: build, stderr: "" });
  });

  test("DEEPFS_BINDING=wasm forces WASM", () => {
    expect(node(project, "esm.mjs", { DEEPFS_BINDING: "wasm" })).toEqual({ status: 0, stdout: "wasm", stderr: "" });
  });

  test("an unknown DEEPFS_BINDING is refused", () => {
    const { status, stderr } = node(project, "esm.mjs", { DEEPFS_BINDING: "rust" });
    expect(status).toBe(1);
    expect(stderr).toContain(`DEEPFS_BINDING is "rust": it has to be "native" or "wasm".`);
  });
});

describe("pkg-optional-deps: without the platform package", () => {
  let project: string;
  beforeAll(() => {
    project = packed.project({ native: false, files: FILES });
  });

  test.each(["esm.mjs", "cjs.cjs"])("%s falls back to WASM with one warning that says why", (file) => {
    const { status, stdout, stderr } = node(project, file);
    expect({ status, stdout }).toEqual({ status: 0, stdout: "wasm" });
    expect(stderr.match(/DEEPFS_WASM_FALLBACK/g)).toHaveLength(1);
    expect(stderr).toMatch(/because its addon did not load: Cannot find module '@deepfs\/[\w-]+'.*Install @deepfs\//s);
  });

  test("DEEPFS_BINDING=native is an error that names the package", () => {
    const { status, stderr } = node(project, "esm.mjs", { DEEPFS_BINDING: "native" });
    expect(status).toBe(1);
    expect(stderr).toMatch(/DEEPFS_BINDING=native, but the addon did not load: .* Install @deepfs\//);
  });
});

test("napi-worker-exit: 20 worker threads load the addon at once, and the process ends well", () => {
  const project = packed.project({
    native: true,
    files: {
      "worker.mjs": `import { parentPort } from "node:worker_threads"; import { coreBuild } from "deepfs";
        parentPort.postMessage(coreBuild().build);`,
      "main.mjs": `import { once } from "node:events"; import { Worker } from "node:worker_threads";
        const builds = await Promise.all(Array.from({ length: 20 }, async () => {
          const worker = new Worker(new URL("./worker.mjs", import.meta.url));
          const [[build], [code]] = await Promise.all([once(worker, "message"), once(worker, "exit")]);
          return build + code;
        }));
        console.log(new Set(builds).size, builds[0], builds.length);`,
    },
  });
  expect(node(project, "main.mjs")).toEqual({ status: 0, stdout: "1 native0 20", stderr: "" });
});
