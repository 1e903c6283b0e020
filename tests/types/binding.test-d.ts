/** Both builds of the core offer what the contract says: a change of the Rust that breaks it does not compile here. */

import type * as Native from "../../npm/deepfs/src/binding/generated/native.js";
import type * as Wasm from "../../npm/deepfs/src/binding/generated/deepfs_bg.js";
import type { Exports, NativeExports } from "../../npm/deepfs/src/binding/guard.js";

type Satisfies<Contract, Build extends Contract> = Build;

export type NativeBuild = Satisfies<NativeExports, typeof Native>;
export type WasmBuild = Satisfies<Exports, typeof Wasm>;
