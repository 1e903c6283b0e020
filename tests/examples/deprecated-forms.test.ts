/** The deprecated forms still work, and each is told once in a process, however often it is used. */

import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { fromRoot } from "../../scripts/setup/paths.mjs";

const PROGRAM = `
import { InMemoryStore } from "@langchain/langgraph-checkpoint";
import { createBlobOffloadMiddleware, resolveBackend, StateBackend, StoreBackend } from "deepfs";

const runtime = { state: { files: {}, userId: "ann" }, store: new InMemoryStore(), context: { userId: "ann" } };
const results = [];
for (let time = 0; time < 3; time += 1) {
  results.push(new StateBackend(runtime).write("/a.md", "state").filesUpdate["/a.md"].content);
  await new StoreBackend(runtime, { namespace: (ctx) => [ctx.runtime.context.userId] }).write("/a.md", "store");
  const byState = new StoreBackend({ store: runtime.store, namespace: (ctx) => [ctx.state?.userId ?? "ann"] });
  results.push((await byState.read("/a.md")).content);
  const made = await resolveBackend((rt) => new StateBackend({ files: { "/a.md": rt.context.userId } }), runtime);
  results.push((await made.read("/a.md")).content);
  await createBlobOffloadMiddleware({ backend: () => made }).beforeAgent({ messages: [] }, {});
}
console.log(JSON.stringify(results));
`;

test("factories, constructors from a runtime, `filesUpdate` and the accessors of `BackendContext`", () => {
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", PROGRAM], {
    cwd: fromRoot(),
    encoding: "utf8",
  });
  const expected = ["state", "store", "ann"];
  expect(JSON.parse(stdout)).toEqual([...expected, ...expected, ...expected]);
  expect(stderr.trim().split("\n")).toEqual([
    expect.stringMatching(/^deepfs: StateBackend\(runtime\), with `filesUpdate` in its results, is deprecated: /),
    expect.stringMatching(/^deepfs: StoreBackend\(runtime\) is deprecated: /),
    expect.stringMatching(/^deepfs: `runtime` of a namespace factory's argument is deprecated: /),
    expect.stringMatching(/^deepfs: `state` of a namespace factory's argument is deprecated: /),
    expect.stringMatching(/^deepfs: a function that makes a backend is deprecated: /),
  ]);
});
