// Every row, in the order of the table. Those whose records fill the heap come last: a collection, which any row may meet, takes
// the longer the more there is.

import { grepRows } from "./grep.mjs";
import { listRows } from "./list.mjs";
import { readRows } from "./read.mjs";
import { stateRows } from "./state.mjs";
import { wasmRows } from "./wasm.mjs";
import { writeRows } from "./write.mjs";

export const ROWS = [...grepRows, ...listRows, ...readRows, ...writeRows, ...stateRows, ...wasmRows];
