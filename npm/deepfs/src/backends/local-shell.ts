/** Files on the disk, and commands in the system's shell. */

import { isFailure, type ShellHandle } from "../binding/contract.js";
import { getBinding } from "../binding/current.js";
import { loneSurrogate } from "../protocol/arguments.js";
import type { SandboxBackendProtocolV2 } from "../protocol/backend.js";
import { messageOf } from "../protocol/failure.js";
import type { ExecuteResponse, FileInfo, GlobResult, LsResult } from "../protocol/results.js";
import { SandboxError } from "../protocol/sandbox-error.js";
import { isWellFormed, loneSurrogateAt } from "../protocol/well-formed.js";
import { cancellable, isSignal } from "./cancellable.js";
import { FilesystemBackend } from "./filesystem.js";
import { type ExecuteOptions, isTimeout, type LocalShellBackendOptions, shellParts } from "./local-shell-options.js";

/**
 * Files on the disk, and commands in the system's shell, which work in the same folder.
 *
 * A command ends within its time-out with every process that it started, keeps what it printed until then, and costs no
 * more memory than `maxOutputBytes`. What a command leaves running in the background lives on until {@link close}.
 *
 * `virtualMode` binds the file methods alone: commands can touch whatever the user of this process can, unless `jail` is
 * on.
 *
 * @example
 * ```ts
 * const backend = await LocalShellBackend.create({ rootDir: "./workspace", virtualMode: true, jail: true });
 * const { output, exitCode } = await backend.execute("ls -la");
 * ```
 */
export class LocalShellBackend extends FilesystemBackend implements SandboxBackendProtocolV2 {
  /** Identifies the backend: `local-` and eight hexadecimal digits. */
  readonly id: string;
  private readonly shell: ShellHandle;
  private initialized = false;

  /**
   * @throws TypeError for an option of the wrong type; Error where no commands can be run, or not in the jail asked for.
   */
  constructor(options: LocalShellBackendOptions = {}) {
    const { Shell } = getBinding();
    if (Shell === undefined) {
      throw new Error("LocalShellBackend needs Node: this build of deepfs runs no commands. Use StateBackend here");
    }
    super({ globDirectories: true, ...options });
    this.id = newId();
    this.shell = new Shell(shellParts(this.cwd, options));
  }

  /**
   * Makes the root, a backend on it, and the `initialFiles`.
   *
   * @throws What the constructor throws; SandboxError when the root or a file can not be made.
   */
  static async create<Backend extends LocalShellBackend>(
    this: new (options: LocalShellBackendOptions) => Backend,
    options: LocalShellBackendOptions = {},
  ): Promise<Backend> {
    const { initialFiles = {}, ...rest } = options;
    const files = Object.entries(initialFiles).map(([path, content]): [string, Uint8Array] => [path, bytes(content)]);
    const backend = new this(rest);
    await backend.initialize();
    const refused = (await backend.uploadFiles(files)).find(({ error }) => error !== null);
    if (refused !== undefined) {
      const { path, message = refused.error } = refused;
      throw new SandboxError(`The initial file '${path}' can not be made: ${message}`, "FILE_OPERATION_FAILED");
    }
    return backend;
  }

  /** Whether {@link initialize} was called, and {@link close} not since. */
  get isInitialized(): boolean {
    return this.initialized;
  }

  /** The same as {@link isInitialized}. */
  get isRunning(): boolean {
    return this.initialized;
  }

  /**
   * Makes the root, where it is missing.
   *
   * @throws SandboxError `ALREADY_INITIALIZED` the second time; `FILE_OPERATION_FAILED` when the root can not be made.
   */
  async initialize(): Promise<void> {
    if (this.initialized) {
      throw new SandboxError(
        "This LocalShellBackend is already initialized; close it before you initialize it again.",
        "ALREADY_INITIALIZED",
      );
    }
    // Before the wait, so that of two calls at once the second is refused.
    this.initialized = true;
    try {
      await makeRoot(this.cwd);
    } catch (error) {
      this.initialized = false;
      throw error;
    }
  }

  /** Ends every command that runs, and what earlier ones left in the background. The backend can be used again. */
  async close(): Promise<void> {
    this.initialized = false;
    const problem = await this.shell.close();
    if (isFailure(problem)) {
      throw new SandboxError(problem.error, "COMMAND_FAILED");
    }
  }

  /** What is directly in a folder. Without `virtualMode`, what is below the root has a path relative to it. */
  override async ls(dirPath: string): Promise<LsResult> {
    const result = await super.ls(dirPath);
    return this.virtualMode || result.files === undefined
      ? result
      : { ...result, files: result.files.map((row) => this.fromRoot(row)) };
  }

  /**
   * Files and folders whose path below `searchPath` matches a pattern; a folder's path has no final slash. Without
   * `virtualMode`, what is below the root has a path relative to it.
   */
  override async glob(pattern: string, searchPath?: string): Promise<GlobResult> {
    const result = await super.glob(pattern, searchPath);
    if (result.files === undefined) {
      return result;
    }
    const files = result.files.map((row) => {
      const plain = row.is_dir === true ? { ...row, path: row.path.replace(/(.)\/$/, "$1") } : row;
      return this.virtualMode ? plain : this.fromRoot(plain);
    });
    return { ...result, files };
  }

  /**
   * Runs a command with `/bin/sh` in the root. Never rejects: what goes wrong is in the answer. A command that was
   * cancelled has no exit code, and the code `cancelled`.
   */
  async execute(command: string, options?: ExecuteOptions): Promise<ExecuteResponse> {
    const problem = commandProblem(command);
    if (problem !== null) {
      return refusal(problem);
    }
    const asked = parseOptions(options);
    if (typeof asked === "string") {
      return refusal(asked);
    }
    const timeoutMs = asked.timeout === undefined ? undefined : asked.timeout * 1000;
    const { output, exitCode, truncated } = await cancellable([this.signal, asked.signal], (cancel) =>
      this.shell.execute(command, timeoutMs, cancel),
    );
    const answer: ExecuteResponse = { output, exitCode, truncated };
    return exitCode === null ? { ...answer, code: "cancelled" } : answer;
  }

  /** A row whose path is relative to the root, if it is below. */
  private fromRoot(row: FileInfo): FileInfo {
    const prefix = this.cwd.endsWith("/") ? this.cwd : `${this.cwd}/`;
    return row.path.startsWith(prefix) && row.path !== prefix ? { ...row, path: row.path.slice(prefix.length) } : row;
  }
}

function newId(): string {
  const random = crypto.getRandomValues(new Uint8Array(4));
  return `local-${Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

async function makeRoot(root: string): Promise<void> {
  try {
    await getBinding().makeFolder?.(root);
  } catch (error) {
    const cause = error instanceof Error ? error : undefined;
    const reason = (cause as { code?: string } | undefined)?.code ?? messageOf(error);
    throw new SandboxError(
      `The working directory (rootDir) can not be made: ${reason}`,
      "FILE_OPERATION_FAILED",
      cause,
    );
  }
}

/** @throws TypeError for a content that is neither text nor bytes. */
function bytes(content: unknown): Uint8Array {
  if (content instanceof Uint8Array) {
    return content;
  }
  if (typeof content !== "string" || !isWellFormed(content)) {
    throw new TypeError("initialFiles must be texts (without lone surrogates) or bytes");
  }
  return new TextEncoder().encode(content);
}

/** What is wrong with a command, beyond what the core refuses. */
function commandProblem(command: unknown): string | null {
  if (typeof command !== "string" || command === "") {
    return "Error: Command must be a non-empty string.";
  }
  const at = loneSurrogateAt(command);
  return at < 0 ? null : `Error: ${loneSurrogate("Command", at)}.`;
}

/** The options of a call, or what is wrong with them. */
function parseOptions(options: unknown): ExecuteOptions | string {
  if (typeof options !== "object" || options === null) {
    return {};
  }
  try {
    const { timeout, signal } = options as { timeout?: unknown; signal?: unknown };
    if (timeout !== undefined && timeout !== null && !isTimeout(timeout)) {
      return "Error: timeout must be a number of seconds that is not negative.";
    }
    if (signal !== undefined && signal !== null && !isSignal(signal)) {
      return "Error: signal must be an AbortSignal.";
    }
    const asked: ExecuteOptions = {};
    if (isTimeout(timeout)) {
      asked.timeout = timeout;
    }
    if (isSignal(signal)) {
      asked.signal = signal;
    }
    return asked;
  } catch {
    return "Error: The options of the command can not be read.";
  }
}

function refusal(sentence: string): ExecuteResponse {
  return { output: sentence, exitCode: 1, truncated: false };
}
