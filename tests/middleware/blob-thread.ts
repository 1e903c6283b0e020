/** A thread of an agent with pictures in it, and what its checkpoints weigh. */

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MemorySaver } from "@langchain/langgraph";
import { createDeepAgent } from "deepagents";
import { FilesystemBackend } from "deepfs";
import { AIMessage, fakeModel } from "langchain";
import { onTestFinished } from "vitest";

/** A picture that nothing compresses: the head of a PNG, then noise. */
export function picture(bytes = 20_000): Uint8Array {
  return Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...randomBytes(bytes)]);
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

/** A disk backend in a folder of its own. */
export function workspace(): FilesystemBackend {
  const root = mkdtempSync(join(tmpdir(), "deepfs-blobs-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return FilesystemBackend.createSafe(root);
}

/** All that a saver keeps, in bytes. */
export function weight(saver: MemorySaver): number {
  const { storage, writes } = saver as unknown as { storage: unknown; writes: unknown };
  return sizeOf(storage) + sizeOf(writes);
}

function sizeOf(value: unknown): number {
  if (value instanceof Uint8Array) return value.byteLength;
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 8;
  return Object.entries(value).reduce((sum, [key, inner]) => sum + key.length + sizeOf(inner), 0);
}

export interface Seen {
  type: string;
  content: unknown;
}

type AgentOptions = Partial<Parameters<typeof createDeepAgent>[0]>;

/** An agent that calls a tool, then says that it is done; `seen` is what the model got in its last call. */
export function agentThatReads(calls: [name: string, args: Record<string, unknown>][], options: AgentOptions) {
  let model = fakeModel();
  for (const [name, args] of calls) {
    const tool_calls = [{ name, args, id: crypto.randomUUID(), type: "tool_call" as const }];
    model = model.respond(new AIMessage({ content: "", tool_calls }));
  }
  model = model.respond(new AIMessage("done"));
  const agent = createDeepAgent({ model, ...options });
  const seen = (): Seen[] =>
    (model.calls.at(-1)?.messages ?? []).map((message) => ({ type: message.type, content: message.content }));
  return { agent, seen };
}

/** Blocks of every message that are no text. */
export function media(messages: Seen[]): Record<string, unknown>[] {
  return messages.flatMap(({ content }) =>
    Array.isArray(content) ? (content as Record<string, unknown>[]).filter(({ type }) => type !== "text") : [],
  );
}
