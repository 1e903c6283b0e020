/** The error of sandboxes. */

/** Shared with `deepagents` through the registry of symbols, so that each knows the other's errors. */
const SANDBOX_ERROR: unique symbol = Symbol.for("sandbox.error") as never;

/**
 * What a sandbox throws. Tell one by {@link SandboxError.isInstance}, which also knows those of another copy of the
 * package.
 */
export class SandboxError extends Error {
  readonly [SANDBOX_ERROR] = true as const;
  override readonly name: string = "SandboxError";

  /**
   * @param code - What programs branch on: one of `SandboxErrorCode`, or a provider's own.
   */
  constructor(
    message: string,
    readonly code: string,
    override readonly cause?: Error,
  ) {
    super(message);
  }

  /** Whether a value is such an error, of any copy of deepfs or `deepagents`. */
  static isInstance(error: unknown): error is SandboxError {
    return typeof error === "object" && error !== null && (error as Record<symbol, unknown>)[SANDBOX_ERROR] === true;
  }
}
