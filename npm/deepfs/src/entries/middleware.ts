/** `deepfs/middleware`: what wraps the middleware of `deepagents`, which this entry needs. */

import {
  createFilesystemMiddleware as createUpstreamMiddleware,
  type FilesystemMiddlewareOptions as UpstreamOptions,
} from "deepagents";
// By the package's name: this bundle shares the build of the core that the main entry chose.
import { createBlobOffloadMiddleware } from "deepfs";
import { type FilesystemMiddleware, withInner } from "../middleware/filesystem.js";

export { createBlobOffloadMiddleware, type BlobOffloadOptions } from "deepfs";
export type { FilesystemMiddleware } from "../middleware/filesystem.js";

export interface FilesystemMiddlewareOptions extends UpstreamOptions {
  /**
   * Store images, audio, video and documents under `/blobs/<sha256>` in the backend and keep references in the history
   * (default false). See `createBlobOffloadMiddleware`.
   */
  offloadBinaryContent?: boolean;
}

/**
 * As `createFilesystemMiddleware` of `deepagents`, and with `offloadBinaryContent`. In the `middleware` of
 * `createDeepAgent` it takes the place of the built-in one.
 */
export function createFilesystemMiddleware(options: FilesystemMiddlewareOptions = {}): FilesystemMiddleware {
  const { offloadBinaryContent = false, ...rest } = options;
  const files = createUpstreamMiddleware(rest);
  // Without a backend the files are in the state, and so would be the blobs.
  if (!offloadBinaryContent || rest.backend === undefined) return files;
  return withInner(files, createBlobOffloadMiddleware({ backend: rest.backend }) as FilesystemMiddleware);
}
