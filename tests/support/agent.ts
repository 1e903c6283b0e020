/** Agents of `deepagents` with a scripted model. */

import { createDeepAgent } from "deepagents";
import { AIMessage, fakeModel } from "langchain";
import { contents } from "./records.js";

export type ToolCall = [tool: string, args: Record<string, unknown>];

export function editCall(file_path: string, old_string: string, new_string: string): ToolCall {
  return ["edit_file", { file_path, old_string, new_string }];
}

/** A model that makes the calls of each turn at once, then says that it is done. */
export function scriptedModel(turns: ToolCall[][]) {
  let model = fakeModel();
  for (const [turn, calls] of turns.entries()) {
    const toolCalls = calls.map(([name, args], index) => ({
      name,
      args,
      id: `call-${turn}-${index}`,
      type: "tool_call" as const,
    }));
    model = model.respond(new AIMessage({ content: "", tool_calls: toolCalls }));
  }
  return model.respond(new AIMessage("done"));
}

type AgentOptions = Partial<Parameters<typeof createDeepAgent>[0]>;

/** Runs an agent over the turns; what its tools answered, and the files at the end. */
export async function runTurns(turns: ToolCall[][], files: Record<string, unknown>, options: AgentOptions) {
  const agent = createDeepAgent({ model: scriptedModel(turns), ...options });
  const state = await agent.invoke(
    { messages: [{ role: "user", content: "go" }], files: files as never },
    { configurable: { thread_id: crypto.randomUUID() } },
  );
  const { messages, files: after } = state as unknown as {
    messages: { getType(): string; text: string }[];
    files: unknown;
  };
  const answers = messages.filter((message) => message.getType() === "tool").map((message) => message.text);
  return { answers, files: contents(after) };
}
