/** Which backend of a composite a path belongs to. Everything here works on normalised paths. */

import { getBinding } from "../binding/current.js";
import { isFailure } from "../binding/contract.js";
import type { BackendProtocolV2 } from "../protocol/types.js";
import { stateStorage } from "./state-storage.js";

/** A backend and the folder that it is seen at. */
export interface Mount {
  /** The folder without its final slash; empty for the root. */
  readonly root: string;
  /** Brought up to version 2 of the protocol. */
  readonly backend: BackendProtocolV2;
  /** As the caller gave it. */
  readonly given: object;
}

/** The mounts of one composite. */
export interface Routes {
  /** Where paths go that no mount covers. */
  readonly base: Mount;
  /** Longest root first, so that the first that covers a path is the nearest. */
  readonly mounts: readonly Mount[];
}

/** Where a path leads. */
export interface Location {
  readonly mount: Mount;
  /** The path as the composite's caller knows it. */
  readonly outer: string;
  /** The path as the mount's backend knows it. */
  readonly inner: string;
}

/**
 * A key of the routes as a normalised folder without final slash; empty for the root.
 *
 * @throws When the key cannot be a folder.
 */
export function routeRoot(key: string): string {
  const parsed = getBinding().rules.parsePath("ls", key);
  if (isFailure(parsed)) {
    throw new Error(`CompositeBackend: the route ${JSON.stringify(key)} is not a folder: ${parsed.error}`);
  }
  return parsed.path === "/" ? "" : parsed.path;
}

/** Puts mounts in the order of search. A mount at the root takes the place of the default for files. */
export function arrangeRoutes(fallback: Mount, mounts: readonly Mount[]): Routes {
  const base = mounts.find((mount) => mount.root === "") ?? fallback;
  const below = mounts.filter((mount) => mount.root !== "");
  return { base, mounts: below.sort((a, b) => b.root.length - a.root.length) };
}

/** Whether `path` is the folder `root` or lies below it, however the letters of either are composed. */
export function covers(root: string, path: string): boolean {
  if (path === root || path.startsWith(`${root}/`)) return true;
  const [composedRoot, composedPath] = [composed(root), composed(path)];
  if (composedRoot === root && composedPath === path) return false;
  return composedPath === composedRoot || composedPath.startsWith(`${composedRoot}/`);
}

/** A path as names are compared: backends find a name by its letters, not by how these are composed. */
export function composed(path: string): string {
  return PLAIN.test(path) ? path : path.normalize("NFC");
}

/** Text that has one spelling. */
const PLAIN = /^[\0-\x7f]*$/;

/** `path` with the folders on the way to a mount spelt as the route spells them. */
export function respelt(routes: Routes, path: string): string {
  if (PLAIN.test(path) && routes.mounts.every((mount) => PLAIN.test(mount.root))) return path;
  const names = path.split("/");
  let longest: string[] = [];
  for (const { root } of routes.mounts) {
    const folders = root.split("/");
    const differs = folders.findIndex((folder, at) => composed(folder) !== composed(names[at] ?? ""));
    const same = folders.slice(0, differs < 0 ? folders.length : differs);
    if (same.length > longest.length) longest = same;
  }
  return [...longest, ...names.slice(longest.length)].join("/");
}

/** The nearest mount that covers `path`. */
export function locate(routes: Routes, spelling: string): Location {
  const path = respelt(routes, spelling);
  const mount = routes.mounts.find((candidate) => covers(candidate.root, path)) ?? routes.base;
  return { mount, outer: path, inner: innerPath(routes, mount, path) };
}

/** The mounts strictly below the folder `path`. */
export function mountsBelow(routes: Routes, path: string): Mount[] {
  const prefix = path === "/" ? "/" : `${path}/`;
  return routes.mounts.filter((mount) => mount.root.startsWith(prefix));
}

/** Whether `path` is a folder because a mount is there or below. */
export function isMountFolder(routes: Routes, path: string): boolean {
  return routes.mounts.some((mount) => covers(path === "/" ? "" : path, mount.root));
}

/**
 * Whether a row that the backend of `mount` gave is hidden: a nearer mount covers its path, or its name is a folder
 * above a mount.
 */
export function isShadowed(routes: Routes, mount: Mount, path: string): boolean {
  const plain = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  for (const other of routes.mounts) {
    if (other === mount || other.root.length <= mount.root.length) continue;
    if (covers(other.root, plain)) return true;
    if (plain === path && covers(plain, other.root)) return true;
  }
  return false;
}

/**
 * The path that stands for the mount's root inside its backend; empty for the backend's own root.
 *
 * All `StateBackend`s of one run keep their files in the same place. Where two of them meet in one composite, each
 * keeps the full path, so that no file is seen twice.
 */
function rootInside(routes: Routes, mount: Mount): string {
  if (mount.root === "") return "";
  const storage = stateStorage(mount.given);
  if (storage === undefined) return "";
  const shared = [routes.base, ...routes.mounts].some(
    (other) => other !== mount && stateStorage(other.given) === storage,
  );
  return shared ? mount.root : "";
}

/** A path of the composite as the mount's backend knows it. */
export function innerPath(routes: Routes, mount: Mount, outer: string): string {
  const inner = rootInside(routes, mount) + outer.slice(mount.root.length);
  return inner === "" ? "/" : inner;
}

/**
 * Turns paths that the mount's backend gives into those that the composite's caller knows; `undefined` for one that is
 * not the mount's. Made once for a call: where the files are is asked for only then.
 */
export function outerPaths(routes: Routes, mount: Mount): (inner: string) => string | undefined {
  if (mount.root === "") return (inner) => inner;
  const inside = rootInside(routes, mount);
  return (inner) => {
    const rooted = inner.startsWith("/") ? inner : `/${inner}`;
    if (inside !== "" && !covers(inside, rooted)) return undefined;
    return mount.root + rooted.slice(inside.length);
  };
}
