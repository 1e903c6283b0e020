/** Node and Bun: the addon, else the same core as WASM. `DEEPFS_BINDING` forces one of them. */

import { setBinding } from "../binding/current.js";
import { loadNative } from "../binding/native.js";
import { loadWasm } from "../binding/wasm.js";
import type { Binding } from "../binding/contract.js";
import { moduleFromFile } from "./module-file.js";

setBinding(choose());

function choose(): Binding {
  const forced = forcedBuild();
  if (forced === "wasm") return loadWasm(moduleFromFile);
  const native = loadNative();
  if ("binding" in native) return native.binding;
  const why = native.reasons.join("; ");
  if (forced === "native") {
    throw new Error(`DEEPFS_BINDING=native, but the addon did not load: ${why}. Install ${native.platformPackage}.`);
  }
  process.emitWarning(
    `deepfs runs as WASM, without the disk and shell backends, because its addon did not load: ${why}. ` +
      `Install ${native.platformPackage}, or set DEEPFS_BINDING=wasm to choose WASM.`,
    { code: "DEEPFS_WASM_FALLBACK" },
  );
  return loadWasm(moduleFromFile);
}

function forcedBuild(): Binding["build"] | undefined {
  const value = readEnvironment("DEEPFS_BINDING");
  if (value === undefined || value === "") return undefined;
  if (value === "native" || value === "wasm") return value;
  throw new Error(`DEEPFS_BINDING is "${value}": it has to be "native" or "wasm".`);
}

/** Deno throws when a program without permission looks at its environment. */
function readEnvironment(name: string): string | undefined {
  try {
    return process.env[name];
  } catch {
    return undefined;
  }
}

export * from "../index.js";
