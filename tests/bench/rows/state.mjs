// State: the same records in front of both backends, as from a node of a running graph.

import { agree, Disagreement, listed, matchLines } from "../agree.mjs";
import { longRecord, makeRecords, renewed, STATE_COMMON, STATE_RARE } from "../records.mjs";
import { inGraph } from "../run-in-graph.mjs";

const FIRST_BATCH = 3;
const CAP = 1000;

export const stateRows = [
  grepRow("state/grep-10k-first", "state grep, 10,000 records, first", 10_000, { peer: [8, 20] }, { isFirst: true }),
  grepRow("state/grep-10k-again", "state grep, 10,000 records, unchanged", 10_000, { peer: [15, 25] }),
  grepRow("state/grep-50k-first", "state grep, 50,000 records, first", 50_000, { peer: [5, 8] }, { isFirst: true }),
  grepRow("state/grep-50k-again", "state grep, 50,000 records, unchanged", 50_000, { peer: [15, 30] }),
  grepRow(
    "state/grep-10k-capped",
    "state grep, 10,000 records, capped at 1000, common",
    10_000,
    { peer: [25, 35] },
    { pattern: STATE_COMMON, maxCount: CAP },
  ),
  globRow("state/glob-10k", "state glob, 10,000 records", 10_000, { peer: [15, 20] }),
  globRow("state/glob-50k", "state glob, 50,000 records", 50_000, { peer: [5, 6] }),
  editRow(),
];

const made = new Map();

/** Making 50,000 records takes a while, and they are never changed. */
function records(count) {
  if (!made.has(count)) made.set(count, makeRecords(count));
  return made.get(count);
}

/** Both backends over one graph's files. With `isFirst`, each call meets files that nobody has seen. */
function contenders({ ours, theirs }, files, call, isFirst) {
  let step = 0;
  const contender = (backend) => {
    let waiting = [];
    return {
      run: () => {
        const [at, now] = isFirst ? [(step += 1), waiting.pop() ?? renewed(files)] : [0, files];
        return inGraph(now, at, () => call(backend));
      },
      ...(isFirst
        ? {
            before: (times) => {
              waiting = Array.from({ length: times }, () => renewed(files));
            },
            maxBatch: FIRST_BATCH,
          }
        : {}),
    };
  };
  return { deepfs: contender(new ours.StateBackend()), peer: contender(new theirs.StateBackend()) };
}

function grepRow(id, title, count, targets, { isFirst = false, pattern = STATE_RARE, maxCount = null } = {}) {
  return {
    id,
    title,
    targets,
    make(context) {
      const both = contenders(
        context,
        records(count),
        (backend) => backend.grep(pattern, "/", null, maxCount),
        isFirst,
      );
      const answers = { deepfs: both.deepfs.run(), peer: both.peer.run() };
      if (maxCount === null) agree({ deepfs: matchLines(answers.deepfs), peer: matchLines(answers.peer) });
      else {
        const rows = (result) => ({ rows: result.matches.length, truncated: result.truncated });
        agree({ deepfs: rows(answers.deepfs), peer: rows(answers.peer) });
        if (answers.deepfs.matches.some(({ text }) => !text.includes(pattern)))
          throw new Disagreement("a line without the pattern");
      }
      return { contenders: both };
    },
  };
}

function globRow(id, title, count, targets) {
  return {
    id,
    title,
    targets,
    make(context) {
      const both = contenders(context, records(count), (backend) => backend.glob("**/*.md"), false);
      agree({ deepfs: listed(both.deepfs.run()), peer: listed(both.peer.run()) });
      return { contenders: both };
    },
  };
}

function editRow() {
  return {
    id: "state/edit-20mb",
    title: "state edit in a 20 MB record",
    targets: { peer: [10, 14] },
    make(context) {
      const files = { "/long.txt": longRecord(20 * 1024 * 1024, "the one line to change: before") };
      let sent;
      const call = (backend) => backend.edit("/long.txt", "change: before", "change: behind");
      const both = contenders(context, files, call, false);
      const answers = {};
      for (const [name, backend] of [
        ["deepfs", new context.ours.StateBackend({})],
        ["peer", new context.theirs.StateBackend({})],
      ]) {
        const runtime = new backend.constructor({ state: { files } });
        const { path, error, occurrences, filesUpdate } = runtime.edit("/long.txt", "change: before", "change: behind");
        sent = filesUpdate?.["/long.txt"]?.content;
        answers[name] = { path, error, occurrences, content: Array.isArray(sent) ? sent.join("\n") : sent };
      }
      agree(answers);
      return { contenders: both };
    },
  };
}
