/** The backends the corpus runs on in Node. */

import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as langgraph from "@langchain/langgraph";
import type * as Deepfs from "deepfs";
import type { CorpusTarget } from "../support/corpus.js";
import { below } from "./below.js";
import { graphTarget } from "./graph-target.js";
import { legacyTarget, memoryTarget } from "./state-targets.js";

type Exports = typeof Deepfs;
type Options = Record<string, unknown>;

/** `StateBackend` in its three lives. */
export function stateTargets(deepfs: Exports, build: string): CorpusTarget[] {
  return [memoryTarget(deepfs, build), legacyTarget(deepfs, build), graphTarget(deepfs, langgraph, build)];
}

/** The backends with a disk below them. */
export function diskTargets({
  CompositeBackend,
  FilesystemBackend,
  LocalShellBackend,
  StateBackend,
}: Exports): CorpusTarget[] {
  const contained = (root: string, options: Options) => FilesystemBackend.createSafe(root, options);
  return [
    onDisk("FilesystemBackend, contained", ["contained"], contained),
    {
      ...onDisk("FilesystemBackend, host paths", [], (root, options) =>
        below(new FilesystemBackend({ ...options, rootDir: root }), root, "to the folder"),
      ),
      // Here `..` goes up, as in a shell, and a filter with a leading slash speaks of the machine.
      lacksKinds: ["containment"],
      lacksCases: ["path-look-alikes", "readraw-throws", "grep-glob-path"],
    },
    onDisk(
      "LocalShellBackend, contained",
      ["contained", "shell"],
      (root, options) =>
        new LocalShellBackend({ globDirectories: false, ...options, rootDir: root, virtualMode: true }),
    ),
    {
      ...onDisk(
        "CompositeBackend, disk as default",
        ["contained", "composite"],
        (root, options) => new CompositeBackend(contained(root, options), {}),
      ),
      normalises: "as spelt",
      lacksCases: ["read-missing-relative"],
    },
    {
      ...onDisk("CompositeBackend, disk on a mount", ["composite"], (root, options) =>
        below(
          new CompositeBackend(new StateBackend(), { "/a mount/": contained(root, options) }),
          "/a mount",
          "to the root",
        ),
      ),
      normalises: "to absolute",
      // Here the root is a mount, and a filter with a leading slash speaks of what is above it.
      lacksCases: ["delete-root", "delete-empty-path", "readraw-throws", "grep-glob-path"],
    },
  ];
}

function onDisk(name: string, groups: string[], make: (root: string, options: Options) => object): CorpusTarget {
  return {
    name,
    groups: ["js", "disk", ...groups],
    dialect: "disk",
    async open(options) {
      const root = await realpath(await mkdtemp(join(tmpdir(), "deepfs-corpus-")));
      return { backend: make(root, options), close: () => rm(root, { recursive: true }) };
    },
  };
}
