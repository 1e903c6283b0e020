// Every exported method and function with arbitrary values: nothing throws, nothing rejects, nothing hangs, and the object works
// afterwards. For either build, and for what the addon exports under the package.
//
//   node tests/fuzz/arguments.mjs --build native --seconds 60 --seed 7

import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as fc from "fast-check";
import { rawSubjects } from "./raw.mjs";
import { arbitraryArguments, withTraps } from "./values.mjs";

const { values } = parseArgs({
  options: {
    build: { type: "string", default: "native" },
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: String(Math.floor(Date.now() / 1000)) },
  },
});
const deepfs = await import(values.build === "wasm" ? "deepfs/wasm" : "deepfs");
if (deepfs.coreBuild().build !== values.build) throw new Error(`this is the ${deepfs.coreBuild().build} build`);

/** A call that takes longer hangs. */
const SLOWEST_MS = 20_000;
const METHODS = ["ls", "read", "readRaw", "write", "edit", "glob", "grep", "delete", "uploadFiles", "downloadFiles"];
const root = mkdtempSync(join(tmpdir(), "deepfs-fuzz-arguments-"));

/** Backends of every kind that this build has. */
function backends() {
  const { StateBackend, FilesystemBackend, CompositeBackend, withPermissions, withPolicy } = deepfs;
  const state = () => new StateBackend();
  const made = {
    state: state(),
    legacy: new StateBackend({ state: { files: {} } }),
    composite: new CompositeBackend(state(), { "/mem/": state() }),
    permitted: withPermissions(state(), [{ operations: ["read", "write"], paths: ["/**"], mode: "allow" }]),
    policed: withPolicy(state(), {}),
  };
  if (values.build === "native") {
    made.disk = FilesystemBackend.createSafe(root);
    made.strict = FilesystemBackend.createSafe(root, { strict: true, gitignore: true, limits: { searchMs: 1_000 } });
  }
  return made;
}

/** Makes an object with arbitrary options: it works, or the constructor says no. */
const constructors = ["StateBackend", "CompositeBackend"];

const subjects = backends();
const raw = values.build === "native" ? rawSubjects(createRequire(import.meta.url), root) : {};
const targets = [
  ...Object.entries(subjects).flatMap(([name, backend]) =>
    METHODS.map((method) => ({ name, method, call: (args) => backend[method](...args) })),
  ),
  ...["isSandboxBackend", "isSandboxProtocol", "coreBuild"].map((method) => ({
    name: "deepfs",
    method,
    call: (args) => deepfs[method](...args),
  })),
  ...Object.entries(raw).flatMap(([name, { methods, call }]) =>
    methods.map((method) => ({ name, method, call: (args) => call(method, args), mayThrow: true })),
  ),
];

let calls = 0;
const until = Date.now() + Number(values.seconds) * 1_000;
try {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...targets), arbitraryArguments, async (target, args) => {
      calls += 1;
      await settles(target, withTraps(args));
      if (calls % 64 === 0) await allWork();
      if (calls % 16 === 0) construct(withTraps(args));
    }),
    {
      seed: Number(values.seed),
      numRuns: Number.MAX_SAFE_INTEGER,
      interruptAfterTimeLimit: until - Date.now(),
      endOnFailure: true,
    },
  );
  await allWork();
} finally {
  rmSync(root, { recursive: true, force: true });
}
console.log(`${calls} calls of ${targets.length} methods and functions, seed ${values.seed}, no throw, no rejection`);
process.exit(0);

/** Makes the call; throws when that throws, rejects or hangs. What lies under the package may throw, but nothing worse. */
async function settles({ name, method, call, mayThrow = false }, args) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("it hangs")), SLOWEST_MS);
  });
  try {
    const answer = await Promise.race([call(args), late]);
    if (name !== "deepfs" && !mayThrow && (typeof answer !== "object" || answer === null))
      throw new Error(`it answers ${String(answer)}`);
  } catch (error) {
    const isOrdinary = error instanceof Error && !/hangs|panic|unreachable/i.test(error.message);
    if (!(mayThrow && isOrdinary)) throw new Error(`${name}.${method}: ${error}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function construct(args) {
  for (const name of constructors) {
    try {
      void new deepfs[name](...args);
    } catch (error) {
      if (!(error instanceof Error) || /panic|unreachable/i.test(error.message))
        throw new Error(`new ${name}: ${String(error)}`, { cause: error });
    }
  }
}

/** Whatever happened before, a file can be written and read. */
async function allWork() {
  for (const [name, backend] of Object.entries(subjects)) {
    const path = "/works/as before.txt";
    // Whatever was made in its way is removed.
    await backend.delete("/works");
    const written = await backend.write(path, "one\ntwo\n");
    // The legacy form hands its updates out, and its caller keeps them.
    if (name === "legacy" && written.filesUpdate?.[path]?.content === "one\ntwo\n") continue;
    const edited = await backend.edit(path, "one", "three");
    const { content } = await backend.read(path, 0, 2);
    if (content !== "three\ntwo" && content !== "three\ntwo\n") {
      throw new Error(`${name} does not work any more: ${JSON.stringify([written, edited, content])}`);
    }
  }
}
