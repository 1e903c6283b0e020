/** Payloads in a backend, each under the hash of its bytes. */

import { resolveBackend } from "../adapters/adapt.js";
import { stateStorage } from "../backends/state-storage.js";
import { bytesOf } from "../protocol/arguments.js";
import type { AnyBackendProtocol, BackendProtocolV2, FileData } from "../protocol/types.js";
import { decodeBase64, encodeBase64 } from "./base64.js";

/** Why a blob is not there. */
export type BlobProblem = "missing" | "damaged";

/** The blobs of one backend in one run. */
export class BlobStore {
  private constructor(
    private readonly backend: BackendProtocolV2,
    private readonly folder: string,
    /** False where blobs would land in the state that they are to be kept out of. */
    readonly keepsBlobs: boolean,
  ) {}

  static async open(given: AnyBackendProtocol, folder: string): Promise<BlobStore> {
    const inState = stateStorage(given, `${folder}/any`) !== undefined;
    // A factory has been called by now, so the run it would get does not matter.
    const backend = await resolveBackend(given, { state: undefined });
    return new BlobStore(backend, folder, !inState);
  }

  pathOf(sha256: string): string {
    return `${this.folder}/${sha256}`;
  }

  /**
   * Stores bytes and reads them back: only what can be had again may leave the history.
   *
   * @returns Whether they are stored.
   */
  async put(sha256: string, bytes: Uint8Array): Promise<boolean> {
    const path = this.pathOf(sha256);
    const uploaded = (await this.backend.uploadFiles?.([[path, bytes]])) as StateUpdating | undefined;
    // A caller's duty to put the files into state: then state is where they would be.
    if (uploaded?.filesUpdate) return false;
    if (uploaded?.[0]?.error === null && (await this.get(sha256)) instanceof Uint8Array) return true;
    // Some backends keep text only, where the path does not name a binary type.
    const written = await this.backend.write(path, encodeBase64(bytes));
    return !written.error && !written.filesUpdate && (await this.get(sha256)) instanceof Uint8Array;
  }

  /** The bytes with this hash, checked. */
  async get(sha256: string): Promise<Uint8Array | BlobProblem> {
    const stored = await this.fetch(this.pathOf(sha256));
    if (stored === undefined) return "missing";
    if ((await sha256Of(stored)) === sha256) return stored;
    const decoded = decodeBase64(new TextDecoder().decode(stored));
    return decoded !== null && (await sha256Of(decoded)) === sha256 ? decoded : "damaged";
  }

  private async fetch(path: string): Promise<Uint8Array | undefined> {
    if (this.backend.downloadFiles !== undefined) {
      const [answer] = await this.backend.downloadFiles([path]);
      return bytesOf(answer?.content) ?? undefined;
    }
    const { data } = await this.backend.readRaw(path);
    return data === undefined ? undefined : contentBytes(data);
  }
}

type StateUpdating = { error: string | null }[] & { filesUpdate?: unknown };

function contentBytes({ content }: FileData): Uint8Array {
  if (content instanceof Uint8Array) return content;
  return new TextEncoder().encode(Array.isArray(content) ? content.join("\n") : content);
}

/** In hexadecimal. */
export async function sha256Of(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
