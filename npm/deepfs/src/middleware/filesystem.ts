/** The upstream's filesystem middleware with another one inside. */

import type { createFilesystemMiddleware } from "deepagents";

/** The middleware of `deepagents`. */
export type FilesystemMiddleware = ReturnType<typeof createFilesystemMiddleware>;

/**
 * Two middlewares as one. The inner one is nearer to the model and the tools: the outer one, which moves large results
 * out to files, sees references where the payloads were.
 */
export function withInner(outer: FilesystemMiddleware, inner: FilesystemMiddleware): FilesystemMiddleware {
  const both = { ...outer };
  const { wrapToolCall, wrapModelCall } = outer;
  const { wrapToolCall: innerTool, wrapModelCall: innerModel } = inner;
  if (wrapToolCall !== undefined && innerTool !== undefined) {
    both.wrapToolCall = (request, handler) => wrapToolCall(request, (inside) => innerTool(inside, handler));
  }
  if (wrapModelCall !== undefined && innerModel !== undefined) {
    both.wrapModelCall = (request, handler) =>
      wrapModelCall(request, (inside) => innerModel(inside as typeof request, handler) as ReturnType<typeof handler>);
  }
  both.beforeAgent = inSequence(outer.beforeAgent, inner.beforeAgent);
  return both;
}

type BeforeAgent = NonNullable<FilesystemMiddleware["beforeAgent"]>;
type Hook = Extract<BeforeAgent, (...args: never[]) => unknown>;

interface WithId {
  id?: string;
}

/** One hook after the other: the second sees the messages as the first left them. */
function inSequence(first: BeforeAgent | undefined, second: BeforeAgent | undefined): BeforeAgent {
  return async (state, runtime) => {
    const update = await hookOf(first)?.(state, runtime);
    const changed = new Map(messagesOf(update).map((message) => [message.id, message]));
    const messages = state.messages.map((message) => changed.get(message.id) ?? message);
    const further = await hookOf(second)?.({ ...state, messages } as typeof state, runtime);
    for (const message of messagesOf(further)) changed.set(message.id, message);
    if (changed.size === 0) return update ?? further;
    return { ...update, ...further, messages: [...changed.values()] } as typeof update;
  };
}

function hookOf(hook: BeforeAgent | undefined): Hook | undefined {
  return typeof hook === "object" ? hook.hook : hook;
}

function messagesOf(update: unknown): WithId[] {
  const { messages } = (update ?? {}) as { messages?: unknown };
  return Array.isArray(messages) ? (messages as WithId[]) : [];
}
