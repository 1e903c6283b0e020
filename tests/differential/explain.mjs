// The intended differences as predicates. Each has its name in docs/COMPAT.md; the first that applies explains a difference.

import micromatch from "micromatch";

import { plain } from "./compare.mjs";

const text = (bytes) => new TextDecoder().decode(bytes);
const normal = (path) =>
  "/" +
  String(path ?? "")
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
const isUtf8 = (bytes) => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
};
const knownBinary = (path) => /\.(png|pdf|mp3|gif)$/i.test(path);
const isText = (path, bytes) => isUtf8(bytes) && !bytes.includes(0) && !knownBinary(path);
const isFolder = (files, path) => path === "/" || [...files.keys()].some((file) => file.startsWith(path + "/"));
const pathOf = (method, args) => ({ glob: args[1] ?? "/", grep: args[1] ?? "/" })[method] ?? args[0];
const rows = (result) =>
  (result.files ?? result.matches ?? []).map((row) =>
    JSON.stringify([row.path, row.is_dir, row.line, row.text, row.size]),
  );
const sameRows = (one, other) => JSON.stringify(rows(one).toSorted()) === JSON.stringify(rows(other).toSorted());
const without = (result, drop) => ({
  ...result,
  ...(result.files && { files: result.files.filter((row) => !drop(row)) }),
  ...(result.matches && { matches: result.matches.filter((row) => !drop(row)) }),
});
/** Matches as they are without the carriage returns of CRLF files. */
const withoutReturns = (result) => ({
  ...result,
  matches: (result.matches ?? []).map((row) => ({ ...row, text: row.text.replace(/\r$/, "") })),
});
const hidden = (row) => row.path.includes("/.");
const failed = (result) => result.error !== undefined || result.threw !== undefined;
const codeIs = (result, ...codes) => result.error !== undefined && codes.includes(result.code);
const single = ["ls", "read", "readRaw", "write", "edit", "delete", "glob", "grep"];
const transfers = ["uploadFiles", "downloadFiles"];

/** Name and predicate over `{ kind, method, args, ours, theirs, files, oursAfter, theirsAfter }`. */
const DIFFERENCES = [
  ["nul", ({ method, args }) => single.includes(method) && String(pathOf(method, args)).includes("\0")],
  [
    "delete-root",
    ({ method, args, ours }) => method === "delete" && normal(args[0]) === "/" && codeIs(ours, "root_refused"),
  ],
  [
    "invalid-path",
    ({ method, args, ours, theirs }) =>
      ["ls", "glob", "grep"].includes(method) &&
      codeIs(ours, "invalid_path") &&
      rows(theirs).length === 0 &&
      String(pathOf(method, args)).split("/").includes(".."),
  ],
  [
    "normalised",
    ({ kind, method, args, ours }) =>
      kind === "state" &&
      single.includes(method) &&
      String(pathOf(method, args)).split("/").includes("..") &&
      codeIs(ours, "invalid_path"),
  ],
  ["normalised", ({ method, args }) => single.includes(method) && spelledOddly(pathOf(method, args))],
  [
    "dotdot-segment",
    ({ method, args, theirs }) =>
      !transfers.includes(method) &&
      args.some((arg) => typeof arg === "string" && dotted(arg)) &&
      (failed(theirs) || rows(theirs).length === 0),
  ],
  [
    "file-and-folder",
    ({ kind, method, args, ours, files }) =>
      kind === "state" &&
      ["write", "uploadFiles"].includes(method) &&
      clashes(files, method === "write" ? [args[0]] : args[0].map(([path]) => path)) &&
      (Array.isArray(ours) || failed(ours)),
  ],
  [
    "directory",
    ({ method, args, ours, files }) =>
      ["read", "readRaw", "edit", "write"].includes(method) &&
      codeIs(ours, "is_directory") &&
      isFolder(files, normal(args[0])),
  ],
  ["messages", ({ theirs }) => theirs.threw !== undefined],
  ["messages", eachTransfer((one, other) => one.error !== null && other.error !== null)],
  ["dotdot-segment", eachTransfer((one, other) => dotted(one.path) && other.error !== null)],
  [
    "arguments",
    ({ method, args }) =>
      method === "read" && [args[1], args[2]].some((number) => number !== undefined && !Number.isFinite(number)),
  ],
  [
    "fields",
    ({ method, args, ours, theirs }) =>
      method === "read" && args[2] !== undefined && Math.floor(args[2]) === 0 && ours.content === theirs.content,
  ],
  [
    "blank-lines",
    ({ kind, method, args, ours, files }) =>
      kind === "disk" &&
      method === "read" &&
      blank(files.get(normal(args[0]))) &&
      !String(ours.content).startsWith("System reminder"),
  ],
  [
    "write-content",
    ({ method, args, ours }) =>
      method === "write" && knownBinary(args[0]) && (codeIs(ours, "invalid_content") || !failed(ours)),
  ],
  ["text-or-binary", ({ method, args, files }) => ["read", "readRaw"].includes(method) && notText(files, args[0])],
  ["edit-bytes", ({ method, args, files }) => method === "edit" && notText(files, args[0])],
  ["no-change", ({ method, args, ours }) => method === "edit" && args[1] === args[2] && codeIs(ours, "no_change")],
  ["overlap", ({ method, args, ours }) => method === "edit" && codeIs(ours, "ambiguous") && overlaps(args[1])],
  [
    "crlf",
    ({ method, args, files }) =>
      method === "edit" && /\r/.test(args[1] + text(files.get(normal(args[0])) ?? new Uint8Array())),
  ],
  [
    "file-and-folder",
    eachTransfer(
      (one, other, { kind, args, files }) =>
        kind === "state" &&
        one.error !== null &&
        clashes(
          files,
          args[0].map(([path]) => path),
        ),
    ),
  ],
  // A file and a folder of one name in one batch: the files are made in the order given, so the first one stays.
  [
    "file-and-folder",
    ({ method, args }) =>
      method === "uploadFiles" &&
      clashes(
        new Map(),
        args[0].map(([path]) => path),
      ),
  ],
  [
    "text-or-binary",
    ({ kind, method, ours, theirs, args, oursAfter }) =>
      kind === "state" &&
      method === "uploadFiles" &&
      same(ours, theirs) &&
      args[0].some(([path]) => notText(oursAfter, path)),
  ],
  ["text-or-binary", eachTransfer((one, other, { kind, files }) => kind === "state" && notText(files, one.path))],
  ["glob-slash", ({ kind, method, args }) => kind === "state" && method === "glob" && /^!?(\.?\/)/.test(args[0])],
  ["glob-file", ({ method, args, files }) => method === "glob" && files.has(normal(args[1]))],
  // One alternative that goes below a file takes the finds of the others with it upstream.
  [
    "glob-file",
    ({ kind, method, args, theirs, files }) =>
      kind === "disk" && method === "glob" && rows(theirs).length === 0 && goesBelowAFile(files, args),
  ],
  ["grep-empty", ({ method, args, ours }) => method === "grep" && args[0] === "" && codeIs(ours, "invalid_argument")],
  ["grep-newline", ({ method, args, ours }) => method === "grep" && /[\n]/.test(args[0]) && rows(ours).length === 0],
  [
    "order",
    ({ method, ours, theirs }) =>
      ["ls", "glob", "grep"].includes(method) && sameRows(ours, theirs) && ours.truncated === theirs.truncated,
  ],
  [
    "empty-folders",
    ({ kind, method, ours, theirs, files }) =>
      kind === "disk" &&
      method === "ls" &&
      sameRows(without(ours, emptyFolder(files)), without(theirs, emptyFolder(files))),
  ],
  [
    "size-bytes",
    ({ kind, method, ours, theirs }) =>
      kind === "state" &&
      ["ls", "glob"].includes(method) &&
      JSON.stringify(paths(ours).toSorted()) === JSON.stringify(paths(theirs).toSorted()),
  ],
  [
    "glob-syntax",
    ({ method, args, theirs }) => method === "glob" && args[0].startsWith("!") && rows(theirs).length === 0,
  ],
  ["glob-syntax", ({ method, args }) => method === "glob" && escapesRoot(args[0])],
  // Nothing but exclamation marks excludes nothing and names nothing: a mistake, and said to be one.
  [
    "glob-syntax",
    ({ method, args, ours }) => method === "glob" && /^!+$/.test(args[0]) && codeIs(ours, "invalid_argument"),
  ],
  ["glob-syntax", ({ kind, method, args }) => kind === "state" && method === "glob" && args[0].includes("[!")],
  // A folder such as `(g)` matches itself; upstream reads it as a group.
  [
    "glob-syntax",
    ({ method, args, ours, theirs }) =>
      method === "glob" &&
      args[0].includes("(") &&
      (paths(theirs).every((path) => paths(ours).includes(path)) ||
        paths(ours).every((path) => paths(theirs).includes(path))),
  ],
  // `src/**` is what lies below `src`; upstream's matcher for state takes a file `src` too.
  [
    "glob-syntax",
    ({ kind, method, args, ours, theirs }) =>
      kind === "state" &&
      method === "glob" &&
      args[0].endsWith("/**") &&
      paths(theirs).filter((path) => !paths(ours).includes(path)).length <= 1,
  ],
  [
    "surrogate",
    ({ method, args, ours }) =>
      args.some((arg) => typeof arg === "string" && !arg.isWellFormed()) &&
      codeIs(ours, "invalid_content", "invalid_path", "invalid_argument") &&
      method !== "ls",
  ],
  [
    "grep-one-file",
    ({ kind, method, args, files, ours }) =>
      kind === "disk" &&
      method === "grep" &&
      files.has(normal(args[1])) &&
      paths(ours).every((path) => path === normal(args[1])),
  ],
  ["grep-glob", ({ method, args }) => method === "grep" && typeof args[2] === "string" && /[/!{]|\*\*/.test(args[2])],
  [
    "grep-binary",
    ({ method, ours, theirs, files, args }) =>
      method === "grep" &&
      (args[3] ?? null) === null &&
      sameRows(without(ours, odd(files)), without(theirs, odd(files))),
  ],
  ["grep-crlf", ({ method, ours, theirs }) => method === "grep" && sameRows(ours, withoutReturns(theirs))],
  // A filter such as `*` takes names that begin with a dot, as it does in a glob.
  [
    "grep-glob",
    ({ method, args, ours, theirs }) =>
      method === "grep" &&
      typeof args[2] === "string" &&
      sameRows(without(ours, hidden), withoutReturns(without(theirs, hidden))),
  ],
  // Line ends and files that are not UTF-8 in one answer.
  [
    "grep-binary",
    ({ method, ours, theirs, files, args }) =>
      method === "grep" &&
      (args[3] ?? null) === null &&
      sameRows(without(ours, odd(files)), withoutReturns(without(theirs, odd(files)))),
  ],
  [
    "grep-max",
    ({ method, args, ours }) => method === "grep" && (args[3] ?? null) !== null && rows(ours).length <= args[3],
  ],
];

/** A difference of `uploadFiles` and `downloadFiles`, when every file's answer is the same or `applies`. */
function eachTransfer(applies) {
  return (seen) =>
    transfers.includes(seen.method) &&
    pairs(seen.ours, seen.theirs).every(([one, other]) => same(one, other) || applies(one, other, seen));
}

export const NAMES = [...new Set(DIFFERENCES.map(([name]) => name))];

/** The name of the intended difference, or null. */
export function explain(seen) {
  const found = DIFFERENCES.find(([, applies]) => applies(seen));
  return found === undefined ? null : found[0];
}

function spelledOddly(path) {
  return typeof path === "string" && path !== normal(path);
}

/** Whether an alternative of the pattern has a file of the tree among its leading folders. */
function goesBelowAFile(files, [pattern, base]) {
  const alternatives = micromatch.braces(pattern, { expand: true });
  return (
    alternatives.length > 1 &&
    alternatives.some((alternative) => {
      const folders = alternative.split("/").slice(0, -1);
      return folders.some((_, count) => files.has(normal([base ?? "", ...folders.slice(0, count + 1)].join("/"))));
    })
  );
}

function clashes(files, paths) {
  const all = [...files.keys(), ...paths.map(normal)];
  return paths
    .map(normal)
    .some((path) => all.some((other) => other.startsWith(path + "/") || path.startsWith(other + "/")));
}

function notText(files, path) {
  const bytes = files.get(normal(path));
  return bytes !== undefined && !isText(normal(path), bytes);
}

function odd(files) {
  return (row) => {
    const bytes = files.get(row.path);
    return bytes !== undefined && !isText(row.path, bytes);
  };
}

/** Folders without files: only one side may have them left from calls before. */
function emptyFolder(files) {
  return (row) => row.is_dir && !isFolder(files, row.path.slice(0, -1));
}

function blank(bytes) {
  return bytes !== undefined && bytes.length > 0 && text(bytes).trim() === "";
}

function overlaps(part) {
  return Array.from({ length: part.length - 1 }, (_, at) => part.slice(at + 1)).some((tail) => part.startsWith(tail));
}

function dotted(path) {
  return path.includes("..") && !path.split("/").includes("..");
}

function escapesRoot(pattern) {
  return /(^|[/{,])\.\.($|[/,}])/.test(pattern);
}

function paths(result) {
  return (result.files ?? result.matches ?? []).map((row) => row.path);
}

function pairs(ours, theirs) {
  return Array.isArray(ours) && Array.isArray(theirs) && ours.length === theirs.length
    ? ours.map((one, at) => [one, theirs[at]])
    : [[ours, theirs]];
}

function same(one, other) {
  return JSON.stringify(plain("", [one].flat())) === JSON.stringify(plain("", [other].flat()));
}
