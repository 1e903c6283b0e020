/** The WASM module from its file beside the bundle; Node only. */

import { readFileSync } from "node:fs";

export function moduleFromFile(): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(new URL("./deepfs.wasm", import.meta.url)));
}
