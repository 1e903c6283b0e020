/** `FilesystemPermission` rules in front of a backend, below the agent's tools. */

import { isFailure } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import { joinKeys } from "../binding/keys.js";
import type {
  AnyBackendProtocol,
  BackendProtocolV2,
  FilesystemOperation,
  FilesystemPermission,
} from "../protocol/types.js";
import { guardPaths, type PathRules } from "./path-guard.js";
import { covers } from "./routes.js";
import { toWrap, type Wrapper } from "./wrapper.js";

/** What changes how {@link withPermissions} works. */
export interface PermissionOptions {
  /**
   * A command can reach any path, whatever the rules say.
   * - `"allow"` (default): `execute` stays as it is.
   * - `"deny"`: the wrapper runs no commands.
   * - `"scoped"`: it stays only where every rule lies in a route of a composite, which commands do not see; else the
   *   construction throws, as the upstream's middleware does.
   */
  execute?: "allow" | "deny" | "scoped";
}

/**
 * Enforces rules on every method of a backend: the first rule that names the operation and matches the path decides,
 * no rule means allowed.
 *
 * The rules see the normalised path, and where it leads once links are followed. Listings and searches leave out what
 * may not be read; a folder is deleted only if all that it holds may be written. Between the check and the call a link
 * can be changed by someone who may write to the folder: rules are no sandbox against a process on the same disk.
 *
 * ```ts
 * const guarded = withPermissions(backend, [{ operations: ["read", "write"], paths: ["/secrets/**"], mode: "deny" }]);
 * ```
 *
 * @throws When a rule is not one: no absolute glob, an unknown operation or mode.
 */
export function withPermissions<Backend extends AnyBackendProtocol, Options extends PermissionOptions>(
  backend: Backend,
  rules: readonly FilesystemPermission[],
  options?: Options,
): Options extends { execute: "deny" } ? BackendProtocolV2 : Wrapper<Backend>;
export function withPermissions(
  backend: AnyBackendProtocol,
  rules: readonly FilesystemPermission[],
  options: PermissionOptions = {},
): BackendProtocolV2 {
  const wrapped = toWrap(backend, "withPermissions");
  for (const rule of rules) checkRule(rule);
  const execute = options.execute ?? "allow";
  if (execute === "scoped" && wrapped.execute !== undefined && !allScoped(rules, backend)) {
    throw new Error(
      "withPermissions: commands can reach every path that the rules name; scope each rule to a route of a " +
        "CompositeBackend, or set execute to 'deny' or 'allow'",
    );
  }
  return guardPaths(wrapped, compileRules(rules), execute === "deny" ? null : (wrapped.execute ?? null));
}

function compileRules(rules: readonly FilesystemPermission[]): PathRules {
  const isWriteDeny = (rule: FilesystemPermission): boolean =>
    rule.mode === "deny" && rule.operations.includes("write");
  return {
    guarded: rules.filter(isWriteDeny).flatMap((rule) => rule.paths.map(literalStart)),
    allows: (operation, paths) => decide(rules, operation, paths),
  };
}

/** For each path whether the rules allow the operation. */
function decide(
  rules: readonly FilesystemPermission[],
  operation: FilesystemOperation,
  paths: readonly string[],
): boolean[] {
  const allowed = paths.map((path) => rules.length === 0 || isCheckable(path));
  let open = [...paths.keys()].filter((index) => allowed[index]);
  for (const rule of rules) {
    if (open.length === 0) break;
    if (!rule.operations.includes(operation)) continue;
    const matched = new Set<number>();
    for (const pattern of rule.paths) {
      for (const at of matching(
        open.map((index) => paths[index] ?? ""),
        pattern,
      ))
        matched.add(open[at] ?? -1);
    }
    if (rule.mode === "deny") for (const index of matched) allowed[index] = false;
    open = open.filter((index) => !matched.has(index));
  }
  return allowed;
}

/**
 * The folder that paths are matched below. The core's matcher passes over what is inside a `.git` unless the search
 * names it; rules must not pass over anything, and a search that starts in one names it.
 */
const BASE = "/.git";

/** The core's limit for a path, in bytes, less what {@link BASE} takes. */
const LONGEST_PATH = 4096 - BASE.length;

/** Whether the matcher can look at a path. One that it can not is denied: no rule must be passed by. */
function isCheckable(path: string): boolean {
  return path.length * 3 <= LONGEST_PATH || new TextEncoder().encode(path).length <= LONGEST_PATH;
}

/**
 * Indices of the paths that an absolute glob matches. In a rule `/a/**` speaks of `/a` too: who may not touch what is in
 * a folder may not touch the folder. Not so where a star is before the final `**`: that says "in folders".
 */
function matching(paths: readonly string[], pattern: string): number[] {
  const folder = pattern.replace(/(\/\*\*)+$/, "");
  const all = folder === pattern || folder === "" || folder.endsWith("*") ? [pattern] : [pattern, folder];
  return all.flatMap((one) => matchingExactly(paths, one));
}

function matchingExactly(paths: readonly string[], pattern: string): number[] {
  const keys = joinKeys(paths.map((path) => BASE + path));
  const matched = getBinding().rules.globKeys(keys, pattern, BASE, false);
  // Can not be: patterns are checked when the rules are set. Going on would open what a rule closes.
  if (isFailure(matched)) throw new Error(matched.error);
  const below = [...matched].filter((index) => paths[index] !== "/");
  if (!ROOT_PATTERN.test(pattern)) return below;
  return [...below, ...[...paths.keys()].filter((index) => paths[index] === "/")];
}

/** Patterns that match the root itself, which has no name that the matcher could look at. */
const ROOT_PATTERN = /^\/(\*\*(\/\*\*)*)?$/;

const MAGIC = /[*?[\]{}()!+@\\]/;

/** The longest leading path of an absolute glob that has no wildcard. */
function literalStart(pattern: string): string {
  const segments = pattern.split("/").filter((segment) => segment !== "");
  const magic = segments.findIndex((segment) => MAGIC.test(segment));
  return `/${(magic < 0 ? segments : segments.slice(0, magic)).join("/")}`;
}

function checkRule(rule: FilesystemPermission): void {
  const { operations, paths, mode = "allow" } = rule;
  const wrong = (problem: string): Error => new Error(`withPermissions: ${problem}`);
  if (!Array.isArray(operations) || operations.some((name) => name !== "read" && name !== "write")) {
    throw wrong(`a rule's operations are "read" and "write", not ${JSON.stringify(operations)}`);
  }
  if (mode !== "allow" && mode !== "deny")
    throw wrong(`a rule's mode is "allow" or "deny", not ${JSON.stringify(mode)}`);
  if (!Array.isArray(paths)) throw wrong("a rule's paths must be an array of absolute globs");
  for (const path of paths as unknown[]) {
    const segments = typeof path === "string" && path.startsWith("/") ? path.split("/") : null;
    if (segments === null) throw wrong(`a rule's path must be an absolute glob, not ${JSON.stringify(path)}`);
    if (segments.includes("..") || segments.includes("~")) {
      throw wrong(`a rule's path must not hold ".." or "~": ${JSON.stringify(path)}`);
    }
    const compiled = getBinding().rules.globKeys("", path as string, BASE, false);
    if (isFailure(compiled)) throw wrong(`a rule's path is not a glob: ${compiled.error}`);
  }
}

function allScoped(rules: readonly FilesystemPermission[], backend: AnyBackendProtocol): boolean {
  const prefixes = (backend as { routePrefixes?: unknown }).routePrefixes;
  if (!Array.isArray(prefixes)) return false;
  const roots = prefixes.map((prefix) => String(prefix).replace(/\/+$/, ""));
  return rules.every((rule) => rule.paths.every((path) => roots.some((root) => root !== "" && covers(root, path))));
}
