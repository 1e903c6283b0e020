/** A backend seen from one of its folders: paths go in below the folder, and come out without it. */

type Call = (...args: unknown[]) => unknown;
type Into = (path: unknown) => unknown;

/** Which argument of a method is the path. */
const PATH_AT: Record<string, number> = { ls: 0, read: 0, readRaw: 0, write: 0, edit: 0, delete: 0, glob: 1, grep: 1 };

/**
 * @param folder - An absolute path without a slash at its end.
 * @param relative - What a path without a leading slash is relative to: the folder already, or the root.
 */
export function below(backend: object, folder: string, relative: "to the folder" | "to the root"): object {
  const into: Into = (path) => {
    if (typeof path !== "string") return path ?? folder;
    if (path.startsWith("/")) return folder + path;
    return relative === "to the folder" ? path : `${folder.slice(1)}/${path}`;
  };
  return new Proxy(backend, {
    get(target, name) {
      const method = Reflect.get(target, name) as unknown;
      if (typeof method !== "function" || typeof name !== "string") return method;
      return async (...args: unknown[]) =>
        shortened(await (method as Call).apply(target, moved(name, args, into)), folder);
    },
  });
}

function moved(name: string, args: unknown[], into: Into): unknown[] {
  if (name === "downloadFiles") return [(args[0] as unknown[]).map(into)];
  if (name === "uploadFiles") return [(args[0] as [unknown, unknown][]).map(([path, bytes]) => [into(path), bytes])];
  const at = PATH_AT[name];
  if (at === undefined) return args;
  const all = [...args];
  all[at] = into(all[at]);
  return all;
}

/** A result with the folder taken off the paths and sentences in it; contents of files are left alone. */
function shortened(value: unknown, folder: string): unknown {
  if (Array.isArray(value)) return value.map((item) => shortened(item, folder));
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  const fields = Object.entries(value).map(([name, field]) => {
    if (name === "path" || name === "error") return [name, without(field, folder)];
    return [name, name === "content" || name === "text" ? field : shortened(field, folder)];
  });
  return Object.fromEntries(fields) as unknown;
}

function without(text: unknown, folder: string): unknown {
  if (typeof text !== "string") return text;
  const bare = `${folder.slice(1)}/`;
  return (text.startsWith(bare) ? text.slice(bare.length) : text)
    .replaceAll(`'${bare}`, "'")
    .replaceAll(`${folder}/`, "/")
    .replaceAll(folder, "/");
}
