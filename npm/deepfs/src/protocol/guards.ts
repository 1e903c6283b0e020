/** What a backend is, told by its shape. */

import type { AnySandboxProtocol, SandboxBackendProtocolV2 } from "./backend.js";

/** Whether a backend of the current version runs commands. */
export function isSandboxBackend(backend: unknown): backend is SandboxBackendProtocolV2 {
  return runsCommands(backend);
}

/** Whether a backend of either version runs commands. */
export function isSandboxProtocol(backend: unknown): backend is AnySandboxProtocol {
  return runsCommands(backend);
}

function runsCommands(backend: unknown): boolean {
  if (typeof backend !== "object" || backend === null) {
    return false;
  }
  try {
    const { execute, id } = backend as { execute?: unknown; id?: unknown };
    return typeof execute === "function" && typeof id === "string" && id !== "";
  } catch {
    // A getter that throws, a proxy that was revoked.
    return false;
  }
}
