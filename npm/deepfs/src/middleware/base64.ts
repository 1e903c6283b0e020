/** Base64 with and without Node's `Buffer`; large texts are taken in slices, so that no call gets too many arguments. */

/** The part of Node's `Buffer` that is used. */
interface NodeBuffer {
  from(text: string, encoding: "base64"): Uint8Array;
  from(buffer: ArrayBufferLike, offset: number, length: number): { toString(encoding: "base64"): string };
}

/** Bytes per slice: a multiple of 3, so that only the last slice is padded. */
const SLICE_BYTES = 24_576;

const { Buffer: node } = globalThis as { Buffer?: NodeBuffer };

export function encodeBase64(bytes: Uint8Array): string {
  if (node !== undefined) return node.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  let text = "";
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + SLICE_BYTES)));
  }
  return text;
}

/** The bytes of a base64 text, in which white space is allowed; `null` when it is not one. */
export function decodeBase64(text: string): Uint8Array | null {
  // A search for one wrong character: it needs no memory, however long the text is.
  if (/[^A-Za-z0-9+/=\s]/.test(text)) return null;
  const plain = /\s/.test(text) ? text.replace(/\s+/g, "") : text;
  const padding = plain.indexOf("=");
  const end = padding < 0 ? plain.length : padding;
  if (end % 4 === 1 || plain.length - end > 2 || (padding >= 0 && plain.length % 4 !== 0)) return null;
  if (plain.length - end > 0 && /[^=]/.test(plain.slice(end))) return null;
  if (node !== undefined) {
    const decoded = node.from(plain, "base64");
    return new Uint8Array(decoded.buffer, decoded.byteOffset, decoded.byteLength);
  }
  const binary = atob(plain);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
