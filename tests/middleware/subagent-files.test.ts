import { Command, MemorySaver } from "@langchain/langgraph";
import { createDeepAgent } from "deepagents";
import { createSubagentFilesMiddleware, StateBackend } from "deepfs";
import { tool, ToolMessage, type ToolRuntime } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { editCall, scriptedModel, type ToolCall } from "../support/agent.js";
import { contents, record } from "../support/records.js";

const list: ToolCall = ["ls", { path: "/" }];
const remove = (file_path: string): ToolCall => ["delete", { file_path }];

/** The files after one step: a task for each subagent, with the calls of each of its turns, and calls beside them. */
async function after(files: Record<string, string>, subagents: Record<string, ToolCall[][]>, beside: ToolCall[] = []) {
  const agent = createDeepAgent({
    backend: new StateBackend(),
    middleware: [createSubagentFilesMiddleware()],
    checkpointer: new MemorySaver(),
    model: scriptedModel([
      [
        ...Object.keys(subagents).map((name): ToolCall => ["task", { description: "d", subagent_type: name }]),
        ...beside,
      ],
    ]),
    subagents: Object.entries(subagents).map(([name, steps]) => ({
      name,
      description: name,
      systemPrompt: name,
      model: scriptedModel(steps),
    })),
  });
  const records = Object.fromEntries(Object.entries(files).map(([path, text]) => [path, record(text)]));
  const input = { messages: ["go"], files: records as never };
  const state = (await agent.invoke(input, { configurable: { thread_id: "1" } })) as unknown as { files: unknown };
  return contents(state.files);
}

describe("subagents hand back what they have changed", () => {
  const long = [[list], [list], [list], [editCall("/a", "two", "2"), editCall("/b", "x", "y")]];

  test("one that ended first, whatever it did, and in whatever order they were called", async () => {
    const files = { "/a": "one two", "/b": "x" };
    const expected = { "/a": "1 2", "/b": "y" };
    const short = [[editCall("/a", "one", "1")]];
    expect(await after(files, { long, short })).toEqual(expected);
    expect(await after(files, { short, long })).toEqual(expected);
    for (const idle of [[], [[list]]]) {
      expect(await after(files, { long, idle })).toEqual({ "/a": "one 2", "/b": "y" });
      expect(await after(files, { idle, long })).toEqual({ "/a": "one 2", "/b": "y" });
    }
  });

  test("a call beside a subagent that touches no file", async () => {
    expect(await after({ "/a": "one" }, { idle: [] }, [editCall("/a", "one", "1")])).toEqual({ "/a": "1" });
  });

  test("what one deletes is gone, unless another writes it again", async () => {
    const files = { "/a": "one two", "/b": "x", "/d/1": "1", "/d/2": "2" };
    expect(await after(files, { deleting: [[remove("/d"), remove("/b")]] })).toEqual({ "/a": "one two" });
    const again: ToolCall[][] = [[list], [list], [["write_file", { file_path: "/b", content: "again" }]]];
    const expected = { "/a": "one two", "/b": "again", "/d/1": "1", "/d/2": "2" };
    expect(await after(files, { again, deleting: [[remove("/b")]] })).toEqual(expected);
    expect(await after(files, { deleting: [[remove("/b")]], again })).toEqual(expected);
  });

  test("five at once, with one file in common", async () => {
    const names = ["a", "b", "c", "d", "e"];
    const subagents = Object.fromEntries(
      names.map((name, at) => [
        name,
        [
          ...Array.from({ length: at % 3 }, () => [list]),
          [editCall("/common", `<${name}1>`, name)],
          [editCall("/common", `<${name}2>`, name)],
        ],
      ]),
    );
    const common = names.map((name) => `<${name}1><${name}2>`).join(" ");
    expect(await after({ "/common": common }, subagents)).toEqual({ "/common": "aa bb cc dd ee" });
  });
});

test("a tool that gives some files does not mean that the others are gone", async () => {
  const given = { "/given": record("given") };
  const give = tool(
    (_, { toolCallId }: ToolRuntime) =>
      new Command({
        update: { files: given, messages: [new ToolMessage({ content: "ok", tool_call_id: toolCallId })] },
      }),
    { name: "give", description: "Gives a file.", schema: z.object({}) },
  );
  const agent = createDeepAgent({
    backend: new StateBackend(),
    middleware: [createSubagentFilesMiddleware()],
    model: scriptedModel([[["give", {}], editCall("/a", "one", "1")]]),
    tools: [give],
  });
  const input = { messages: ["go"], files: { "/a": record("one"), "/b": record("b") } as never };
  const state = (await agent.invoke(input)) as unknown as { files: unknown };
  expect(contents(state.files)).toEqual({ "/a": "1", "/b": "b", "/given": "given" });
});

test("answers of other tools are left as they are", async () => {
  const { wrapToolCall } = createSubagentFilesMiddleware();
  const request = { state: { files: {} } };
  for (const answer of ["text", null, { content: "x" }, { update: { messages: [] } }, { update: [["messages", []]] }]) {
    expect(await wrapToolCall(request, () => answer)).toBe(answer);
  }
});
