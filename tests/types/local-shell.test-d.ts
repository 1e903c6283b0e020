/** `LocalShellBackend` is a sandbox to `deepagents`, and takes the place of its namesake there. */

import * as peer from "deepagents";
import { LocalShellBackend, type LocalShellBackendOptions } from "deepfs";

const sandbox: peer.SandboxBackendProtocolV2 = new LocalShellBackend();
const files: peer.BackendProtocolV2 = new LocalShellBackend({ rootDir: "/", virtualMode: true });
peer.createDeepAgent({ backend: new LocalShellBackend() });
export const backends = [sandbox, files];

/** Every member of the namesake is there. */
type Members = Omit<peer.LocalShellBackend, never>;
export const same: Members = new LocalShellBackend();

const upstream: peer.LocalShellBackendOptions = { timeout: 5, env: { A: "1" }, initialFiles: { "/a": "" } };
export const options: LocalShellBackendOptions = upstream;

class Mine extends LocalShellBackend {
  override async execute(command: string) {
    return super.execute(`nice ${command}`);
  }
}
export const mine: Promise<Mine> = Mine.create({ initialFiles: {} });
export const safe: Mine = Mine.createSafe("./ws", { jail: { network: true }, timeout: 1 });
