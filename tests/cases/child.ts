/** Code that runs in a Node process of its own: with other limits, as another user, beside a test. */

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  error: string;
}

interface Options {
  env?: Record<string, string>;
  /** Largest file that the process may write, in units of 512 bytes. */
  fileBlocks?: number;
  args?: string[];
  /** Runs before `deepfs` is imported. */
  preload?: string;
}

/** Runs a module, with `deepfs` imported; `process.argv` from 2 on holds `args`. */
export function runNode(body: string, { env = {}, fileBlocks, args = [], preload = "" }: Options = {}): Promise<Ended> {
  const source = `${preload}\nconst deepfs = await import("deepfs");\n${body}`;
  const node = [process.execPath, "--input-type=module", "-e", source, "--", ...args];
  const limited = ["/bin/sh", "-c", `ulimit -f ${fileBlocks}; exec "$@"`, "sh", ...node];
  const [program = "", ...rest] = fileBlocks === undefined ? node : limited;
  return new Promise((resolve, reject) => {
    const child = spawn(program, rest, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended: Ended = { code: null, signal: null, out: "", error: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (ended.out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (ended.error += text));
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ ...ended, code, signal }));
  });
}

/** What a module printed as JSON. */
export async function answerOf(body: string, options: Options = {}): Promise<unknown> {
  const { code, signal, out, error } = await runNode(body, options);
  if (code !== 0) throw new Error(`the process ended with ${code ?? signal}: ${error}`);
  return JSON.parse(out) as unknown;
}
