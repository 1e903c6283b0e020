// The package as a user gets it: packed as for a release, and unpacked into the node_modules of an empty project. No
// registry is asked; the optional peers are not there.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromRoot } from "../../scripts/setup/paths.mjs";

/** Packs deepfs and this machine's platform package. Answers with the tarballs and a way to make projects of them. */
export function pack() {
  const folder = mkdtempSync(join(tmpdir(), "deepfs-package-"));
  const tarballs = join(folder, "tarballs");
  execFileSync(process.execPath, [fromRoot("scripts", "pack.mjs"), tarballs]);
  const names = readdirSync(tarballs);
  const deepfs = join(
    tarballs,
    one(names, (name) => /^deepfs-\d/.test(name)),
  );
  const platform = join(
    tarballs,
    one(names, (name) => !/^deepfs-\d/.test(name)),
  );
  let projects = 0;
  return {
    tarball: deepfs,
    platformTarball: platform,
    /**
     * An empty project with deepfs in it, and with its platform package if `native`.
     *
     * @param {{ native: boolean, files?: Record<string, string> }} options
     */
    project({ native, files = {} }) {
      const project = join(folder, `project-${++projects}`);
      unpack(deepfs, join(project, "node_modules", "deepfs"));
      const triple = /deepfs-([^/]+)-\d+\.\d+\.\d+\.tgz$/.exec(platform)?.[1];
      if (native) unpack(platform, join(project, "node_modules", "@deepfs", String(triple)));
      writeFileSync(join(project, "package.json"), `{ "name": "user", "private": true }`);
      for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
      return project;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Runs a file of a project in a Node of its own, with the environment that a user's shell would have. */
export function node(project, file, env = {}) {
  const { DEEPFS_BINDING: _, NODE_OPTIONS: __, ...clean } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], {
    cwd: project,
    encoding: "utf8",
    env: { ...clean, ...env },
  });
  return { status, stdout: stdout.trim(), stderr: stderr.trim() };
}

function unpack(tarball, folder) {
  mkdirSync(folder, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", folder, "--strip-components=1"]);
}

function one(names, wanted) {
  const found = names.filter(wanted);
  if (found.length !== 1) throw new Error(`One tarball was expected among ${names.join(", ")}`);
  return found[0];
}
