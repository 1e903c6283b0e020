// Runs in a page: WASM against the peer's state backend, in turns. Both answer at once, so wall time is processor time; a
// page has no other clock.

import { StateBackend as PeerBackend } from "deepagents";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import { makeRecords } from "./records.mjs";
import { inGraph } from "./run-in-graph.mjs";
import { STATE_ROWS } from "./state-calls.mjs";

/** A page's clock has steps of up to 0.1 ms. */
const SAMPLE_MS = 40;
const MAX_BATCH = 5_000;

/** What LangGraph asks for the current run. A page has no storage that follows promises, and these calls need none. */
class Runs {
  run(store, call) {
    const outer = this.store;
    this.store = store;
    try {
      return call();
    } finally {
      this.store = outer;
    }
  }
  getStore() {
    return this.store;
  }
}

export async function run(deepfs) {
  AsyncLocalStorageProviderSingleton.initializeGlobalInstance(new Runs());
  const rounds = Number(new URLSearchParams(location.search).get("rounds") ?? 7);
  const records = new Map();
  const rows = {};
  for (const { id, count, call, plain } of STATE_ROWS) {
    if (!records.has(count)) records.set(count, makeRecords(count));
    const files = records.get(count);
    const calls = {};
    const answers = {};
    for (const [name, backend] of Object.entries({ deepfs: new deepfs.StateBackend(), peer: new PeerBackend() })) {
      calls[name] = () => inGraph(files, 0, () => call(backend));
      answers[name] = plain(calls[name]());
    }
    rows[id] = { answers, times: await timed(calls, rounds) };
  }
  return { passed: STATE_ROWS.length, failed: 0, failures: [], build: deepfs.coreBuild().build, rows };
}

/** Milliseconds of one call, a figure for each round. */
async function timed(calls, rounds) {
  const times = {};
  const batches = {};
  for (const [name, call] of Object.entries(calls)) {
    batches[name] = 1;
    for (
      let taken = sample(call, 1);
      taken * batches[name] < SAMPLE_MS && batches[name] < MAX_BATCH;
      taken = sample(call, batches[name])
    ) {
      batches[name] = Math.min(
        MAX_BATCH,
        Math.ceil(Math.max(batches[name] * 2, (SAMPLE_MS * 1.2) / Math.max(taken, 0.001))),
      );
    }
    times[name] = [];
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, call] of Object.entries(calls)) {
      times[name].push(sample(call, batches[name]));
      // The page is not to be taken for one that hangs.
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
  return times;
}

function sample(call, batch) {
  const start = performance.now();
  for (let at = 0; at < batch; at += 1) call();
  return (performance.now() - start) / batch;
}
