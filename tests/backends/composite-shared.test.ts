/** Two `StateBackend`s of one run keep their files in one place: comp-shared. */

import { FakeToolCallingModel } from "langchain";
import { MemorySaver } from "@langchain/langgraph";
import { CompositeBackend, StateBackend } from "deepfs";
import { createDeepAgent, type FileData } from "deepagents";
import { describe, expect, test } from "vitest";
import { memory, paths } from "./memory-mounts.js";

type Update = Record<string, unknown> | null | undefined;

/** A runtime object of old, and the caller's part: to put updates into it. */
function legacy(files: Record<string, FileData> = {}) {
  const runtime = { state: { files: { ...files } as Record<string, unknown> } };
  const apply = (update: Update): void => {
    for (const [path, record] of Object.entries(update ?? {})) {
      if (record === null) delete runtime.state.files[path];
      else runtime.state.files[path] = record;
    }
  };
  return { runtime: runtime as never, apply, keys: () => Object.keys(runtime.state.files) };
}

describe("comp-shared", () => {
  test("one runtime for the default and a mount: every file is seen once", async () => {
    const { runtime, apply, keys } = legacy();
    const composite = new CompositeBackend(new StateBackend(runtime), { "/mem/": new StateBackend(runtime) });
    apply((await composite.write("/mem/a.txt", "needle")).filesUpdate);
    apply((await composite.write("/b.txt", "needle")).filesUpdate);
    expect(keys()).toEqual(["/mem/a.txt", "/b.txt"]);
    expect(paths(await composite.ls("/"))).toEqual(["/b.txt", "/mem/"]);
    expect(paths(await composite.ls("/mem/"))).toEqual(["/mem/a.txt"]);
    expect(paths(await composite.grep("needle", "/"))).toEqual(["/b.txt", "/mem/a.txt"]);
    expect(paths(await composite.glob("**/*"))).toEqual(["/b.txt", "/mem/a.txt"]);
    expect((await composite.read("/mem/a.txt")).content).toBe("needle");
    const removed = await composite.delete("/mem/a.txt");
    expect(removed).toEqual({ path: "/mem/a.txt", filesUpdate: { "/mem/a.txt": null } });
    apply(removed.filesUpdate);
    expect(keys()).toEqual(["/b.txt"]);
  });

  test("one backend object in two places", async () => {
    const state = memory();
    const composite = new CompositeBackend(state, { "/mem/": state });
    await composite.write("/mem/a.txt", "needle");
    expect(paths(await composite.grep("needle"))).toEqual(["/mem/a.txt"]);
  });

  test("runtimes of their own are places of their own, and what is in them is found", async () => {
    const record = { content: "x", mimeType: "text/plain", created_at: "", modified_at: "" };
    const one = legacy({ "/a.txt": record });
    const two = legacy({ "/b.txt": record });
    const composite = new CompositeBackend(new StateBackend(one.runtime), { "/mem/": new StateBackend(two.runtime) });
    expect(paths(await composite.glob("**/*"))).toEqual(["/a.txt", "/mem/b.txt"]);
    two.apply((await composite.delete("/mem/b.txt")).filesUpdate);
    expect(two.keys()).toEqual([]);
  });

  test("uploads to a runtime come back with their update", async () => {
    const { runtime } = legacy();
    const composite = new CompositeBackend(memory(), { "/mem/": new StateBackend(runtime) });
    const answers = await composite.uploadFiles([["/mem/a.txt", new TextEncoder().encode("x")]]);
    expect([...answers]).toEqual([{ path: "/mem/a.txt", error: null }]);
    expect((answers as { filesUpdate?: object }).filesUpdate).toMatchObject({ "/a.txt": { content: "x" } });
  });

  test("in a graph both are the graph's files", async () => {
    const call = (name: string, args: object, id: string) => [{ name, args: args as Record<string, unknown>, id }];
    const model = new FakeToolCallingModel({
      toolCalls: [
        call("write_file", { file_path: "/mem/a.txt", content: "needle" }, "1"),
        call("grep", { pattern: "needle", output_mode: "files_with_matches" }, "2"),
        [],
      ],
    });
    const agent = createDeepAgent({
      model: model as never,
      backend: new CompositeBackend(new StateBackend(), { "/mem/": new StateBackend() }),
      checkpointer: new MemorySaver(),
    });
    const result = await agent.invoke({ messages: ["go"] } as never, { configurable: { thread_id: "1" } });
    expect(Object.keys((result as { files: object }).files)).toEqual(["/mem/a.txt"]);
    const answers = (result as unknown as { messages: { type: string; text: string }[] }).messages;
    expect(answers.filter(({ type }) => type === "tool").map(({ text }) => text)).toEqual([
      "Successfully wrote to '/mem/a.txt'",
      "/mem/a.txt",
    ]);
  });
});
