/** Keeps binary payloads out of the history of an agent, so that its checkpoints stay small. */

import { type BlobOffloadOptions, MessageOffload, type Run } from "./message-offload.js";

/** What `createMiddleware` of `langchain` marks a middleware with. LangChain stays an optional peer: nothing is imported. */
const MIDDLEWARE_BRAND = Symbol.for("AgentMiddleware");

/**
 * A middleware for `createAgent` and `createDeepAgent`. The shape is our own, so that the package type-checks where
 * `langchain` is not installed: what the hooks do not look at, they take and give as it is.
 */
export interface BlobOffloadMiddleware {
  readonly name: string;
  /** Moves the payloads of the user's messages out. */
  beforeAgent<Message extends object>(
    state: { messages: Message[] },
    runtime: object,
  ): Promise<{ messages: Message[] } | undefined>;
  /** Moves the payloads of a tool's result out. */
  wrapToolCall<Request extends object, Result>(
    request: Request,
    handler: (request: Request) => Result | Promise<Result>,
  ): Promise<Result>;
  /** Puts payloads back for the model, and moves out those of its answer. */
  wrapModelCall<Request extends { messages: object[] }, Result>(
    request: Request,
    handler: (request: Request) => Result | Promise<Result>,
  ): Promise<Result>;
}

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
export function createBlobOffloadMiddleware(options: BlobOffloadOptions): BlobOffloadMiddleware {
  const offload = new MessageOffload(options);
  const middleware: BlobOffloadMiddleware = {
    name: "BlobOffloadMiddleware",
    beforeAgent: async (state, runtime) => {
      const messages = await offload.store(state.messages, { ...runtime, state });
      const changed = messages.filter((message, index) => message !== state.messages[index]);
      return changed.length === 0 ? undefined : { messages: changed };
    },
    wrapToolCall: async (request, handler) => offload.storeResult(await handler(request), runOf(request)),
    wrapModelCall: async (request, handler) => {
      const run = runOf(request);
      const messages = await offload.restore(request.messages, run);
      return offload.storeResult(await handler({ ...request, messages }), run);
    },
  };
  return Object.assign(middleware, { [MIDDLEWARE_BRAND]: true });
}

/** The run that a call of a tool or a model belongs to. */
function runOf(request: object): Run {
  const { runtime, state } = request as { runtime?: object; state?: unknown };
  return { ...runtime, state };
}
