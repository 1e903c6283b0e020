/** Runs a deep agent whose model makes the given calls one after the other. */

import { createDeepAgent } from "deepagents";
import { scriptedModel, type ToolCall } from "../support/agent.js";

type Options = NonNullable<Parameters<typeof createDeepAgent>[0]>;

export interface Run {
  /** What a LangGraph server, or the caller, says of the run. */
  configurable?: Record<string, unknown>;
  context?: unknown;
}

interface Message {
  type: string;
  text: string;
}

/** What the tools answered, in order. */
export async function ask(options: Options, calls: ToolCall[], run: Run = {}): Promise<string[]> {
  const agent = createDeepAgent({ model: scriptedModel(calls.map((call) => [call])), ...options });
  const config = { ...run, configurable: { thread_id: "1", ...run.configurable } };
  const { messages } = await agent.invoke({ messages: ["go"] }, config as object);
  return messages
    .filter(({ type }: Message) => type === "tool")
    .slice(-calls.length)
    .map(({ text }: Message) => text);
}

export const write = (file_path: string, content: string): ToolCall => ["write_file", { file_path, content }];
export const edit = (file_path: string, old_string: string, new_string: string): ToolCall => [
  "edit_file",
  { file_path, old_string, new_string },
];
export const read = (file_path: string): ToolCall => ["read_file", { file_path }];
export const list = (path: string): ToolCall => ["ls", { path }];
