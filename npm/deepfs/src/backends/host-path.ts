/** Paths of the machine, without an import that a browser does not have. */

interface PathModule {
  resolve(...paths: string[]): string;
}

interface HostProcess {
  cwd?: () => string;
  getBuiltinModule?: (name: string) => unknown;
}

/** A path made absolute from the working directory of the process, which an empty one stands for. */
export function absolutePath(path: string): string {
  const host = (globalThis as { process?: HostProcess }).process;
  const module = host?.getBuiltinModule?.("node:path") as PathModule | undefined;
  return module === undefined ? resolvePosix(host?.cwd?.() ?? "/", path) : module.resolve(path);
}

/** As `resolve` of `node:path/posix`; for a Node before 20.16, which has no `getBuiltinModule`. */
export function resolvePosix(base: string, path: string): string {
  const segments: string[] = [];
  for (const segment of (path.startsWith("/") ? path : `${base}/${path}`).split("/")) {
    if (segment === "..") {
      segments.pop();
    } else if (segment !== "" && segment !== ".") {
      segments.push(segment);
    }
  }
  return `/${segments.join("/")}`;
}
