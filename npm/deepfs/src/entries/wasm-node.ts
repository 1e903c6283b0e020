/** `deepfs/wasm` in Node: WASM, also where the addon would load. */

import { setBinding } from "../binding/current.js";
import { loadWasm } from "../binding/wasm.js";
import { moduleFromFile } from "./module-file.js";

setBinding(loadWasm(moduleFromFile));

export * from "../index.js";
