/** The WASM build as a {@link Binding}. An entry of the package brings the module, in the form its runtime allows. */

import type { Binding } from "./contract.js";
import * as glue from "./generated/deepfs_bg.js";
import { type Exports, guardMemory, guardRules } from "./guard.js";

/** What the module exports: the contract, but that the text of an edit comes encoded. */
export type WasmExports = Omit<Exports, "editText"> & {
  editText(
    path: string,
    content: Uint8Array,
    oldString: string,
    newString: string,
    replaceAll: boolean,
  ): ReturnType<Exports["editText"]>;
};

/** Where the glue's imports live; bindgen names them so in the module. */
const IMPORTS = "./deepfs_bg.js";

let loaded: Binding | undefined;

/**
 * Starts the module, once: a second instance over the same glue would corrupt the first.
 *
 * @param module The compiled module.
 */
export function loadWasm(module: () => WebAssembly.Module): Binding {
  loaded ??= start(module());
  return loaded;
}

function start(module: WebAssembly.Module): Binding {
  const instance = new WebAssembly.Instance(module, { [IMPORTS]: glue as unknown as WebAssembly.ModuleImports });
  const internals = glue as unknown as { __wbg_set_wasm(exports: WebAssembly.Exports): void };
  internals.__wbg_set_wasm(instance.exports);
  (instance.exports["__wbindgen_start"] as () => void)();
  const encoder = new TextEncoder();
  const raw = glue as unknown as WasmExports;
  const exports: Exports = {
    ...raw,
    editText: (path, content, ...change) => raw.editText(path, encoder.encode(content), ...change),
  };
  const rules = guardRules(exports);
  return { build: "wasm", version: exports.version(), rules, Memory: guardMemory(rules, exports.Memory) };
}
