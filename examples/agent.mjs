// The main job: a deep agent works on a real folder through deepfs.
//
//   npm start                  on a copy of this repository, with an offline scripted model
//   npm start -- <folder>      on a copy of that folder
//   OPENAI_API_KEY=… DEEPFS_MODEL=openai:gpt-5 npm start -- <folder> "your task"
//                              with a real model (any name that LangChain's initChatModel knows)
//
// The agent never works on the folder itself: what it edits and writes happens in a copy in a temporary folder.

import { CompositeBackend, FilesystemBackend, StateBackend } from "deepfs";
import { createDeepAgent } from "deepagents";
import { HumanMessage, initChatModel } from "langchain";
import { compareWithPeer } from "./compare.mjs";
import { printCalls } from "./print.mjs";
import { scriptedModel } from "./script.mjs";
import { inventoryTool } from "./inventory.mjs";
import { workspaceCopy } from "./workspace.mjs";

const [folder, task = "Look around, fix the greeting, and report."] = process.argv.slice(2);
const workspace = await workspaceCopy(folder);
const { DEEPFS_MODEL } = process.env;

const backend = new CompositeBackend(FilesystemBackend.createSafe(workspace.path), {
  "/large_tool_results/": new StateBackend(),
  "/scratch/": new StateBackend(),
});

const agent = createDeepAgent({
  model: DEEPFS_MODEL === undefined ? scriptedModel(workspace) : await initChatModel(DEEPFS_MODEL),
  tools: [inventoryTool(backend)],
  backend,
});

console.log(`workspace: a copy of ${workspace.label}, ${workspace.files} files`);
console.log(`model:     ${DEEPFS_MODEL ?? "scripted, offline"}\n`);
try {
  const failures = await printCalls(agent, new HumanMessage(task), workspace.path);
  const lost = await compareWithPeer(workspace);
  process.exitCode = failures + lost === 0 ? 0 : 1;
} finally {
  await workspace.remove();
}
