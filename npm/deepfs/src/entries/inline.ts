/** Browsers, workers, Deno and everything else: the module's bytes are part of this file, and nothing is fetched. */

import { setBinding } from "../binding/current.js";
import { loadWasm } from "../binding/wasm.js";
import { moduleBase64 } from "virtual:deepfs-module";

setBinding(loadWasm(() => new WebAssembly.Module(decode(moduleBase64))));

function decode(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

export * from "../index.js";
