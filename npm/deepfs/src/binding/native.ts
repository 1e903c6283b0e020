/** The Node addon as a {@link Binding}, and the search for its file. Runs in Node and Bun only. */

import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Binding } from "./contract.js";
import { guardDisk, guardMemory, guardRules, guardShell, type NativeExports } from "./guard.js";

/** The addon, or why each place that may hold it did not give it. */
export type NativeLoad = { binding: Binding } | { reasons: string[]; platformPackage: string };

/** Looks for the addon of this machine: beside the package (a build from source), then in its platform package. */
export function loadNative(): NativeLoad {
  const triple = hostTriple();
  const platformPackage = `@deepfs/${triple}`;
  const beside = fileURLToPath(new URL(`../native/deepfs.${triple}.node`, import.meta.url));
  const reasons: string[] = [];
  const load = createRequire(import.meta.url);
  for (const place of existsSync(beside) ? [beside, platformPackage] : [platformPackage]) {
    try {
      return { binding: nativeBinding(load(place) as NativeExports) };
    } catch (error) {
      reasons.push(firstLine(error));
    }
  }
  return { reasons, platformPackage };
}

function nativeBinding(addon: NativeExports): Binding {
  const rules = guardRules(addon);
  return {
    build: "native",
    version: addon.version(),
    rules,
    Memory: guardMemory(rules, addon.Memory),
    Disk: guardDisk(rules, addon.Disk),
    Shell: guardShell(rules, addon.Shell),
    Cancel: addon.Cancel,
    makeFolder: async (hostPath) => void (await mkdir(hostPath, { recursive: true })),
  };
}

/** The name of this machine's platform; `scripts/setup/triples.mjs` names the files and packages by the same rule. */
function hostTriple(): string {
  const { platform, arch } = process;
  if (platform === "linux") return `linux-${arch}-${isGlibc() ? "gnu" : "musl"}`;
  return platform === "win32" ? `win32-${arch}-msvc` : `${platform}-${arch}`;
}

/** Bun and Deno know `process.report` only in part; glibc is by far the likelier C library. */
function isGlibc(): boolean {
  try {
    const report = process.report as unknown as {
      excludeNetwork: boolean;
      getReport(): { header: { glibcVersionRuntime?: string } };
    };
    // Without this, the report looks up names on the network. The setting is the program's, and put back.
    const { excludeNetwork } = report;
    report.excludeNetwork = true;
    try {
      return report.getReport().header.glibcVersionRuntime !== undefined;
    } finally {
      report.excludeNetwork = excludeNetwork;
    }
  } catch {
    return true;
  }
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0] ?? message;
}
