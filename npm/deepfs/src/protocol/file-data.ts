/** Files as graph state and stores keep them. */

/** The older record: text only, as its lines. */
export interface FileDataV1 {
  /** The text split at line feeds: a final one leaves an empty string at the end. */
  content: string[];
  /** When the file was first written, as ISO text. */
  created_at: string;
  /** When it was last written, as ISO text. */
  modified_at: string;
}

/** The current record: text as a string, binary as bytes. */
export interface FileDataV2 {
  /** Text, or the bytes of what is not text. */
  content: string | Uint8Array;
  /** The MIME type, as `text/markdown`. */
  mimeType: string;
  /** When the file was first written, as ISO text. */
  created_at: string;
  /** When it was last written, as ISO text. */
  modified_at: string;
}

/** A record of either form; `Array.isArray(data.content)` tells them apart. */
export type FileData = FileDataV1 | FileDataV2;
