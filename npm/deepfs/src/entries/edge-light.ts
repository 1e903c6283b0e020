/** Vercel's edge runtime: a `.wasm` file imported with `?module` is a compiled module. */

import { setBinding } from "../binding/current.js";
import { loadWasm } from "../binding/wasm.js";
import module from "./deepfs.wasm?module";

setBinding(loadWasm(() => module));

export * from "../index.js";
