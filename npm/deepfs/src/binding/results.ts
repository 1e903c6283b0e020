/** The core's answers as results of the protocol: one function for each kind. */

import type { EditResult, ReadRawResult, ReadResult } from "../protocol/results.js";
import { type EditParts, type Failure, isFailure, type RawParts, type ReadParts } from "./contract.js";

/** The result of `read`: fields that do not apply are absent. */
export function readResult(parts: ReadParts | Failure): ReadResult {
  if (isFailure(parts)) {
    return parts;
  }
  const { content, mimeType, totalLines, startLine, endLine, nextOffset, encoding } = parts;
  const result: ReadResult = { content, mimeType };
  if (totalLines !== undefined) {
    result.totalLines = totalLines;
  }
  if (startLine !== undefined) {
    result.startLine = startLine;
  }
  if (endLine !== undefined) {
    result.endLine = endLine;
  }
  if (nextOffset !== undefined) {
    result.nextOffset = nextOffset;
  }
  if (encoding !== undefined) {
    result.encoding = encoding;
  }
  return result;
}

/** The result of `readRaw`. */
export function rawResult(parts: RawParts | Failure): ReadRawResult {
  if (isFailure(parts)) {
    return parts;
  }
  const { content, mimeType, created, modified, encoding } = parts;
  const data = { content, mimeType, created_at: created, modified_at: modified };
  return encoding === undefined ? { data } : { data, encoding };
}

/** The part of an edit's result that says what was done. */
export function editOutcome(parts: EditParts): Pick<EditResult, "occurrences" | "metadata"> {
  return parts.filled
    ? { occurrences: parts.occurrences, metadata: { filled: true } }
    : { occurrences: parts.occurrences };
}
