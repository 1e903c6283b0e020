/** Failures inside adapters and backends: thrown as a {@link Fault}, turned into a result where the method ends. */

const FAULT = Symbol.for("deepfs.fault");

/** A failure with the code that results carry. `detail` is what the sentence adds to it. */
export interface Fault extends Error {
  readonly code: string;
  readonly detail: string;
}

/** Makes a fault to throw. */
export function fault(code: string, detail = ""): Fault {
  return Object.assign(new Error(detail === "" ? code : detail), { code, detail, [FAULT]: true as const });
}

/** Tells a fault from any other thrown value. */
export function isFault(thrown: unknown): thrown is Fault {
  return typeof thrown === "object" && thrown !== null && FAULT in thrown;
}

/** What a thrown value says, whatever it is. */
export function messageOf(thrown: unknown): string {
  if (typeof thrown === "object" && thrown !== null && "message" in thrown && typeof thrown.message === "string") {
    return thrown.message;
  }
  try {
    return String(thrown);
  } catch {
    return "an error that can not be shown";
  }
}
