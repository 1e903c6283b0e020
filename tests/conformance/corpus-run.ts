/** The corpus in a page or a worker: the same cases, on the build of the package that runs there. */

import * as langgraph from "@langchain/langgraph/web";
import { type CorpusCase, type CorpusTarget, runCorpus } from "../support/corpus.js";
import { graphTarget } from "./graph-target.js";
import { legacyTarget, memoryTarget } from "./state-targets.js";

type Package = typeof import("deepfs");

export async function run(deepfs: Package) {
  const cases = (await (await fetch("/cases.json")).json()) as CorpusCase[];
  const targets: CorpusTarget[] = [
    memoryTarget(deepfs, "wasm"),
    legacyTarget(deepfs, "wasm"),
    graphTarget(deepfs, langgraph, "wasm"),
  ];
  const reports = [];
  for (const target of targets) reports.push(await runCorpus(cases, target));
  return {
    passed: reports.reduce((sum, { passed }) => sum + passed, 0),
    failed: reports.reduce((sum, { failed }) => sum + failed.length, 0),
    failures: reports.flatMap(({ target, failed }) => failed.map((failure) => `${target}: ${failure}`)),
    reports,
  };
}
