export { DEFAULT_READ_LIMIT, type EditOptions, type ReadWindow } from "./arguments.js";
export { applyGrepMaxCount } from "./grep-cap.js";
export { isSandboxBackend, isSandboxProtocol } from "./guards.js";
export { SandboxError } from "./sandbox-error.js";
export type * from "./types.js";
