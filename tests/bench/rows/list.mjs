// glob and ls.

import { agree, listed, paths } from "../agree.mjs";
import { onNewOnes } from "../new-backends.mjs";
import { capture, captureLines } from "../programs.mjs";

/** Not asked for: shown because a backend remembers what directories hold, which helps no first call. */
const FIRST = { peer: [1, 5], fd: [0, 1] };

export const listRows = [
  globRow("glob/medium", "glob, selective", "medium", "**/*.sql", ["-e", "sql"], { peer: [10, 13], fd: [1.2, 1.6] }),
  globRow(
    "glob/medium-first",
    "glob, selective, by a backend that has not walked yet",
    "medium",
    "**/*.sql",
    ["-e", "sql"],
    FIRST,
    {
      isFirst: true,
    },
  ),
  globRow("glob/medium-all", "glob **/*, sizes and times included", "medium", "**/*", [], {
    peer: [8, 12],
    fd: [0.7, 0.9],
  }),
  globRow("glob/large", "glob, large tree, selective", "large", "**/*.sql", ["-e", "sql"], {
    peer: [5, 10],
    fd: [1.2, 1.6],
  }),
  globRow(
    "glob/large-first",
    "glob, large tree, selective, by a backend that has not walked yet",
    "large",
    "**/*.sql",
    ["-e", "sql"],
    FIRST,
    { isFirst: true },
  ),
  globRow("glob/large-all", "glob **/* of the large tree, sizes and times included", "large", "**/*", [], {
    peer: [8, 12],
    fd: [0.7, 0.9],
  }),
  lsRow(
    "ls/100k",
    "ls of 100,000 entries",
    { full: "folder-100k", quick: "folder-10k" },
    { peer: [15, 20], "ls -l": [2.5, 3] },
  ),
  lsRow("ls/27", "ls of 27 entries", { full: "folder-27", quick: "folder-27" }, { peer: [10, 20], "ls -l": [2.5, 3] }),
];

function globRow(id, title, tree, pattern, fdArguments, targets, { isFirst = false } = {}) {
  return {
    id,
    title,
    targets,
    isFullOnly: tree === "large",
    async make({ corpus, ours, theirs, programs }) {
      const root = corpus(tree);
      const deepfs = ours.FilesystemBackend.createSafe(root);
      const peer = new theirs.FilesystemBackend({ rootDir: root, virtualMode: true });
      const glob = (backend) => backend.glob(pattern);
      const contenders = {
        deepfs: isFirst ? onNewOnes(() => ours.FilesystemBackend.createSafe(root), glob) : { run: () => glob(deepfs) },
        peer: { run: () => glob(peer) },
      };
      const found = listed(await deepfs.glob(pattern));
      agree({ deepfs: found, peer: listed(await peer.glob(pattern)) });
      if (programs.fd !== null) {
        const args = ["-HI", "-E", ".git", "-t", "f", ...fdArguments, ".", root];
        agree({ deepfs: found.map(({ path }) => path), fd: paths(await captureLines(programs.fd, args), root) });
        contenders.fd = { hasDelay: false, run: () => capture(programs.fd, args) };
      }
      return { contenders };
    },
  };
}

function lsRow(id, title, folders, targets) {
  return {
    id,
    title,
    targets,
    async make({ corpus, isQuick, ours, theirs, programs }) {
      const root = corpus(isQuick ? folders.quick : folders.full);
      const deepfs = ours.FilesystemBackend.createSafe(root);
      const peer = new theirs.FilesystemBackend({ rootDir: root, virtualMode: true });
      const contenders = { deepfs: { run: () => deepfs.ls("/") }, peer: { run: () => peer.ls("/") } };
      const found = listed(await deepfs.ls("/"));
      agree({ deepfs: found, peer: listed(await peer.ls("/")) });
      if (programs.ls !== null) {
        contenders["ls -l"] = { hasDelay: false, run: () => capture(programs.ls, ["-lA", root]) };
        const names = (await captureLines(programs.ls, ["-A", root])).map((name) => `/${name}`);
        agree({ deepfs: found.map(({ path }) => path), "ls -l": paths(names, "") });
      }
      return { contenders };
    },
  };
}
