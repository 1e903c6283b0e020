/** Everything that deepfs exports; the same in every build. An entry chooses the build before it exports this. */

export { adaptBackendProtocol, adaptSandboxProtocol, resolveBackend } from "./adapters/adapt.js";
export { ContextHubBackend } from "./backends/context-hub.js";
export type { ContextHubBackendOptions, HubClient, HubEntry } from "./backends/context-hub.js";
export { FilesystemBackend } from "./backends/filesystem.js";
export type { DiskLimits, FilesystemBackendOptions } from "./backends/filesystem-options.js";
export type { FilesInput } from "./backends/own-files.js";
export { StateBackend } from "./backends/state.js";
export type { StateBackendOptions, StateLimits } from "./backends/state-options.js";
export { StoreBackend } from "./backends/store.js";
export type { StoreBackendContext, StoreBackendNamespaceFactory, StoreBackendOptions } from "./backends/store.js";
export { coreBuild } from "./binding/build.js";
export * from "./protocol/index.js";
