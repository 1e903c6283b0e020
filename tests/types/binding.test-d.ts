/** Both builds of the core offer what the contract says: a change of the Rust that breaks it does not compile here. */

import type * as Native from "../../npm/deepfs/src/binding/generated/native.js";
import type * as Wasm from "../../npm/deepfs/src/binding/generated/deepfs_bg.js";
import type { NativeExports } from "../../npm/deepfs/src/binding/guard.js";
import type { WasmExports } from "../../npm/deepfs/src/binding/wasm.js";

type Satisfies<Contract, Build extends Contract> = Build;

export type NativeBuild = Satisfies<NativeExports, typeof Native>;
export type WasmBuild = Satisfies<WasmExports, typeof Wasm>;
