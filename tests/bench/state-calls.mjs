// The calls of a state backend that are timed in every place that WASM runs in. No Node module is imported: a page has the
// same ones.

import { STATE_RARE } from "./records.mjs";

const order = (one, other) => (one < other ? -1 : one > other ? 1 : 0);

/** What the protocol says of files, in one order: state's glob has its own. */
const rows = ({ files }) => [...files].sort((one, other) => order(one.path, other.path));

/** Each with the form of its answer in which both sides have to agree. */
export const STATE_CALLS = {
  grep: {
    call: (backend) => backend.grep(STATE_RARE),
    plain: ({ matches }) => matches.map(({ path, line, text }) => `${path}:${line}:${text}`).sort(order),
  },
  glob: { call: (backend) => backend.glob("**/*.md"), plain: rows },
  ls: { call: (backend) => backend.ls("/src/d1/e1"), plain: rows },
  read: { call: (backend) => backend.read("/src/d1/e1/file-1.ts"), plain: ({ content }) => content },
  edit: {
    call: (backend) => backend.edit("/src/d1/e1/file-1.ts", "const ", "let ", true),
    plain: ({ occurrences }) => occurrences,
  },
};

export const STATE_COUNTS = [1_000, 10_000];

/** Every row: `grep-1k`, … */
export const STATE_ROWS = STATE_COUNTS.flatMap((count) =>
  Object.entries(STATE_CALLS).map(([name, { call, plain }]) => ({
    name,
    id: `${name}-${count / 1000}k`,
    count,
    call,
    plain,
  })),
);
