/** Moves the payloads of messages into a backend and back. */

import { madeFor } from "../adapters/adapt.js";
import { normalPath } from "../backends/normal-path.js";
import { isFailure } from "../binding/contract.js";
import type { AnyBackendProtocol, BackendFactory, BackendRuntime } from "../protocol/types.js";
import { decodeBase64, encodeBase64 } from "./base64.js";
import { BlobCache } from "./blob-cache.js";
import { type BlobReference, readReference, writeReference } from "./blob-reference.js";
import { type BlobProblem, BlobStore, sha256Of } from "./blob-store.js";
import { type Payload, visitMessage } from "./message-payloads.js";

export interface BlobOffloadOptions {
  /** Where payloads go; the agent's own backend, as a rule. */
  backend: AnyBackendProtocol | BackendFactory;
  /** The folder for them (default `/blobs`). */
  folder?: string;
  /** Smaller payloads stay in the history (default 0). */
  minBytes?: number;
  /** Payloads kept at hand between model calls of a thread, in bytes (default 64 MiB). */
  cacheBytes?: number;
}

/** Stored and fetched at the same time. */
const AT_ONCE = 8;

/** A run, as the hooks of a middleware get it. */
export type Run = object & { state: unknown };

export class MessageOffload {
  private readonly backend: AnyBackendProtocol | BackendFactory;
  private readonly folder: string;
  private readonly minBytes: number;
  private readonly cache: BlobCache;

  constructor({ backend, folder = "/blobs", minBytes = 0, cacheBytes = 64 * 1024 * 1024 }: BlobOffloadOptions) {
    const path = folder.startsWith("/") ? normalPath("write", folder) : undefined;
    if (path === undefined || isFailure(path) || path === "/") {
      throw new Error(
        `createBlobOffloadMiddleware: the folder must be an absolute path, not ${JSON.stringify(folder)}`,
      );
    }
    this.backend = backend;
    this.folder = path;
    this.minBytes = minBytes;
    this.cache = new BlobCache(cacheBytes);
  }

  /** Messages with references in place of their payloads; a message without any is the very same one. */
  async store<Message extends object>(messages: readonly Message[], run: Run): Promise<Message[]> {
    const found = new Map<string | Uint8Array, Payload>();
    const collect = {
      payload: (payload: Payload): undefined => {
        if (payload.value.length > 0) found.set(payload.value, payload);
      },
    };
    for (const message of messages) visitMessage(message, collect);
    const blobs = found.size === 0 ? undefined : await this.open(run);
    if (blobs === undefined || !blobs.keepsBlobs) return [...messages];
    const stored = new Map<string | Uint8Array, BlobReference>();
    await inTurns([...found.keys()], async (value) => {
      const reference = await this.storePayload(value, blobs, run);
      if (reference !== undefined) stored.set(value, reference);
    });
    const replace = {
      payload: ({ value, form }: Payload) => {
        const reference = stored.get(value);
        return reference === undefined ? undefined : { value: writeReference({ ...reference, form }) };
      },
    };
    return messages.map((message) => visitMessage(message, replace));
  }

  /** What a tool or a model gave: a message, or a command with messages in its update. */
  async storeResult<Result>(result: Result, run: Run): Promise<Result> {
    if (typeof result !== "object" || result === null) return result;
    if ("content" in result) return (await this.store([result], run))[0] ?? result;
    const { update } = result as { update?: unknown };
    if (typeof update !== "object" || update === null) return result;
    const changed = await this.storeUpdate(update, run);
    if (changed === update) return result;
    return Object.assign(Object.create(Object.getPrototypeOf(result) as object) as Result & object, result, {
      update: changed,
    });
  }

  /** Messages with their payloads back in place. */
  async restore<Message extends object>(messages: readonly Message[], run: Run): Promise<Message[]> {
    const wanted = new Map<string, BlobReference>();
    const collect = {
      text: (text: string): undefined => {
        const reference = readReference(text);
        if (reference !== null) wanted.set(reference.sha256, reference);
      },
    };
    for (const message of messages) visitMessage(message, collect);
    if (wanted.size === 0) return [...messages];
    const blobs = await this.open(run);
    const fetched = new Map<string, Uint8Array | BlobProblem>();
    await inTurns([...wanted.keys()], async (sha256) => {
      fetched.set(sha256, await this.fetch(sha256, blobs, run));
    });
    const encoded = new Map<Uint8Array, string>();
    const replace = {
      text: (text: string) => {
        const reference = readReference(text);
        if (reference === null) return undefined;
        const blob = fetched.get(reference.sha256) ?? "missing";
        if (typeof blob === "string") return { notice: notice(reference, blob) };
        if (reference.form.kind === "bytes") return { value: blob };
        const base64 = encoded.get(blob) ?? encodeBase64(blob);
        encoded.set(blob, base64);
        return { value: reference.form.kind === "url" ? reference.form.prefix + base64 : base64 };
      },
    };
    return messages.map((message) => visitMessage(message, replace));
  }

  private async storeUpdate(update: object, run: Run): Promise<object> {
    if (Array.isArray(update)) {
      const entries = update as [string, unknown][];
      const changed = await Promise.all(
        entries.map(async (entry) =>
          entry[0] === "messages" ? [entry[0], await this.storeMessages(entry[1], run)] : entry,
        ),
      );
      return changed.every((entry, index) => entry[1] === entries[index]?.[1]) ? update : changed;
    }
    const { messages } = update as { messages?: unknown };
    const changed = await this.storeMessages(messages, run);
    return changed === messages ? update : { ...update, messages: changed };
  }

  private async storeMessages(messages: unknown, run: Run): Promise<unknown> {
    if (!Array.isArray(messages)) return messages;
    const list = messages as unknown[];
    const objects = list.filter((message): message is object => typeof message === "object" && message !== null);
    const stored = await this.store(objects, run);
    if (stored.every((message, index) => message === objects[index])) return messages;
    let at = 0;
    return list.map((message) => (typeof message === "object" && message !== null ? stored[at++] : message));
  }

  private async storePayload(
    value: string | Uint8Array,
    blobs: BlobStore,
    run: Run,
  ): Promise<BlobReference | undefined> {
    const bytes = typeof value === "string" ? decodeBase64(value) : value;
    if (bytes === null || bytes.length === 0 || bytes.length < this.minBytes) return undefined;
    const sha256 = await sha256Of(bytes);
    const reference: BlobReference = {
      path: blobs.pathOf(sha256),
      sha256,
      bytes: bytes.length,
      form: { kind: "base64" },
    };
    const key = cacheKey(sha256, run);
    if (key !== undefined && this.cache.get(key) !== undefined) return reference;
    if (!(await blobs.put(sha256, bytes))) return undefined;
    if (key !== undefined) this.cache.set(key, bytes);
    return reference;
  }

  private async fetch(sha256: string, blobs: BlobStore, run: Run): Promise<Uint8Array | BlobProblem> {
    const key = cacheKey(sha256, run);
    const cached = key === undefined ? undefined : this.cache.get(key);
    if (cached !== undefined) return cached;
    const blob = await blobs.get(sha256);
    if (key !== undefined && typeof blob !== "string") this.cache.set(key, blob);
    return blob;
  }

  private async open(run: Run): Promise<BlobStore> {
    return BlobStore.open(await madeFor(this.backend, run as BackendRuntime), this.folder);
  }
}

/**
 * Blobs are cached per thread: a backend may be another user's in another thread, and one who knows a hash must not
 * get the bytes for it. Without a thread nothing is cached.
 */
function cacheKey(sha256: string, run: Run): string | undefined {
  const { configurable, executionInfo } = run as {
    configurable?: { thread_id?: unknown };
    executionInfo?: { threadId?: unknown };
  };
  const thread = configurable?.thread_id ?? executionInfo?.threadId;
  return typeof thread === "string" && thread !== "" ? `${thread}\0${sha256}` : undefined;
}

function notice(reference: BlobReference, problem: BlobProblem): string {
  const state = problem === "missing" ? "is no longer there" : "was changed and can not be trusted";
  return `[Binary content of ${reference.bytes} bytes, stored at ${reference.path}, ${state}.]`;
}

async function inTurns<Item>(items: readonly Item[], each: (item: Item) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) {
    await Promise.all(items.slice(at, at + AT_ONCE).map(each));
  }
}
