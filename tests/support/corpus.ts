/**
 * Runs the corpus (`tests/corpus/cases/*.json`) over any backend. No Node module is imported here: the same file runs in a
 * browser page. `crates/testkit` is its twin in Rust.
 */

export type CorpusContent = string | { hex: string } | { base64: string } | { repeat: string; times: number };

export interface CorpusStep {
  call: string;
  args: unknown[];
  result: unknown;
}

export interface CorpusCase {
  key: string;
  about: string;
  /** The kind of fault it guards against, one row of the table of counts. */
  kind?: string;
  only?: string[];
  /** The name in `docs/COMPAT.md` of the intended difference it is about, for the differential run. */
  differs?: string;
  options?: Record<string, unknown>;
  files?: Record<string, CorpusContent>;
  steps: CorpusStep[];
  after?: Record<string, CorpusContent>;
}

/** What a backend must be able to do to be a target. */
export interface CorpusBackend {
  uploadFiles(files: [string, Uint8Array][]): unknown;
  downloadFiles(paths: string[]): unknown;
  glob(pattern: string, path?: string): unknown;
}

export interface CorpusTarget {
  /** The row in the table of counts. */
  name: string;
  /** Groups that a case's `only` may name. */
  groups: string[];
  dialect: "disk" | "state";
  /** Options of a case that this target can not have; cases with them do not apply. */
  lacks?: string[];
  /** Kinds of cases that do not apply here. */
  lacksKinds?: string[];
  /** Cases that do not apply here, by key. */
  lacksCases?: string[];
  /** Answers name a path in its normal form, however it was spelt; where relative ones stay so, with no slash in front. */
  normalises?: "to absolute" | "as spelt";
  /** An empty backend with these options, for one case. */
  open(options: Record<string, unknown>): Promise<{ backend: object; close?: () => unknown }>;
}

export interface CorpusReport {
  target: string;
  passed: number;
  failed: string[];
  notApplicable: number;
}

export async function runCorpus(cases: CorpusCase[], target: CorpusTarget): Promise<CorpusReport> {
  const report: CorpusReport = { target: target.name, passed: 0, failed: [], notApplicable: 0 };
  for (const one of cases) {
    if (!applies(one, target)) {
      report.notApplicable += 1;
      continue;
    }
    const difference = await runCase(one, target);
    if (difference === null) report.passed += 1;
    else report.failed.push(`${one.key}: ${difference}`);
  }
  return report;
}

export function applies(one: CorpusCase, target: CorpusTarget): boolean {
  const lacking = Object.keys(one.options ?? {}).some((option) => target.lacks?.includes(option));
  if (target.lacksKinds?.includes(one.kind ?? "other") || target.lacksCases?.includes(one.key)) return false;
  return !lacking && (one.only === undefined || one.only.some((name) => target.groups.includes(name)));
}

/** The first difference, or null. */
export async function runCase(one: CorpusCase, target: CorpusTarget): Promise<string | null> {
  const { backend, close } = await target.open(one.options ?? {});
  try {
    const calls = backend as Record<string, (...args: unknown[]) => unknown> & CorpusBackend;
    const setUp = Object.entries(one.files ?? {}).map(([path, content]): [string, Uint8Array] => [
      path,
      bytesOf(content),
    ]);
    if (setUp.length > 0) await calls.uploadFiles(setUp);
    for (const [at, step] of one.steps.entries()) {
      const method = calls[step.call];
      if (method === undefined) return `step ${at}: the backend has no ${step.call}`;
      const actual = plain(await method.apply(backend, step.args.map(argument)));
      const wanted = expected(step.result, target.dialect);
      const found = difference(
        target.normalises === undefined ? wanted : respelt(wanted, step.args[0], target.normalises),
        actual,
      );
      if (found !== null) return `step ${at} (${step.call}): ${found}`;
    }
    if (one.after === undefined) return null;
    const after = Object.entries(one.after).map(([path, content]) => [path, toHex(bytesOf(content))]);
    return difference(Object.fromEntries(after), await everything(calls));
  } catch (error) {
    return `threw ${String(error)}`;
  } finally {
    await close?.();
  }
}

/** Every file with its bytes. */
async function everything(backend: CorpusBackend): Promise<Record<string, string>> {
  const { files = [] } = (await backend.glob("**/{*,.git/**}", "/")) as { files?: { path: string }[] };
  const paths = files.map((file) => file.path);
  const contents = (await backend.downloadFiles(paths)) as { path: string; content: Uint8Array | null }[];
  return Object.fromEntries(contents.map(({ path, content }) => [path, content === null ? "missing" : toHex(content)]));
}

/** A result without what differs by design: the state update, an empty list beside an error, `undefined` fields. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return { hex: toHex(value) };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([name, field]) => {
    const empty = Array.isArray(field) && field.length === 0;
    const beside = "error" in value && typeof value.error === "string" && "code" in value;
    return (
      name !== "filesUpdate" &&
      field !== undefined &&
      !(empty && beside) &&
      !(name === "message" || (name === "code" && "path" in value))
    );
  });
  return Object.fromEntries(fields.map(([name, field]) => [name, plain(field)]));
}

function expected(result: unknown, dialect: "disk" | "state"): unknown {
  const byDialect = typeof result === "object" && result !== null && "disk" in result && "state" in result;
  return byDialect ? (result as Record<string, unknown>)[dialect] : result;
}

/** An expected result that names the path of the call in its normal form. */
function respelt(result: unknown, path: unknown, form: "to absolute" | "as spelt"): unknown {
  if (typeof path !== "string" || typeof result !== "object" || result === null || Array.isArray(result)) return result;
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  if (names.includes("..")) return result;
  const slash = form === "to absolute" || path.startsWith("/") || names.length === 0 ? "/" : "";
  const normal = slash + names.join("/");
  const { error, path: named } = result as { error?: unknown; path?: unknown };
  if (typeof error === "string") return { ...result, error: error.replace(`'${path}'`, () => `'${normal}'`) };
  return named === path ? { ...result, path: normal } : result;
}

/** Where two values differ. In the expected one `<time>` stands for any ISO time and `<text>` for any text. */
export function difference(want: unknown, got: unknown, place = "result"): string | null {
  if (want === "<text>" && typeof got === "string") return null;
  if (want === "<time>" && typeof got === "string")
    return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(got) ? null : `${place}: expected a time, got ${got}`;
  if (typeof want !== "object" || typeof got !== "object" || want === null || got === null) {
    return Object.is(want, got) ? null : `${place}: expected ${JSON.stringify(want)}, got ${JSON.stringify(got)}`;
  }
  if (Array.isArray(want) !== Array.isArray(got))
    return `${place}: expected ${JSON.stringify(want)}, got ${JSON.stringify(got)}`;
  const names = [...new Set([...Object.keys(want), ...Object.keys(got)])];
  for (const name of names) {
    if (!(name in want)) return `${place}.${name}: not expected; got ${JSON.stringify(got)}`;
    if (!(name in got)) return `${place}.${name}: missing; got ${JSON.stringify(got)}`;
    const [wanted, gotten] = [want, got].map((side) => (side as Record<string, unknown>)[name]);
    const found = difference(wanted, gotten, `${place}.${name}`);
    if (found !== null) return found;
  }
  return null;
}

function argument(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(argument);
  if (typeof value !== "object" || value === null) return value;
  return "hex" in value || "base64" in value || "repeat" in value ? bytesOf(value as CorpusContent) : value;
}

export function bytesOf(content: CorpusContent): Uint8Array {
  if (typeof content === "string") return new TextEncoder().encode(content);
  if ("repeat" in content) return new TextEncoder().encode(content.repeat.repeat(content.times));
  if ("base64" in content) return Uint8Array.from(atob(content.base64), (char) => char.charCodeAt(0));
  const digits = content.hex.replace(/\s/g, "");
  return Uint8Array.from({ length: digits.length / 2 }, (_, at) =>
    Number.parseInt(digits.slice(at * 2, at * 2 + 2), 16),
  );
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
