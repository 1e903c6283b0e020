/** What is put together of backends is a backend to `deepagents`, and what wraps its middleware a middleware. */

import type { BackendProtocolV2, SandboxBackendProtocolV2 } from "deepagents";
import { createDeepAgent } from "deepagents";
import { CompositeBackend, createBlobOffloadMiddleware, StateBackend, withPermissions, withPolicy } from "deepfs";
import { createFilesystemMiddleware } from "deepfs/middleware";

const composite: BackendProtocolV2 = new CompositeBackend(new StateBackend(), { "/memories/": new StateBackend() });
const guarded: BackendProtocolV2 = withPermissions(composite, [
  { operations: ["read"], paths: ["/secrets/**"], mode: "deny" },
]);
const audited: BackendProtocolV2 = withPolicy(guarded, { denyPrefixes: ["/policies/"], audit: () => undefined });

declare const sandbox: SandboxBackendProtocolV2;
const kept: SandboxBackendProtocolV2[] = [withPolicy(sandbox, {}), withPermissions(sandbox, [])];

for (const backend of [composite, guarded, audited, ...kept]) {
  createDeepAgent({ backend, middleware: [createBlobOffloadMiddleware({ backend })] });
  createDeepAgent({ backend, middleware: [createFilesystemMiddleware({ backend, offloadBinaryContent: true })] });
}
createDeepAgent({ backend: new CompositeBackend(new StateBackend(), {}) });
