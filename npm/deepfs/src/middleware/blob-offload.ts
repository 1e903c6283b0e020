/** Keeps binary payloads out of the history of an agent, so that its checkpoints stay small. */

import type { AgentMiddleware, MIDDLEWARE_BRAND as Brand } from "langchain";
import { type BlobOffloadOptions, MessageOffload } from "./message-offload.js";

/** What `createMiddleware` of `langchain` marks a middleware with. LangChain stays an optional peer: nothing is imported. */
const MIDDLEWARE_BRAND: typeof Brand = Symbol.for("AgentMiddleware") as typeof Brand;

/**
 * A middleware that stores images, audio, video and documents of messages and tool results in the backend, under
 * `/blobs/<sha256>`, and leaves a reference in the history. Before each model call the payloads are put back, from a
 * cache or from the backend, their hashes checked; where one is gone, a notice says so.
 *
 * A payload leaves the history only after it was read back from the backend. Where `/blobs/` routes to graph state,
 * the middleware has no effect: the payloads would be in the checkpoints all the same.
 *
 * ```ts
 * const agent = createDeepAgent({ backend, middleware: [createBlobOffloadMiddleware({ backend })] });
 * ```
 *
 * @throws When `folder` is not an absolute path.
 */
export function createBlobOffloadMiddleware(options: BlobOffloadOptions): AgentMiddleware {
  const offload = new MessageOffload(options);
  return {
    [MIDDLEWARE_BRAND]: true,
    name: "BlobOffloadMiddleware",
    beforeAgent: async (state, runtime) => {
      const messages = await offload.store(state.messages, { ...runtime, state });
      const changed = messages.filter((message, index) => message !== state.messages[index]);
      return changed.length === 0 ? undefined : { messages: changed };
    },
    wrapToolCall: async (request, handler) =>
      offload.storeResult(await handler(request), { ...request.runtime, state: request.state }),
    wrapModelCall: async (request, handler) => {
      const run = { ...request.runtime, state: request.state };
      const messages = await offload.restore(request.messages, run);
      return offload.storeResult(await handler({ ...request, messages }), run);
    },
  };
}
