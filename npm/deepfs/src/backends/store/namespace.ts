/** Which namespace a backend's files are in. */

import { fault } from "../../adapters/fault.js";
import { warnDeprecated } from "../../protocol/deprecated.js";
import { messageOf } from "../../protocol/failure.js";
import type { GraphStore } from "../../protocol/types.js";
import { assistantIdOf, type Run } from "./run.js";
import { INDEX_LABEL } from "./path-index.js";
import { LOCK_LABEL } from "./lock.js";

/**
 * What a namespace factory is called with. It has every form that was ever documented for its argument: the runtime
 * (`rt.context.userId`, `rt.serverInfo.user.identity`), the context of the upstream backend (`state`, `config`,
 * `assistantId`), and the pair of Python (`ctx.state`, `ctx.runtime`).
 */
export interface StoreBackendContext<StateT = unknown> {
  /** State of the graph; `undefined` outside a run. */
  state: StateT;
  config?: { metadata?: Record<string, unknown>; configurable?: Record<string, unknown> };
  assistantId?: string;
  /** The context that the run was invoked with. */
  context?: any; // oxlint-disable-line no-explicit-any -- the user's own type, which upstream's documentation reads freely
  /** What a LangGraph server adds: `user`, `assistantId`, `graphId`. */
  serverInfo?: any; // oxlint-disable-line no-explicit-any -- as `context`
  executionInfo?: any; // oxlint-disable-line no-explicit-any -- as `context`
  store?: GraphStore;
  configurable?: Record<string, unknown>;
  /** The runtime: the one the backend was made with, else an object with the fields above. */
  runtime?: any; // oxlint-disable-line no-explicit-any -- as `context`
}

/** Tells the namespace for a run: labels, from the outermost on. Called at each operation. */
export type StoreBackendNamespaceFactory<StateT = unknown> = (context: StoreBackendContext<StateT>) => string[];

/** Characters that a part of a namespace may have: those of the upstream backend. */
const PART = /^[A-Za-z0-9\-_.@+:~]+$/;
/** What `encodeNamespace` leaves as it is; every other character becomes `-` and two digits per byte. */
const PLAIN_BYTE = /^[A-Za-z0-9]$/;
/** Labels under which deepfs keeps things of its own below the files. */
const RESERVED = [INDEX_LABEL, LOCK_LABEL];

/**
 * Checks a namespace as the upstream backend does.
 *
 * @throws An `Error` that says which part is wrong.
 */
export function checkedNamespace(namespace: unknown, encode: boolean): string[] {
  if (!Array.isArray(namespace)) throw new TypeError("The namespace must be an array of strings.");
  if (namespace.length === 0) throw new Error("Namespace array must not be empty.");
  const parts = Array.from(namespace as unknown[], (part, index) => checkedPart(part, index, encode));
  const last = parts.at(-1);
  if (last !== undefined && RESERVED.includes(last)) {
    throw new Error(`Namespace component at index ${parts.length - 1} is a name that deepfs uses itself: "${last}".`);
  }
  return encode ? parts.map(encodePart) : parts;
}

function checkedPart(part: unknown, index: number, encode: boolean): string {
  const which = `Namespace component at index ${index}`;
  if (typeof part !== "string") throw new TypeError(`${which} must be a string, got ${typeof part}.`);
  if (part === "") throw new Error(`${which} must not be empty.`);
  if (!encode && !PART.test(part)) {
    throw new Error(
      `${which} contains disallowed characters: "${part}". Allowed are letters, digits, hyphens, underscores, dots, ` +
        "@, +, colons and tildes; the option encodeNamespace: true takes every character.",
    );
  }
  return part;
}

/**
 * A part with letters, digits and hyphens only, which every store takes. Reversible: `decodePart(encodePart(x)) === x`,
 * so different parts stay different.
 *
 * ```ts
 * encodePart("a.b@x"); // "a-2eb-40x"
 * ```
 */
export function encodePart(part: string): string {
  return Array.from(new TextEncoder().encode(part), (byte) => {
    const character = String.fromCharCode(byte);
    return PLAIN_BYTE.test(character) ? character : `-${byte.toString(16).padStart(2, "0")}`;
  }).join("");
}

/** The part that {@link encodePart} was given. */
export function decodePart(encoded: string): string {
  const bytes = [...encoded.matchAll(/-([0-9a-f]{2})|([A-Za-z0-9])/g)].map(([, hex, plain]) =>
    hex === undefined ? (plain ?? "").charCodeAt(0) : Number.parseInt(hex, 16),
  );
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** The namespace for a run: the factory's answer, or the one upstream falls back to. */
export function namespaceOf(
  run: Run,
  configured: string[] | StoreBackendNamespaceFactory | undefined,
  encode: boolean,
): string[] {
  if (Array.isArray(configured)) return configured;
  const assistantId = assistantIdOf(run);
  if (configured === undefined) {
    // An assistant's id is not checked, as upstream: what a store takes is for the store to say.
    const parts = assistantId === undefined ? ["filesystem"] : [assistantId, "filesystem"];
    return encode ? parts.map(encodePart) : parts;
  }
  try {
    return checkedNamespace(configured(contextOf(run, assistantId)), encode);
  } catch (thrown) {
    throw fault("invalid_argument", `the namespace can not be told: ${messageOf(thrown)}`);
  }
}

function contextOf(run: Run, assistantId: string | undefined): StoreBackendContext {
  const fields = {
    ...(run.config && { config: run.config }),
    ...(assistantId !== undefined && { assistantId }),
    context: run.context,
    serverInfo: run.serverInfo,
    executionInfo: run.executionInfo,
    ...(run.store && { store: run.store }),
    configurable: run.config?.configurable ?? {},
  };
  // The accessors of the older `BackendContext`.
  return {
    ...fields,
    get state() {
      warnDeprecated(
        "`state` of a namespace factory's argument",
        "a namespace that changes with the state loses its files",
      );
      return run.state;
    },
    get runtime() {
      warnDeprecated("`runtime` of a namespace factory's argument", "what it has is in the argument itself");
      return run.runtime ?? { ...fields, state: run.state };
    },
  };
}
