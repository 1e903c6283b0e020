// grep over trees of source files.

import { agree, cappedLines, Disagreement, matchLines, ripgrepLines } from "../agree.mjs";
import { ABSENT, RARE } from "../corpora.mjs";
import { onNewOnes } from "../new-backends.mjs";
import { capture, captureLines } from "../programs.mjs";
import { COMMON } from "../text.mjs";

/** What an agent's tool asks for at most. */
const CAP = 1000;

export const grepRows = [
  row("grep/small", "grep, 50 files", "small", RARE, { peer: [10, 15], rg: [8, 10] }),
  row("grep/medium-rare", "grep, tree, rare", "medium", RARE, { peer: [1.7, 2], rg: [1.5, 1.7] }),
  row(
    "grep/medium-first",
    "grep, tree, rare, by a backend that has not walked yet",
    "medium",
    RARE,
    { peer: [1, 1.7], rg: [1, 1.5] },
    { isFirst: true },
  ),
  row("grep/medium-absent", "grep, tree, absent", "medium", ABSENT, { peer: [1.7, 2], rg: [1.5, 1.7] }),
  row(
    "grep/medium-no-rg",
    "grep, tree, rare, no rg on the machine",
    "medium",
    RARE,
    { peer: [30, 40] },
    { hasRipgrep: false },
  ),
  row("grep/medium-many", "grep, tree, many hits, no cap", "medium", COMMON, { peer: [4.5, 5.5], rg: [1.8, 2.2] }),
  row(
    "grep/medium-capped",
    "grep, tree, maxCount 1000",
    "medium",
    COMMON,
    { peer: [50, 100], rg: [2, 2.5] },
    { maxCount: CAP },
  ),
  row(
    "grep/medium-glob",
    "grep, tree, with a glob filter",
    "medium",
    COMMON,
    { peer: [3, 3.4], rg: [2.5, 3.2] },
    { glob: "*.py" },
  ),
  row("grep/large-rare", "grep, large tree, rare", "large", RARE, { peer: [1.7, 2], rg: [1.5, 1.7] }),
  row("grep/large-absent", "grep, large tree, absent", "large", ABSENT, { peer: [1.7, 2], rg: [1.5, 1.7] }),
  row(
    "grep/large-no-rg",
    "grep, large tree, rare, no rg on the machine",
    "large",
    RARE,
    { peer: [30, 40] },
    { hasRipgrep: false },
  ),
  row(
    "grep/large-many",
    "grep, large tree, many hits, no cap",
    "large",
    COMMON,
    { peer: [4.5, 5.5], rg: [1.8, 2.2] },
    { delayMs: [25, 10] },
  ),
  row(
    "grep/large-capped",
    "grep, large tree, maxCount 1000",
    "large",
    COMMON,
    { peer: [8, 13], rg: [1.3, 1.7] },
    { maxCount: CAP, delayMs: [5, 2] },
  ),
  row(
    "grep/large-glob",
    "grep, large tree, with a glob filter",
    "large",
    COMMON,
    { peer: [3, 3.4], rg: [2.5, 3.2] },
    { glob: "*.py" },
  ),
];

function row(id, title, tree, pattern, targets, options = {}) {
  const { hasRipgrep = true, maxCount = null, glob = null, isFirst = false, delayMs } = options;
  return {
    id,
    title,
    targets,
    limits: delayMs === undefined ? {} : { delayMs },
    isFullOnly: tree === "large",
    async make({ corpus, ours, theirs, programs }) {
      const root = corpus(tree);
      // As people have them: contained, with ignore rules, in order.
      const make = () => ours.FilesystemBackend.createSafe(root, { gitignore: hasRipgrep });
      const deepfs = make();
      const peer = new theirs.FilesystemBackend({ rootDir: root, virtualMode: true });
      const args = [pattern, "/", glob, maxCount];
      const contenders = {
        deepfs: isFirst ? onNewOnes(make, (backend) => backend.grep(...args)) : { run: () => deepfs.grep(...args) },
        peer: { run: hasRipgrep ? () => peer.grep(...args) : () => withoutPrograms(() => peer.grep(...args)) },
      };
      const ripgrep = [
        "-nF",
        "--no-heading",
        "--color=never",
        ...(glob === null ? [] : ["--glob", glob]),
        "--",
        pattern,
        root,
      ];
      if (hasRipgrep && programs.rg !== null) {
        contenders.rg = {
          hasDelay: false,
          run:
            maxCount === null
              ? () => capture(programs.rg, ripgrep)
              : () => capture("/bin/sh", ["-c", `"$0" "$@" | head -n ${maxCount}`, programs.rg, ...ripgrep]),
        };
      }
      await check({ contenders, deepfs, root, ripgrep, programs, args, maxCount });
      return { contenders };
    },
  };
}

async function check({ contenders, deepfs, root, ripgrep, programs, args, maxCount }) {
  const [ours, peers] = [await contenders.deepfs.run(), await contenders.peer.run()];
  if (maxCount === null) {
    const answers = { deepfs: matchLines(ours), peer: matchLines(peers) };
    if (contenders.rg !== undefined) answers.rg = ripgrepLines(await captureLines(programs.rg, ripgrep), root);
    return agree(answers);
  }
  const whole = await deepfs.grep(...args.slice(0, 3));
  const lines = matchLines(whole);
  agree({ deepfs: cappedLines(ours, maxCount, lines), peer: cappedLines(peers, maxCount, lines) });
  // Which lines a cap leaves is the peer's to say at random; here they are the first ones.
  const first = whole.matches.slice(0, maxCount);
  if (JSON.stringify(first) !== JSON.stringify(ours.matches))
    throw new Disagreement("the capped answer is not the first of the whole");
}

/** Runs a call on a machine on which nothing is installed. */
async function withoutPrograms(call) {
  const { PATH } = process.env;
  process.env.PATH = "";
  try {
    return await call();
  } finally {
    process.env.PATH = PATH;
  }
}
