// The offline model: a fixed script of tool calls, one turn after another.

import { AIMessage, fakeModel } from "langchain";

/** The turns; each is one answer of the model. The last two read back what the turns before put away. */
export const TURNS = [
  [["ls", { path: "/" }]],
  [["glob", { pattern: "**/*.rs", path: "/" }]],
  [["grep", { pattern: "wrold" }]],
  [
    ["read_file", { file_path: "/hello/log.txt", offset: 0, limit: 3 }],
    ["read_file", { file_path: "/hello/log.txt", offset: 4998, limit: 100 }],
    ["read_file", { file_path: "/hello/pixel.png" }],
  ],
  // Two edits of one file in one turn, in LF text although the file has CRLF: both stay, and so do the line ends.
  [
    [
      "edit_file",
      { file_path: "/hello/greeting.txt", old_string: "Hello, wrold!\nThis", new_string: "Hello, world!\nThis" },
    ],
    ["edit_file", { file_path: "/hello/greeting.txt", old_string: "They stay.", new_string: "They stayed." }],
  ],
  [["read_file", { file_path: "/hello/greeting.txt" }]],
  [["write_file", { file_path: "/hello/report.md", content: "# Report\n\nThe greeting is fixed.\n" }]],
  [["write_file", { file_path: "/scratch/notes.txt", content: "kept in the agent's state\n" }]],
  [["read_file", { file_path: "/scratch/notes.txt" }]],
  // Its answer is too large for the history: the agent moves it out to the state, and reads a part of it back.
  [["inventory", { pattern: "**/*" }, "inventory-1"]],
  [["read_file", { file_path: "/large_tool_results/inventory-1.txt", offset: 0, limit: 5 }]],
  [["delete", { file_path: "/hello/log.txt" }]],
];

export function scriptedModel() {
  const model = fakeModel();
  for (const [turn, calls] of TURNS.entries()) {
    const toolCalls = calls.map(([name, args, id], at) => ({
      name,
      args,
      id: id ?? `call-${turn}-${at}`,
      type: "tool_call",
    }));
    model.respond(new AIMessage({ content: "", tool_calls: toolCalls }));
  }
  return model.respond(new AIMessage("The greeting is fixed; the report is in /hello/report.md."));
}
