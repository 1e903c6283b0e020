/** Files as graph state and stores keep them. */

/** The older record: text only, as its lines. */
export interface FileDataV1 {
  content: string[];
  created_at: string;
  modified_at: string;
}

/** The current record: text as a string, binary as bytes. */
export interface FileDataV2 {
  content: string | Uint8Array;
  mimeType: string;
  created_at: string;
  modified_at: string;
}

/** A record of either form; `Array.isArray(data.content)` tells them apart. */
export type FileData = FileDataV1 | FileDataV2;
