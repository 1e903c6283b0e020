// The WASM build in Node against the peer's state backend.

import { agree, listed, matchLines } from "../agree.mjs";
import { makeRecords, STATE_RARE } from "../records.mjs";
import { inGraph } from "../run-in-graph.mjs";

const CALLS = {
  grep: { call: (backend) => backend.grep(STATE_RARE), plain: matchLines },
  glob: { call: (backend) => backend.glob("**/*.md"), plain: listed },
  ls: { call: (backend) => backend.ls("/src/d1/e1"), plain: (result) => listed(result) },
  read: { call: (backend) => backend.read("/src/d1/e1/file-1.ts"), plain: ({ content }) => content },
  edit: {
    call: (backend) => backend.edit("/src/d1/e1/file-1.ts", "const ", "let ", true),
    plain: ({ occurrences }) => occurrences,
  },
};

export const wasmRows = [1_000, 10_000].flatMap((count) =>
  Object.entries(CALLS).map(([name, { call, plain }]) => ({
    id: `wasm/${name}-${count / 1000}k`,
    title: `WASM in Node: state ${name}, ${count.toLocaleString("en")} files`,
    targets: { peer: [1, 1] },
    make({ wasm, theirs }) {
      const files = records(count);
      const contender = (backend) => ({ run: () => inGraph(files, 0, () => call(backend)) });
      const both = { deepfs: contender(new wasm.StateBackend()), peer: contender(new theirs.StateBackend()) };
      agree({ deepfs: plain(both.deepfs.run()), peer: plain(both.peer.run()) });
      return { contenders: both };
    },
  })),
);

const made = new Map();

function records(count) {
  if (!made.has(count)) made.set(count, makeRecords(count));
  return made.get(count);
}
