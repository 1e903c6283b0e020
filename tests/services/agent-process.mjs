/**
 * A deep agent in a process of its own, on a thread whose checkpoints are in Postgres: `node agent-process.mjs <json>`
 * with `{ url, thread, place, root, sent, file, turn }`. `place` says where files and blobs go: "state", "store" or
 * "disk". A turn prints one line of JSON when it is as far as it gets, and then waits to be killed.
 *
 * | turn | what happens |
 * |---|---|
 * | first | the user sends a picture; the agent writes notes, edits them, and reads another picture |
 * | second | the agent writes a draft, and then waits for something that never comes |
 * | resumed | the second turn goes on where its process was killed |
 */

import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import { createDeepAgent } from "deepagents";
import { CompositeBackend, createBlobOffloadMiddleware, FilesystemBackend, StateBackend, StoreBackend } from "deepfs";
import { AIMessage, fakeModel, HumanMessage, tool } from "langchain";
import { z } from "zod";

const { url, thread, place, root, sent, file, turn } = JSON.parse(process.argv[2]);

const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);
const forever = () => new Promise(() => setInterval(() => {}, 1_000_000));

const BACKENDS = {
  state: () => new StateBackend(),
  store: () => new CompositeBackend(new StateBackend(), { "/blobs/": new StoreBackend({ namespace: ["blobs"] }) }),
  disk: () => FilesystemBackend.createSafe(root),
};

const TURNS = {
  first: [
    [["write_file", { file_path: "/notes.md", content: "one\ntwo\n" }]],
    [
      ["edit_file", { file_path: "/notes.md", old_string: "two", new_string: "2" }],
      ["read_file", { file_path: "/pictures/read.png" }],
    ],
  ],
  second: [[["write_file", { file_path: "/draft.md", content: "draft" }]], [["wait", {}]]],
  resumed: [
    [
      ["edit_file", { file_path: "/draft.md", old_string: "draft", new_string: "final" }],
      ["read_file", { file_path: "/notes.md" }],
    ],
    [
      ["read_file", { file_path: "/draft.md" }],
      ["glob", { pattern: "**/*.{md,png}" }],
    ],
  ],
};

const wait = tool(
  async () => {
    if (turn === "resumed") return "waited";
    say({ waits: true });
    return forever();
  },
  { name: "wait", description: "Waits.", schema: z.object({}) },
);

let model = fakeModel();
for (const calls of TURNS[turn]) {
  const tool_calls = calls.map(([name, args]) => ({ name, args, id: crypto.randomUUID(), type: "tool_call" }));
  model = model.respond(new AIMessage({ content: "", tool_calls }));
}
model = model.respond(new AIMessage("done"));

const saver = PostgresSaver.fromConnString(url);
const store = PostgresStore.fromConnString(url);
await saver.setup();
await store.setup();
const backend = BACKENDS[place]();
const agent = createDeepAgent({
  model,
  backend,
  store,
  checkpointer: saver,
  tools: [wait],
  middleware: [createBlobOffloadMiddleware({ backend })],
});

const picture = { type: "image_url", image_url: { url: `data:image/png;base64,${sent}` } };
const times = { created_at: new Date().toISOString(), modified_at: new Date().toISOString() };
const inState = {
  "/pictures/read.png": { content: Uint8Array.from(Buffer.from(file, "base64")), mimeType: "image/png", ...times },
};
const INPUTS = {
  first: {
    messages: [new HumanMessage({ content: [{ type: "text", text: "look" }, picture] })],
    ...(place !== "disk" && { files: inState }),
  },
  second: { messages: ["go on"] },
  resumed: null,
};

const state = await agent.invoke(INPUTS[turn], { configurable: { thread_id: thread }, durability: "sync" });
const mediaOf = ({ content }) => (Array.isArray(content) ? content.filter(({ type }) => type !== "text") : []);
say({
  answers: state.messages.filter(({ type }) => type === "tool").map(({ text }) => text),
  media: model.calls.at(-1).messages.flatMap(mediaOf),
});
await forever();
