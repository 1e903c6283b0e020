/** Caps of one listing or search over data that JavaScript owns; counted as the core counts its own. */

import { utf8Bytes } from "./file-data.js";

/** What a caller may set. */
export interface SearchLimits {
  /** Bytes of paths or lines that one answer holds. */
  resultBytes?: number;
  /** Files that one call looks at, in the order of paths. */
  walkEntries?: number;
  /** Milliseconds that one search takes. */
  searchMs?: number;
}

/** What a row costs besides its text, as in `ops/outcome.rs` of the core. */
const ROW_BYTES = 64;
/** As in `limits.rs` of the core. */
const DEFAULT_RESULT_BYTES = 64 * 1024 * 1024;

/** What is left of the caps while a call works. */
export class Budget {
  /** Whether a cap has ended the work. */
  truncated = false;
  /** Files that may be looked at. */
  readonly files: number;
  private bytes: number;
  private readonly until: number;

  constructor({ resultBytes, walkEntries, searchMs }: SearchLimits) {
    this.bytes = resultBytes ?? DEFAULT_RESULT_BYTES;
    this.files = walkEntries ?? Number.POSITIVE_INFINITY;
    this.until = searchMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + searchMs;
  }

  /** Whether a row with this text still fits. */
  holds(text: string): boolean {
    this.bytes -= utf8Bytes(text) + ROW_BYTES;
    return this.bytes >= 0 || this.end();
  }

  /** Whether there is time left. */
  hasTime(): boolean {
    return this.until === Number.POSITIVE_INFINITY || performance.now() < this.until || this.end();
  }

  /** Ends the work; always false. */
  end(): false {
    this.truncated = true;
    return false;
  }
}

/** A result, marked when a cap has ended the work early. */
export function marked<Result extends object>(result: Result, { truncated }: { truncated: boolean }): Result {
  return truncated ? { ...result, truncated } : result;
}
