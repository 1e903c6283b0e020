// The WASM build against the peer's state backend: in Node, and in a page of Chromium.

import { agree } from "../agree.mjs";
import { runPage } from "../page.mjs";
import { makeRecords } from "../records.mjs";
import { inGraph } from "../run-in-graph.mjs";
import { STATE_ROWS } from "../state-calls.mjs";

/** Not slower, on any row. */
const TARGETS = { peer: [1, 1] };
const title = (place, { name, count }) => `WASM in ${place}: state ${name}, ${count.toLocaleString("en")} files`;

const made = new Map();

function records(count) {
  if (!made.has(count)) made.set(count, makeRecords(count));
  return made.get(count);
}

const inNode = STATE_ROWS.map((row) => ({
  id: `wasm/${row.id}`,
  title: title("Node", row),
  targets: TARGETS,
  make({ wasm, theirs }) {
    const files = records(row.count);
    const contender = (backend) => ({ run: () => inGraph(files, 0, () => row.call(backend)) });
    const both = { deepfs: contender(new wasm.StateBackend()), peer: contender(new theirs.StateBackend()) };
    agree({ deepfs: row.plain(both.deepfs.run()), peer: row.plain(both.peer.run()) });
    return { contenders: both };
  },
}));

/** One visit times all rows. */
let visit;

const inPage = STATE_ROWS.map((row) => ({
  id: `page/${row.id}`,
  title: title("Chromium", row),
  targets: TARGETS,
  async make({ rounds }) {
    visit ??= runPage({ rounds });
    const { answers, times } = (await visit).rows[row.id];
    agree(answers);
    return { measured: Object.fromEntries(Object.entries(times).map(([name, all]) => [name, inPageOnly(all)])) };
  },
}));

/** Nothing but wall time is known of a call in a page; both backends answer at once and on one thread. */
const inPageOnly = (times) => ({ batch: null, cpuMs: times, wallMs: times, delayMs: [], memoryBytes: null });

export const wasmRows = [...inNode, ...inPage];
