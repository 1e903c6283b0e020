// Times rows in a process of their own, as run.mjs asks: what a row leaves behind, a full heap or memory that is still to be
// collected, is not the next one's cost.

import { Disagreement } from "./agree.mjs";
import { corpus } from "./corpora.mjs";
import { measure } from "./measure.mjs";
import { ROWS } from "./rows/index.mjs";
import { verdicts } from "./verdict.mjs";

process.once("message", async ({ ids, isQuick, rounds, programs }) => {
  const say = (text) => process.send({ say: text });
  const context = {
    isQuick,
    rounds,
    programs,
    say,
    corpus: (name) => corpus(name, say),
    ours: await import("deepfs"),
    wasm: await import("deepfs/wasm"),
    theirs: await import("deepagents"),
  };
  for (const id of ids) {
    process.send({ begin: id });
    process.send({ result: await runRow(id, context) });
  }
  process.disconnect();
});

async function runRow(id, context) {
  const row = ROWS.find((candidate) => candidate.id === id);
  const { title } = row;
  const tick = () => process.send({ tick: true });
  try {
    const { contenders, measured: elsewhere } = await row.make(context);
    const { rounds, isQuick } = context;
    const measured = elsewhere ?? (await measure(contenders, { rounds, isQuick, tick }));
    return { id, title, measured, verdicts: verdicts(row, measured) };
  } catch (error) {
    if (!(error instanceof Disagreement)) throw error;
    return { id, title, verdicts: [], error: error.message };
  }
}
