/** Payloads that were seen a short time ago, up to a number of bytes; the ones not used for longest go first. */
export class BlobCache {
  private readonly blobs = new Map<string, Uint8Array>();
  private bytes = 0;

  constructor(private readonly limitBytes: number) {}

  get(key: string): Uint8Array | undefined {
    const blob = this.blobs.get(key);
    if (blob === undefined) return undefined;
    this.blobs.delete(key);
    this.blobs.set(key, blob);
    return blob;
  }

  set(key: string, blob: Uint8Array): void {
    this.drop(key);
    if (blob.byteLength > this.limitBytes) return;
    this.blobs.set(key, blob);
    this.bytes += blob.byteLength;
    for (const oldest of this.blobs.keys()) {
      if (this.bytes <= this.limitBytes) return;
      this.drop(oldest);
    }
  }

  private drop(key: string): void {
    this.bytes -= this.blobs.get(key)?.byteLength ?? 0;
    this.blobs.delete(key);
  }
}
