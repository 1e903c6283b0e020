/** The corpus, read from its files. */

import { readdirSync, readFileSync } from "node:fs";
import type { CorpusCase } from "./corpus.js";

const FOLDER = new URL("../corpus/cases/", import.meta.url);

export const CASES: CorpusCase[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".json"))
  .sort()
  .flatMap((name) => JSON.parse(readFileSync(new URL(name, FOLDER), "utf8")) as CorpusCase[]);
