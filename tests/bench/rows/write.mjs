// write, edit and transfers. Each side works in a folder of its own.

import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agree } from "../agree.mjs";
import { BENCH } from "../corpora.mjs";
import { sourceText } from "../text.mjs";

export const writeRows = [
  writeRow("write/new", "write 4 KB, a new file", { peer: [4, 10] }, true),
  writeRow("write/over", "write 4 KB, over an old file", { peer: [4, 10] }, false),
  editRow("edit/small", "edit, small file, atomic", 4_000, { peer: [3, 5] }),
  editRow("edit/20mb", "edit, 20 MB, atomic", 20 * 1024 * 1024, { peer: [6, 7] }),
  uploadRow(),
  downloadRow(),
];

/** Two empty folders and a backend on each. */
function sides(id, { ours, theirs }) {
  const place = (name) => {
    const root = join(BENCH, "scratch", `${id.replaceAll("/", "-")}-${name}`);
    rmSync(root, { recursive: true, force: true });
    mkdirSync(root, { recursive: true });
    return root;
  };
  const roots = { deepfs: place("deepfs"), peer: place("peer") };
  return {
    roots,
    deepfs: ours.FilesystemBackend.createSafe(roots.deepfs),
    peer: new theirs.FilesystemBackend({ rootDir: roots.peer, virtualMode: true }),
  };
}

/**
 * Calls of one sample. File systems pass over the places of files that were deleted a moment ago, so a benchmark that
 * replaces or deletes thousands of them measures that search and not the call: nothing here deletes between samples.
 */
const FEW = 40;

const outcome = ({ path, error, occurrences }) => ({ path, error, occurrences });

function writeRow(id, title, targets, isNew) {
  return {
    id,
    title,
    targets,
    async make(context) {
      const { roots, ...backends } = sides(id, context);
      const content = sourceText(31, 4_000);
      const contender = (name) => {
        let next = 0;
        const path = () => `/f${isNew ? (next += 1) : (next++ % 10) + 1}.ts`;
        return { run: () => backends[name].write(path(), content), maxBatch: FEW };
      };
      const contenders = { deepfs: contender("deepfs"), peer: contender("peer") };
      const answers = {};
      for (const name of ["deepfs", "peer"]) {
        answers[name] = {
          ...outcome(await contenders[name].run()),
          content: readFileSync(join(roots[name], "f1.ts"), "utf8"),
        };
      }
      agree(answers);
      return { contenders };
    },
  };
}

function editRow(id, title, bytes, targets) {
  return {
    id,
    title,
    targets,
    async make(context) {
      const { roots, ...backends } = sides(id, context);
      const text = `${sourceText(37, bytes / 2)}the one line to change: before\n${sourceText(41, bytes / 2)}`;
      const contender = (name) => {
        writeFileSync(join(roots[name], "f.ts"), text);
        let isOld = true;
        return {
          run: () => {
            const [from, to] = isOld ? ["change: before", "change: behind"] : ["change: behind", "change: before"];
            isOld = !isOld;
            return backends[name].edit("/f.ts", from, to);
          },
          maxBatch: FEW,
        };
      };
      const contenders = { deepfs: contender("deepfs"), peer: contender("peer") };
      const answers = {};
      for (const name of ["deepfs", "peer"]) {
        answers[name] = {
          ...outcome(await contenders[name].run()),
          content: readFileSync(join(roots[name], "f.ts"), "utf8"),
        };
      }
      agree(answers);
      return { contenders };
    },
  };
}

function uploadRow() {
  const id = "upload/1000";
  return {
    id,
    title: "upload of 1,000 files",
    targets: { peer: [10, 12] },
    async make(context) {
      const { roots, ...backends } = sides(id, context);
      const source = context.corpus("small-files");
      const names = readdirSync(source, { recursive: true }).filter((path) => path.endsWith(".ts"));
      const contents = names.map((path) => new Uint8Array(readFileSync(join(source, path))));
      const contender = (name) => {
        let calls = 0;
        return {
          run: () => {
            calls += 1;
            return backends[name].uploadFiles(names.map((path, at) => [`/call${calls}/${path}`, contents[at]]));
          },
          maxBatch: 1,
        };
      };
      const contenders = { deepfs: contender("deepfs"), peer: contender("peer") };
      const answers = {};
      for (const name of ["deepfs", "peer"]) {
        const results = await contenders[name].run();
        answers[name] = results.map(({ path, error }, at) => ({
          path,
          error,
          content: readFileSync(join(roots[name], "call1", names[at]), "utf8"),
        }));
      }
      agree(answers);
      return { contenders };
    },
  };
}

function downloadRow() {
  return {
    id: "download/1000",
    title: "download of 1,000 files",
    targets: { peer: [40, 55] },
    async make({ corpus, ours, theirs }) {
      const root = corpus("small-files");
      const paths = readdirSync(root, { recursive: true })
        .filter((path) => path.endsWith(".ts"))
        .map((path) => `/${path}`);
      const deepfs = ours.FilesystemBackend.createSafe(root);
      const peer = new theirs.FilesystemBackend({ rootDir: root, virtualMode: true });
      const contenders = {
        deepfs: { run: () => deepfs.downloadFiles(paths) },
        peer: { run: () => peer.downloadFiles(paths) },
      };
      const plain = (results) =>
        results.map(({ path, error, content }) => ({ path, error, content: Buffer.from(content).toString("latin1") }));
      agree({ deepfs: plain(await contenders.deepfs.run()), peer: plain(await contenders.peer.run()) });
      return { contenders };
    },
  };
}
