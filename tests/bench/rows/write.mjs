// write, edit and transfers. Each side works in a folder of its own.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { output } from "../../../scripts/setup/command.mjs";
import { agree } from "../agree.mjs";
import { BENCH } from "../corpora.mjs";
import { sourceText } from "../text.mjs";

/**
 * Where rows write. What a disk takes is the same for everybody and drowns the call: ext4 starts to write out a file that takes
 * another's place, and gives the blocks of the old one back, at once. So the targets are about files in memory, and each row
 * stands once more on the disk, where nothing may be lost to the peer.
 */
const DISK = join(BENCH, "scratch");
const MEMORY = "/dev/shm";

/**
 * Calls of one sample on the disk. ext4 without a journal passes over the places of files that were deleted within the last
 * minute, so a benchmark that replaces thousands of them measures that search and not the call.
 */
const FEW = 40;
const MANY = 1_000;

/** The peer's lead that must not be, and what else is good to see. */
const NOT_LESS = { peer: [1, 4] };

export const writeRows = [
  writeRow("write/new", "write 4 KB, a new file", { peer: [4, 10] }, { isNew: true }),
  writeRow("write/over", "write 4 KB, over an old file", { peer: [4, 10] }),
  editRow("edit/small", "edit, small file, atomic", 4_000, { peer: [3, 5] }),
  uploadRow("upload/1000", "upload of 1,000 files", { peer: [10, 12] }),
  writeRow("write/new-disk", "write 4 KB, a new file, on the disk", NOT_LESS, { isNew: true, isOnDisk: true }),
  writeRow("write/over-disk", "write 4 KB, over an old file, on the disk", NOT_LESS, { isOnDisk: true }),
  editRow("edit/small-disk", "edit, small file, atomic, on the disk", 4_000, NOT_LESS, { isOnDisk: true }),
  editRow("edit/20mb", "edit, 20 MB, atomic, on the disk", 20 * 1024 * 1024, { peer: [6, 7] }, { isOnDisk: true }),
  uploadRow("upload/1000-disk", "upload of 1,000 files, on the disk", NOT_LESS, { isOnDisk: true }),
  downloadRow(),
];

/** Two empty folders and a backend on each. */
function sides(id, isOnDisk, { ours, theirs }) {
  const scratch = isOnDisk ? diskScratch() : memoryScratch();
  const place = (name) => {
    const root = join(scratch, `${id.replaceAll("/", "-")}-${name}`);
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

/** The flag lets ext4 put the folders in it far from each other, and from where much was deleted. */
function diskScratch() {
  mkdirSync(DISK, { recursive: true });
  output("chattr", ["+T", DISK]);
  return DISK;
}

function memoryScratch() {
  if (!existsSync(MEMORY)) return diskScratch();
  const scratch = mkdtempSync(join(MEMORY, "deepfs-bench-"));
  process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));
  return scratch;
}

const outcome = ({ path, error, occurrences }) => ({ path, error, occurrences });

function writeRow(id, title, targets, { isNew = false, isOnDisk = false } = {}) {
  return {
    id,
    title,
    targets,
    async make(context) {
      const { roots, ...backends } = sides(id, isOnDisk, context);
      const content = sourceText(31, 4_000);
      const contender = (name) => {
        let next = 0;
        const path = () => `/f${isNew ? (next += 1) : (next++ % 10) + 1}.ts`;
        return { run: () => backends[name].write(path(), content), maxBatch: isOnDisk ? FEW : MANY };
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

function editRow(id, title, bytes, targets, { isOnDisk = false } = {}) {
  return {
    id,
    title,
    targets,
    async make(context) {
      const { roots, ...backends } = sides(id, isOnDisk, context);
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
          maxBatch: isOnDisk ? FEW : MANY,
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

function uploadRow(id, title, targets, { isOnDisk = false } = {}) {
  return {
    id,
    title,
    targets,
    async make(context) {
      const { roots, ...backends } = sides(id, isOnDisk, context);
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
