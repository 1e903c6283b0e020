/** Policies in front of a backend: what may be done is decided by hooks and limits, whatever backend is behind. */

import { type Failure, isFailure, type Method } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import type { AnyBackendProtocol, BackendProtocolV2, MaybePromise } from "../protocol/types.js";
import { guardPaths, type PathRules } from "./path-guard.js";
import { policyMethods } from "./policy-methods.js";
import { PolicyGate } from "./policy-gate.js";
import type { RateLimit } from "./rate-limit.js";
import { covers } from "./routes.js";
import { toWrap, type Wrapped, type Wrapper } from "./wrapper.js";

/** A call as hooks see it. */
export interface PolicyCall {
  /** The protocol's name of it. */
  readonly method: Method;
  /** Normalised: one, or those of a transfer. Empty for `execute`. */
  readonly paths: readonly string[];
  /** The pattern of `glob` and `grep`. */
  readonly pattern?: string;
  /** The command of `execute`. */
  readonly command?: string;
}

/** Content on its way into the backend: of `write`, of an upload, or the new text of an edit. */
export interface InspectedContent {
  /** `write`, `edit` or `uploadFiles`. */
  readonly method: Method;
  /** Normalised. */
  readonly path: string;
  /** As the caller sent it: text for a path of a binary type is base64. */
  readonly content: string | Uint8Array;
}

/** What happened to a call. */
export interface PolicyEvent extends PolicyCall {
  /** `refused` by the policy, `failed` in the backend, or `done`. */
  readonly outcome: "done" | "failed" | "refused";
  /** The sentence, unless `done`. */
  readonly error?: string;
  /** What programs branch on, where the result has it. */
  readonly code?: string;
  /** When the call began and how long it took, by the policy's clock, in milliseconds. */
  readonly startedAt: number;
  readonly durationMs: number;
}

/** `undefined` lets a call pass; a text refuses it and is the reason. */
export type Verdict = string | undefined | void;

/** What {@link withPolicy} enforces; every part can be left out. */
export interface Policy {
  /** Files at and below these paths are not changed: no write, edit, upload or delete. */
  denyPrefixes?: readonly string[];
  /** Files at and below these paths are neither read, listed, found nor changed. */
  hidePrefixes?: readonly string[];
  /** Nothing is changed; commands are refused too, as they could. */
  readOnly?: boolean;
  /** The most bytes of one file that a call may send in or get out. An edit counts its new text. */
  maxBytes?: { write?: number; read?: number };
  /** The most calls in a span of time, all methods together; the next one is refused and told when to try again. */
  rateLimit?: RateLimit;
  /** Milliseconds; for the rate limit and the times of events (default: the system's clock). */
  now?: () => number;
  /** Before each call. A thrown error refuses as a text does. */
  before?(call: PolicyCall): MaybePromise<Verdict>;
  /** Looks at content before it is stored. A thrown error refuses as a text does. */
  inspect?(content: InspectedContent): MaybePromise<Verdict>;
  /** After each call that was made: `undefined` leaves the result, another value takes its place. */
  after?(call: PolicyCall, result: object): MaybePromise<object | undefined | void>;
  /** Told of every call, refused ones included. What it throws is dropped: an audit never breaks a call. */
  audit?(event: PolicyEvent): unknown;
}

/**
 * Puts a policy in front of a backend of either version. Policies compose: wrap a wrapper.
 *
 * The order is: rate limit, `before`, `readOnly`, prefixes, size, `inspect`, the backend, `after`, `audit`. A refusal is
 * an error result with the code `denied` (`read_only` and `too_large` for those), never a throw.
 *
 * ```ts
 * const backend = withPolicy(new StateBackend(), {
 *   denyPrefixes: ["/policies/"],
 *   audit: (event) => console.log(event.method, event.paths, event.outcome),
 * });
 * ```
 *
 * @throws When the backend is not an object, or a prefix or limit is not one.
 */
export function withPolicy<Backend extends AnyBackendProtocol>(backend: Backend, policy: Policy): Wrapper<Backend> {
  const wrapped = toWrap(backend, "withPolicy");
  const guarded = guardPrefixes(wrapped, policy);
  return policyMethods(wrapped, guarded, new PolicyGate(policy)) as Wrapper<Backend>;
}

/** The backend behind the rules for `denyPrefixes` and `hidePrefixes`. */
function guardPrefixes(wrapped: Wrapped, policy: Policy): BackendProtocolV2 {
  const hidden = (policy.hidePrefixes ?? []).map(prefixRoot);
  const closed = [...hidden, ...(policy.denyPrefixes ?? []).map(prefixRoot)];
  if (closed.length === 0) return wrapped.backend;
  const rules: PathRules = {
    guarded: closed,
    allows: (operation, paths) => {
      const roots = operation === "read" ? hidden : closed;
      return paths.map((path) => !roots.some((root) => root === "/" || covers(root, path)));
    },
  };
  return guardPaths(wrapped, rules, null);
}

function prefixRoot(prefix: string): string {
  const parsed: { path: string } | Failure =
    typeof prefix === "string" && prefix.startsWith("/")
      ? getBinding().rules.parsePath("write", prefix)
      : { error: "it must be an absolute path", code: "invalid_argument" };
  if (isFailure(parsed))
    throw new Error(`withPolicy: the prefix ${JSON.stringify(prefix)} is not valid: ${parsed.error}`);
  return parsed.path;
}
