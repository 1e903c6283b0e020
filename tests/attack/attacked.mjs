// What is attacked: deepfs, and for `--self-test` the stand-ins that can not hold what is promised.

import { FilesystemBackend, LocalShellBackend } from "deepfs";
import { PlainBackend, PlainShell } from "./stand-ins.mjs";
import { loadAddon } from "./program.mjs";

/**
 * @typedef {object} Attacked
 * @property {string} name
 * @property {(root: string) => object[]} backends several over one root: they share nothing but the disk
 * @property {new (options: object) => { execute(command: string): Promise<object>, close(): Promise<unknown> }} Shell
 */

/** @type {Attacked} */
const deepfs = {
  name: "deepfs",
  backends: (root) => [
    FilesystemBackend.createSafe(root),
    FilesystemBackend.createSafe(root, { gitignore: true, bareGlob: "recursive", strict: true }),
    FilesystemBackend.createSafe(root, { writeMode: "create", sniff: false, maxFileSizeMb: 1 }),
    // The file methods of the shell's backend are the same ones, on an object of its own.
    new LocalShellBackend({ rootDir: root, virtualMode: true }),
  ],
  get Shell() {
    return loadAddon().Shell;
  },
};

/** @type {Attacked} */
const plain = {
  name: "plain",
  backends: (root) => [new PlainBackend(root), new PlainBackend(root)],
  Shell: PlainShell,
};

/** By name, for processes that are started with it. */
export const ATTACKED = { deepfs, plain };
