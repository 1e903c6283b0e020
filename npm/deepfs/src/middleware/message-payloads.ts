/**
 * Finds payloads in the content blocks of messages and puts others in their place.
 *
 * Known by its shape, whatever library made it: a data URL, a `data` field beside a media type, or bytes.
 */

import type { PayloadForm } from "./blob-reference.js";

/** A payload as it stands in a block. */
export interface Payload {
  /** The base64, or the bytes. */
  value: string | Uint8Array;
  form: PayloadForm;
}

/** What to put in the place of a value in a block. */
export type Replacement =
  | { value: unknown }
  /** The whole block becomes this text. */
  | { notice: string };

/** Looks at a payload or a reference text; `undefined` leaves it. */
export interface PayloadVisitor {
  payload?(payload: Payload): Replacement | undefined;
  text?(text: string): Replacement | undefined;
}

/** Blocks nest: a tool result inside a message, a source inside an image. */
const MAX_DEPTH = 6;

/** Blocks without media: their texts may look like a payload and are the model's or the user's words. */
const WORDS = new Set(["text", "text-plain", "reasoning", "thinking", "tool_use", "tool_call", "tool_call_chunk"]);

const MEDIA = new Set(["image", "audio", "video", "file", "media", "document", "input_audio", "base64"]);

const MEDIA_FIELDS = ["mimeType", "mime_type", "media_type", "format"];

/** A data URL's head is short; what follows is not searched. */
const LONGEST_HEAD = 256;

interface MessageLike {
  content: unknown;
  lc_kwargs?: Record<string, unknown>;
}

/** The message with its payloads replaced; the very same one when there was nothing to do. */
export function visitMessage<Message extends object>(message: Message, visitor: PayloadVisitor): Message {
  const { content, lc_kwargs } = message as unknown as MessageLike;
  if (!Array.isArray(content)) return message;
  const changed = visitBlocks(content, visitor, 0);
  if (changed === content) return message;
  // The class stays, with all its fields; `lc_kwargs` is what messages are written to checkpoints from.
  const copy = Object.assign(Object.create(Object.getPrototypeOf(message) as object) as Message, message, {
    content: changed,
  });
  return lc_kwargs === undefined ? copy : Object.assign(copy, { lc_kwargs: { ...lc_kwargs, content: changed } });
}

function visitBlocks(blocks: readonly unknown[], visitor: PayloadVisitor, depth: number): readonly unknown[] {
  let changed: unknown[] | undefined;
  blocks.forEach((block, index) => {
    const next = visitBlock(block, visitor, depth);
    if (next === block) return;
    changed ??= [...blocks];
    changed[index] = next;
  });
  return changed ?? blocks;
}

function visitBlock(block: unknown, visitor: PayloadVisitor, depth: number): unknown {
  if (!isPlainObject(block) || WORDS.has(String(block.type))) return block;
  const result = visitFields(block, visitor, depth);
  return "notice" in result ? { type: "text", text: result.notice } : result.value;
}

function visitFields(fields: Record<string, unknown>, visitor: PayloadVisitor, depth: number): Replacement {
  let changed: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(fields)) {
    const replacement = visitValue(fields, name, value, visitor, depth);
    if (replacement === undefined) continue;
    if ("notice" in replacement) return replacement;
    if (replacement.value === value) continue;
    changed ??= { ...fields };
    changed[name] = replacement.value;
  }
  return { value: changed ?? fields };
}

function visitValue(
  fields: Record<string, unknown>,
  name: string,
  value: unknown,
  visitor: PayloadVisitor,
  depth: number,
): Replacement | undefined {
  if (typeof value === "string") {
    const replacement = visitor.text?.(value);
    if (replacement !== undefined || visitor.payload === undefined) return replacement;
    const payload = payloadOf(fields, name, value);
    return payload === undefined ? undefined : visitor.payload(payload);
  }
  if (value instanceof Uint8Array) {
    return name === "data" ? visitor.payload?.({ value, form: { kind: "bytes" } }) : undefined;
  }
  if (depth >= MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return { value: visitBlocks(value, visitor, depth + 1) };
  return isPlainObject(value) ? visitFields(value, visitor, depth + 1) : undefined;
}

function payloadOf(fields: Record<string, unknown>, name: string, text: string): Payload | undefined {
  if (text.startsWith("data:")) {
    const head = text.slice(0, LONGEST_HEAD);
    const comma = head.indexOf(",");
    if (comma < 0 || !head.slice(0, comma).endsWith(";base64")) return undefined;
    return { value: text.slice(comma + 1), form: { kind: "url", prefix: text.slice(0, comma + 1) } };
  }
  if (name !== "data" || fields.source_type === "url" || fields.source_type === "id") return undefined;
  const media = MEDIA.has(String(fields.type)) || MEDIA_FIELDS.some((field) => typeof fields[field] === "string");
  return media ? { value: text, form: { kind: "base64" } } : undefined;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}
