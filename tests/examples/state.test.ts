/** The documentation's examples of `StateBackend`: files of one thread, the default. */

import { MemorySaver } from "@langchain/langgraph";
import { StateBackend } from "deepfs";
import { tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { scriptedModel } from "../support/agent.js";
import { ask, edit, read, write } from "./ask.js";

test("what an agent does by default, it does with deepfs's backend given", async () => {
  const calls = [write("/draft.md", "one"), edit("/draft.md", "one", "two"), read("/draft.md"), read("/none.md")];
  const byDefault = await ask({}, calls);
  expect(await ask({ backend: new StateBackend() }, calls)).toEqual(byDefault);
  expect(byDefault[2]).toContain("two");
});

test("files stay with their thread, over turns and for subagents", async () => {
  const checkpointer = new MemorySaver();
  const backend = new StateBackend();
  await ask({ backend, checkpointer }, [write("/plan.md", "plan")], { configurable: { thread_id: "a" } });
  const model = scriptedModel([[edit("/plan.md", "plan", "plan of the helper")]]);
  const subagents = [{ name: "helper", description: "helps", systemPrompt: "help", model }];
  const [, same] = await ask(
    { backend, checkpointer, subagents },
    [["task", { description: "work on the plan", subagent_type: "helper" }], read("/plan.md")],
    { configurable: { thread_id: "a" } },
  );
  const [other] = await ask({ backend, checkpointer }, [read("/plan.md")], { configurable: { thread_id: "b" } });
  expect(same).toContain("plan of the helper");
  expect(other).toBe("Error: File '/plan.md' not found");
});

test("a large result of a tool is moved out to the state, and read back piece by piece", async () => {
  const checkpointer = new MemorySaver();
  const text = Array.from({ length: 20_000 }, (_, line) => `line ${line} of the report`).join("\n");
  const report = tool(() => text, { name: "report", description: "Reports.", schema: z.object({}) });
  const options = { backend: new StateBackend(), checkpointer, tools: [report] };
  const [answer = ""] = await ask(options, [["report", {}]]);
  const path = /\/large_tool_results\/[\w-]+(\.\w+)?/.exec(answer)?.[0] ?? "nothing was moved out";
  expect(answer.length).toBeLessThan(20_000);
  const [page] = await ask(options, [["read_file", { file_path: path, offset: 12_345, limit: 1 }]]);
  expect(page).toMatch(/\nline 12345 of the report$/);
});
