/** References that stand in a history for a payload: where it is, how large, and what form it had. */

/** How a payload stood in its block. */
export type PayloadForm =
  /** Plain base64. */
  | { kind: "base64" }
  /** A data URL; `prefix` is what comes before the base64. */
  | { kind: "url"; prefix: string }
  /** A `Uint8Array`. */
  | { kind: "bytes" };

export interface BlobReference {
  /** Where the bytes are in the backend. */
  path: string;
  /** Of the bytes, in hexadecimal. */
  sha256: string;
  bytes: number;
  form: PayloadForm;
}

const SCHEME = "deepfs-blob:";

/** As text: `deepfs-blob:/blobs/<sha256>?bytes=…&as=…`. */
export function writeReference(reference: BlobReference): string {
  const { path, bytes, form } = reference;
  const facts = new URLSearchParams({ bytes: String(bytes), as: form.kind });
  if (form.kind === "url") facts.set("prefix", form.prefix);
  return `${SCHEME}${path}?${facts.toString()}`;
}

/** Reads a reference; `null` for any other text. */
export function readReference(text: string): BlobReference | null {
  if (!text.startsWith(SCHEME)) return null;
  const [path = "", query = ""] = text.slice(SCHEME.length).split("?", 2);
  const sha256 = path.slice(path.lastIndexOf("/") + 1);
  const facts = new URLSearchParams(query);
  const kind = facts.get("as");
  if (!/^[0-9a-f]{64}$/.test(sha256)) return null;
  const bytes = Number(facts.get("bytes"));
  if (kind === "url") return { path, sha256, bytes, form: { kind, prefix: facts.get("prefix") ?? "" } };
  return kind === "base64" || kind === "bytes" ? { path, sha256, bytes, form: { kind } } : null;
}
