/** A backend in front of another one, with the shape that an agent tells a backend by. */

import { adaptBackendProtocol, adaptSandboxProtocol } from "../adapters/adapt.js";
import { typeName } from "../protocol/arguments.js";
import { isSandboxProtocol } from "../protocol/guards.js";
import type {
  AnyBackendProtocol,
  AnySandboxProtocol,
  BackendProtocolV2,
  ExecuteResponse,
  MaybePromise,
  SandboxBackendProtocolV2,
} from "../protocol/types.js";
import { type ResolvedTarget, resolveTarget } from "./resolve-target.js";
import { STATE_STORAGE, stateStorage } from "./state-storage.js";

/** What a wrapper around `Backend` is: it runs commands if that does. */
export type Wrapper<Backend> = Backend extends AnySandboxProtocol ? SandboxBackendProtocolV2 : BackendProtocolV2;

type Execute = (command: string, ...rest: unknown[]) => MaybePromise<ExecuteResponse>;

/** A backend to be wrapped. */
export interface Wrapped {
  /** As the caller gave it. */
  readonly given: AnyBackendProtocol;
  /** Brought up to version 2. */
  readonly backend: BackendProtocolV2;
  /** Runs commands; absent when the backend has no such method. */
  readonly execute: Execute | undefined;
}

/** What goes in front of a backend. A method that the wrapped backend lacks stays absent. */
export interface WrapperMethods extends Required<BackendProtocolV2> {
  /** `null` takes the ability away: neither `execute` nor `id` is there then. */
  execute: Execute | null;
}

/**
 * Makes a backend ready to be wrapped.
 *
 * @throws When it is not an object.
 */
export function toWrap(given: AnyBackendProtocol, caller: string): Wrapped {
  if (typeof given !== "object" || given === null) {
    throw new TypeError(`${caller}: the backend must be an object, not ${typeName(given)}`);
  }
  const backend = isSandboxProtocol(given) ? adaptSandboxProtocol(given) : adaptBackendProtocol(given);
  const runs = (given as { execute?: unknown }).execute;
  const execute = typeof runs === "function" ? (runs.bind(given) as Execute) : undefined;
  return { given, backend, execute };
}

/** The wrapper: `methods`, and what tells the wrapped backend's kind. */
export function wrapBackend({ given, backend, execute }: Wrapped, methods: WrapperMethods): BackendProtocolV2 {
  const { delete: remove, uploadFiles, downloadFiles, execute: run, ...always } = methods;
  const wrapper: BackendProtocolV2 = { ...always };
  if (backend.delete !== undefined) wrapper.delete = remove;
  if (backend.uploadFiles !== undefined) wrapper.uploadFiles = uploadFiles;
  if (backend.downloadFiles !== undefined) wrapper.downloadFiles = downloadFiles;
  // Read at each use: a sandbox may get its id late.
  const live = (name: string, get: () => unknown): void => {
    Object.defineProperty(wrapper, name, { get, enumerable: true, configurable: true });
  };
  if (execute !== undefined && run !== null) {
    Object.assign(wrapper, { execute: run });
    live("id", () => (given as { id?: unknown }).id);
  }
  if (Array.isArray((given as { routePrefixes?: unknown }).routePrefixes)) {
    live("routePrefixes", () => (given as { routePrefixes?: unknown }).routePrefixes);
  }
  const resolve = (path: string): Promise<ResolvedTarget> => resolveTarget(given, path);
  return Object.assign(wrapper, {
    resolveTarget: resolve,
    [STATE_STORAGE]: (path?: string) => stateStorage(given, path),
  });
}
