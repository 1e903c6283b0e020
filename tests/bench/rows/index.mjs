export { grepRows } from "./grep.mjs";
export { listRows } from "./list.mjs";
export { readRows } from "./read.mjs";
export { stateRows } from "./state.mjs";
export { wasmRows } from "./wasm.mjs";
export { writeRows } from "./write.mjs";
