/** The options of `LocalShellBackend`, and what the core is told of them. */

import type { JailParts, ShellParts } from "../binding/contract.js";
import { loneSurrogateAt } from "../protocol/well-formed.js";
import type { FilesystemBackendOptions } from "./filesystem-options.js";
import { absolutePath } from "./host-path.js";

/** What a jailed command may touch besides the working directory and the system's own programs. */
export interface JailOptions {
  /** Further folders and files that commands may change, and read. */
  write?: string[];
  /** Further folders and files that commands may read. */
  read?: string[];
  /** Whether commands may use the network (default false). */
  network?: boolean;
}

/** Options of {@link LocalShellBackend}, beside those of the file methods. */
export interface LocalShellBackendOptions extends FilesystemBackendOptions {
  /** Seconds that a command may take (default 120). `Infinity` for no limit. */
  timeout?: number;
  /** Bytes of output that an answer holds (default 100,000); the rest is dropped while the command runs. */
  maxOutputBytes?: number;
  /** The environment of commands (default: empty). A variable that is `undefined` is left out. */
  env?: Record<string, string | undefined>;
  /** Start from the environment of this process, as it is when the backend is made (default false). */
  inheritEnv?: boolean;
  /** Files that `LocalShellBackend.create` puts below the root. */
  initialFiles?: Record<string, string | Uint8Array>;
  /** Keep stdout and stderr in the order in which lines were finished (default false: stdout, then stderr). */
  interleave?: boolean;
  /** Commands at once (default 8); further ones wait. Waiting does not count towards `timeout`. */
  maxConcurrent?: number;
  /**
   * Let the kernel confine commands: they write below the root alone (and in a private temporary folder), read the root
   * and the system's programs, and have no network. `true`, or what they may touch besides. The backend can not be
   * made where the kernel does not offer it.
   */
  jail?: boolean | JailOptions;
}

/** What one call of `execute` may be told. */
export interface ExecuteOptions {
  /** Seconds that this command may take, in place of the backend's `timeout`. */
  timeout?: number;
  /** Ends this command when it aborts. */
  signal?: AbortSignal;
}

const DEFAULT_TIMEOUT_SECONDS = 120;
const DEFAULT_OUTPUT_BYTES = 100_000;
const DEFAULT_CONCURRENT = 8;
/** V8's strings end at about 512 MiB, and the answer has to become one. */
const MOST_OUTPUT_BYTES = 256 * 1024 * 1024;

/**
 * What the core is told, for a working directory.
 *
 * @throws TypeError for an option of the wrong type.
 */
export function shellParts(cwd: string, options: LocalShellBackendOptions): ShellParts {
  const { timeout = DEFAULT_TIMEOUT_SECONDS, maxOutputBytes = DEFAULT_OUTPUT_BYTES } = options;
  const { maxConcurrent = DEFAULT_CONCURRENT, interleave = false } = options;
  const jail = jailParts(options.jail);
  return {
    cwd,
    env: environment(options),
    timeoutMs: checked("timeout", timeout, 0) * 1000,
    maxOutputBytes: Math.min(checked("maxOutputBytes", maxOutputBytes, 0), MOST_OUTPUT_BYTES),
    maxConcurrent: Math.min(checked("maxConcurrent", maxConcurrent, 1), Number.MAX_SAFE_INTEGER),
    interleave,
    ...(jail === null ? {} : { jail }),
  };
}

/** Whether a value is a time-out: a number of seconds that is not negative. */
export function isTimeout(value: unknown): value is number {
  return typeof value === "number" && value >= 0;
}

function checked(option: string, value: unknown, least: number): number {
  if (typeof value !== "number" || !(value >= least)) {
    throw new TypeError(`${option} must be a number, and at least ${least}`);
  }
  return value;
}

function environment({ env, inheritEnv = false }: LocalShellBackendOptions): Record<string, string> {
  if (env !== undefined && env !== null && typeof env !== "object") {
    throw new TypeError(`env must be an object of strings, not ${typeof env}`);
  }
  const host = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process;
  const all = { ...(inheritEnv ? host?.env : undefined), ...env };
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(all)) {
    if (value === undefined) {
      continue;
    }
    if (typeof value !== "string") {
      throw new TypeError(`env.${name} must be a string, not ${value === null ? "null" : typeof value}`);
    }
    if (name === "" || name.includes("=") || !isPlainText(name) || !isPlainText(value)) {
      throw new TypeError(`env has a variable that no process can have: ${JSON.stringify(name)}`);
    }
    variables[name] = value;
  }
  return variables;
}

/** Whether a text can be handed to a process. */
function isPlainText(text: string): boolean {
  return !text.includes("\0") && loneSurrogateAt(text) < 0;
}

function jailParts(jail: unknown): JailParts | null {
  if (jail === undefined || jail === false) {
    return null;
  }
  if (jail !== true && (typeof jail !== "object" || jail === null)) {
    throw new TypeError("jail must be true, or an object with write, read and network");
  }
  const { write, read, network = false } = jail === true ? ({} as JailOptions) : (jail as JailOptions);
  if (typeof network !== "boolean") {
    throw new TypeError("jail.network must be a boolean");
  }
  return { write: places("jail.write", write), read: places("jail.read", read), network };
}

function places(option: string, paths: unknown): string[] {
  if (paths === undefined) {
    return [];
  }
  if (!Array.isArray(paths) || paths.some((path) => typeof path !== "string" || path === "" || !isPlainText(path))) {
    throw new TypeError(`${option} must be an array of paths`);
  }
  return paths.map((path: string) => absolutePath(path));
}
