// read and readRaw.

import { readdirSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { agree } from "../agree.mjs";
import { capture } from "../programs.mjs";

const LINES = 100;

export const readRows = [
  smallRow("read/small", "read, small file, inside the call", { peer: [10, 50] }, true),
  smallRow("read/small-pool", "read, small file, through the pool", { peer: [10, 10] }, false),
  longRow("read/first", "read 100 lines of 200 MB with totalLines, first", { peer: [15, 19] }, true),
  longRow("read/again", "read 100 lines of 200 MB with totalLines, repeated", { peer: [500, 1500] }, false),
  lineRow("read/line-900000"),
  rawRow("readRaw/20mb-ascii", "readRaw 20 MB, ASCII", "text-20mb", { peer: [2.5, 3] }),
  rawRow("readRaw/20mb-unicode", "readRaw 20 MB, not ASCII", "text-20mb-unicode", { peer: [1.2, 1.5] }),
];

function backends({ ours, theirs }, root, options) {
  return {
    deepfs: ours.FilesystemBackend.createSafe(root, options),
    peer: new theirs.FilesystemBackend({ rootDir: root, virtualMode: true }),
  };
}

/** What both sides answer with; deepfs has fields beyond. */
const page = ({ content, totalLines, nextOffset, error }) => ({ content, totalLines, nextOffset, error });

function smallRow(id, title, targets, fastPaths) {
  return {
    id,
    title,
    targets,
    async make(context) {
      const root = context.corpus("small-files");
      const { deepfs, peer } = backends(context, root, { fastPaths });
      const files = readdirSync(root, { recursive: true })
        .filter((path) => path.endsWith(".ts"))
        .map((path) => `/${path}`);
      for (const file of files) agree({ deepfs: page(await deepfs.read(file)), peer: page(await peer.read(file)) });
      const inTurns = (backend) => {
        let next = 0;
        return () => backend.read(files[next++ % files.length]);
      };
      return { contenders: { deepfs: { run: inTurns(deepfs) }, peer: { run: inTurns(peer) } } };
    },
  };
}

function longRow(id, title, targets, isFirst) {
  return {
    id,
    title,
    targets,
    limits: { memoryBytes: [2 * 1024 * 1024, 2 * 1024 * 1024] },
    async make(context) {
      const root = context.corpus(context.isQuick ? "text-40mb" : "text-200mb");
      const { deepfs, peer } = backends(context, root);
      const args = ["/long.txt", 200_000, LINES];
      agree({ deepfs: page(await deepfs.read(...args)), peer: page(await peer.read(...args)) });
      const file = join(root, "long.txt");
      // Another time of change is another version of the file: nothing that is known of the old one may be used.
      const renew = isFirst ? { renew: () => utimesSync(file, new Date(), new Date()), maxBatch: 1 } : {};
      return {
        contenders: { deepfs: { run: () => deepfs.read(...args), ...renew }, peer: { run: () => peer.read(...args) } },
      };
    },
  };
}

function lineRow(id) {
  return {
    id,
    title: "read at line 900,000 of a million",
    targets: { peer: [18, 22], sed: [3, 3] },
    async make(context) {
      const { programs } = context;
      const root = context.corpus("text-1m-lines");
      const { deepfs, peer } = backends(context, root);
      const from = 900_000;
      const file = join(root, "numbered.txt");
      const args = ["/numbered.txt", from, LINES];
      const mine = page(await deepfs.read(...args));
      agree({ deepfs: mine, peer: page(await peer.read(...args)) });
      const renew = () => utimesSync(file, new Date(), new Date());
      const contenders = {
        deepfs: { run: () => deepfs.read(...args), renew, maxBatch: 1 },
        peer: { run: () => peer.read(...args) },
      };
      if (programs.sed !== null) {
        const sed = ["-n", `${from + 1},${from + LINES}p;${from + LINES}q`, file];
        agree({ deepfs: mine.content, sed: (await capture(programs.sed, sed)).toString().replace(/\n$/, "") });
        contenders.sed = { hasDelay: false, run: () => capture(programs.sed, sed) };
      }
      return { contenders };
    },
  };
}

function rawRow(id, title, name, targets) {
  return {
    id,
    title,
    targets,
    async make(context) {
      const root = context.corpus(name);
      const { deepfs, peer } = backends(context, root);
      const whole = ({ data: { content, mimeType, modified_at } }) => ({ content, mimeType, modified_at });
      agree({ deepfs: whole(await deepfs.readRaw("/whole.txt")), peer: whole(await peer.readRaw("/whole.txt")) });
      // A text of which nothing is used is no text that was handed over.
      const used = async (backend) =>
        (await backend.readRaw("/whole.txt")).data.content.charCodeAt(statSync(root).nlink);
      return { contenders: { deepfs: { run: () => used(deepfs) }, peer: { run: () => used(peer) } } };
    },
  };
}
