/** Threads of deep agents: each turn is an agent of its own, as after a restart; the checkpointer is what stays. */

import { MemorySaver } from "@langchain/langgraph";
import { createDeepAgent } from "deepagents";
import { scriptedModel, type ToolCall } from "../support/agent.js";
import type { Setting } from "./kinds.js";

/** What each subagent does, by its name: its calls of each of its own turns. */
export type Subagents = Record<string, ToolCall[][]>;

export class Thread {
  constructor(
    private readonly setting: Setting,
    private readonly id: string = crypto.randomUUID(),
    private readonly saver = new MemorySaver(),
  ) {}

  /** Another thread over the same backend and checkpoints. */
  other(): Thread {
    return new Thread(this.setting, crypto.randomUUID(), this.saver);
  }

  /** One turn of the user: the model makes the calls of each step at once. What the tools answered, in order. */
  async turn(steps: ToolCall[][], subagents: Subagents = {}): Promise<string[]> {
    const agent = createDeepAgent({
      ...this.setting,
      model: scriptedModel(steps),
      checkpointer: this.saver,
      subagents: Object.entries(subagents).map(([name, calls]) => ({
        name,
        description: name,
        systemPrompt: name,
        model: scriptedModel(calls),
      })),
    });
    const { messages } = await agent.invoke({ messages: ["go"] }, { configurable: { thread_id: this.id } });
    return messages
      .filter((message) => message.type === "tool")
      .slice(-steps.flat().length)
      .map((message) => message.text);
  }

  /** The texts of files as `read_file` shows them, without its heading; the error where there is one. */
  async read(...paths: string[]): Promise<string[]> {
    const answers = await this.turn([paths.map((file_path): ToolCall => ["read_file", { file_path }])]);
    return answers.map((answer) => answer.replace(/^@@ .* @@\n/, ""));
  }
}

export function write(file_path: string, content: string): ToolCall {
  return ["write_file", { file_path, content }];
}

export function edit(file_path: string, old_string: string, new_string: string): ToolCall {
  return ["edit_file", { file_path, old_string, new_string }];
}

export function task(subagent_type: string): ToolCall {
  return ["task", { description: "do it", subagent_type }];
}
