/** Cloudflare's workerd forbids compiling bytes; it compiles an imported `.wasm` file itself. */

import { setBinding } from "../binding/current.js";
import { loadWasm } from "../binding/wasm.js";
import module from "./deepfs.wasm";

setBinding(loadWasm(() => module));

export * from "../index.js";
