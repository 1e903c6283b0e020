/** Everything that deepfs exports; the same in every build. An entry chooses the build before it exports this. */

export { adaptBackendProtocol, adaptSandboxProtocol, resolveBackend } from "./adapters/adapt.js";
export { CompositeBackend, type CompositeOptions } from "./backends/composite.js";
export type { Warned } from "./backends/composite-search.js";
export { ContextHubBackend } from "./backends/context-hub.js";
export type { ContextHubBackendOptions, HubClient, HubEntry } from "./backends/context-hub.js";
export { FilesystemBackend } from "./backends/filesystem.js";
export type { DiskLimits, FilesystemBackendOptions } from "./backends/filesystem-options.js";
export { LocalShellBackend } from "./backends/local-shell.js";
export type { ExecuteOptions, JailOptions, LocalShellBackendOptions } from "./backends/local-shell-options.js";
export type { FilesInput } from "./backends/own-files.js";
export { type PermissionOptions, withPermissions } from "./backends/permissions.js";
export {
  type InspectedContent,
  type Policy,
  type PolicyCall,
  type PolicyEvent,
  type Verdict,
  withPolicy,
} from "./backends/policy.js";
export type { RateLimit } from "./backends/rate-limit.js";
export { StateBackend } from "./backends/state.js";
export type { StateBackendOptions, StateLimits } from "./backends/state-options.js";
export { StoreBackend } from "./backends/store.js";
export type { StoreBackendContext, StoreBackendNamespaceFactory, StoreBackendOptions } from "./backends/store.js";
export type { Wrapper } from "./backends/wrapper.js";
export { coreBuild } from "./binding/build.js";
export { type BlobOffloadMiddleware, createBlobOffloadMiddleware } from "./middleware/blob-offload.js";
export type { BlobOffloadOptions } from "./middleware/message-offload.js";
export * from "./protocol/index.js";
