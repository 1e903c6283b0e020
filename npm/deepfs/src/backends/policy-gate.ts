/** Decides about one call at a time: what the hooks and limits of a policy say before and after it. */

import { utf8Bytes } from "../adapters/file-data.js";
import { type Failure, isFailure, type Method } from "../binding/contract.js";
import { failure, isControlFlow, messageOf } from "../protocol/failure.js";
import type { InspectedContent, Policy, PolicyCall, PolicyEvent, Verdict } from "./policy.js";
import { rateLimiter } from "./rate-limit.js";

/** Methods that change files, or could. */
const CHANGES: ReadonlySet<Method> = new Set(["write", "edit", "delete", "uploadFiles", "execute"]);

/** How a call ends for the audit. */
export interface Ending {
  error?: string;
  code?: string;
}

export class PolicyGate {
  private readonly now: () => number;
  private readonly waitFor: (() => number) | undefined;

  constructor(private readonly policy: Policy) {
    this.now = policy.now ?? Date.now;
    this.waitFor = policy.rateLimit === undefined ? undefined : rateLimiter(policy.rateLimit, this.now);
    for (const bytes of [policy.maxBytes?.read, policy.maxBytes?.write]) {
      if (bytes !== undefined && !(bytes >= 0)) throw new Error("withPolicy: maxBytes must be numbers from 0 on");
    }
  }

  /**
   * Runs a call under the policy.
   *
   * @param perform Makes the call.
   * @param refuse Makes the method's result out of a refusal.
   * @param ending Tells how a result ended.
   */
  async run<Result extends object>(
    call: PolicyCall,
    perform: () => Promise<Result>,
    refuse: (problem: Failure) => Result,
    ending: (result: Result) => Ending,
  ): Promise<Result> {
    const startedAt = this.now();
    const problem = await this.admit(call);
    if (problem !== undefined) {
      this.tell(call, "refused", problem, startedAt);
      return refuse(problem);
    }
    let result: Result;
    try {
      result = await perform();
    } catch (error) {
      // Commands may throw, and so may LangGraph to interrupt: the caller gets the error, the audit hears of it.
      this.tell(call, "failed", { error: messageOf(error) }, startedAt);
      throw error;
    }
    const changed = await this.afterwards(call, result);
    if (isFailure(changed)) result = refuse(changed);
    else if (changed !== undefined) result = changed as Result;
    const end = ending(result);
    const refused = end.code === "denied" || end.code === "read_only";
    this.tell(call, end.error === undefined ? "done" : refused ? "refused" : "failed", end, startedAt);
    return result;
  }

  /** Why content may not be stored, if so. */
  async inspect(content: InspectedContent): Promise<Failure | undefined> {
    const { method, path } = content;
    const tooLarge = this.sizeProblem("write", method, path, content.content);
    if (tooLarge !== undefined || this.policy.inspect === undefined) return tooLarge;
    return this.verdict(method, path, () => this.policy.inspect?.(content));
  }

  /** Why content is too large to be stored or handed out, if so. */
  sizeProblem(kind: "read" | "write", method: Method, path: string, content: unknown): Failure | undefined {
    const limit = this.policy.maxBytes?.[kind];
    if (limit === undefined) return undefined;
    const bytes = bytesIn(content);
    if (bytes <= limit) return undefined;
    return failure(method, "too_large", path, `${bytes} bytes, the policy allows ${limit}`);
  }

  private async admit(call: PolicyCall): Promise<Failure | undefined> {
    const { method } = call;
    const path = call.paths[0] ?? "/";
    const wait = this.waitFor?.() ?? 0;
    if (wait > 0) {
      const { calls, intervalMs } = this.policy.rateLimit ?? { calls: 0, intervalMs: 0 };
      const limit = `${calls} calls in ${intervalMs} ms`;
      return failure(method, "denied", path, `the rate limit of ${limit} is reached; try again in ${wait} ms`);
    }
    const problem = await this.verdict(method, path, () => this.policy.before?.(call));
    if (problem !== undefined) return problem;
    return this.policy.readOnly === true && CHANGES.has(method) ? failure(method, "read_only", path) : undefined;
  }

  private async verdict(method: Method, path: string, ask: () => unknown): Promise<Failure | undefined> {
    try {
      const reason = (await ask()) as Verdict;
      if (reason === undefined || reason === null) return undefined;
      return failure(method, "denied", path, reason === "" ? "refused by policy" : String(reason));
    } catch (error) {
      if (isControlFlow(error)) throw error;
      return failure(method, "denied", path, messageOf(error));
    }
  }

  private async afterwards(call: PolicyCall, result: object): Promise<object | undefined> {
    try {
      return (await this.policy.after?.(call, result)) ?? undefined;
    } catch (error) {
      if (isControlFlow(error)) throw error;
      // A result that the hook could not look at is not handed out.
      return failure(call.method, "denied", call.paths[0] ?? "/", messageOf(error));
    }
  }

  private tell(call: PolicyCall, outcome: PolicyEvent["outcome"], end: Ending, startedAt: number): void {
    const { audit } = this.policy;
    if (audit === undefined) return;
    const event: PolicyEvent = {
      ...call,
      outcome,
      ...(end.error === undefined ? {} : { error: end.error }),
      ...(end.code === undefined ? {} : { code: end.code }),
      startedAt,
      durationMs: this.now() - startedAt,
    };
    try {
      const told = audit.call(this.policy, event);
      // An asynchronous audit is not waited for; its failure must not end the process.
      void Promise.resolve(told).catch(() => undefined);
    } catch {
      // See `Policy.audit`.
    }
  }
}

function bytesIn(content: unknown): number {
  if (typeof content === "string") return utf8Bytes(content);
  return ArrayBuffer.isView(content) ? content.byteLength : 0;
}
