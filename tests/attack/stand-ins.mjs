// What the attack must find fault with, for `--self-test`: a backend and a shell made of Node's own calls, with no care taken.
// Nobody uses them for anything else.

import { execFile } from "node:child_process";
import { appendFile, lstat, mkdir, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Follows every link, writes in place, and edits without asking who else does. */
export class PlainBackend {
  #root;

  constructor(root) {
    this.#root = root;
  }

  read(path) {
    return this.#answer(async () => ({ content: await readFile(this.#host(path), "utf8") }));
  }

  readRaw(path) {
    return this.#answer(async () => ({ data: { content: await readFile(this.#host(path), "utf8") } }));
  }

  write(path, content) {
    return this.#answer(async () => {
      await mkdir(dirname(this.#host(path)), { recursive: true });
      await writeSlowly(this.#host(path), Buffer.from(content));
      return { path };
    });
  }

  edit(path, oldString, newString) {
    return this.#answer(async () => {
      const text = await readFile(this.#host(path), "utf8");
      if (!text.includes(oldString)) return { error: "not found", code: "not_found" };
      await writeSlowly(this.#host(path), Buffer.from(text.replaceAll(oldString, newString)));
      return { path, occurrences: 1 };
    });
  }

  ls(path) {
    return this.#answer(async () => {
      const names = await readdir(this.#host(path));
      const files = names.map(async (name) => ({ path: join(path, name), size: await this.#size(join(path, name)) }));
      return { files: await Promise.all(files) };
    });
  }

  glob(_pattern, path) {
    return this.ls(path);
  }

  grep(pattern, path) {
    return this.#answer(async () => {
      const names = await readdir(this.#host(path));
      const texts = names.map((name) => readFile(this.#host(join(path, name)), "utf8").catch(() => ""));
      return { matches: (await Promise.all(texts)).filter((text) => text.includes(pattern)) };
    });
  }

  delete(path) {
    return this.#answer(async () => {
      if (path === "/") return { error: "the root", code: "invalid_path" };
      await lstat(this.#host(path));
      await rm(this.#host(path), { recursive: true });
      return { path };
    });
  }

  uploadFiles(files) {
    return Promise.all(files.map(([path, bytes]) => this.write(path, bytes)));
  }

  downloadFiles(paths) {
    return Promise.all(paths.map((path) => this.read(path)));
  }

  #host(path) {
    return join(this.#root, path);
  }

  async #size(path) {
    const { size } = await stat(this.#host(path)).catch(() => ({ size: 0 }));
    return size;
  }

  async #answer(work) {
    return work().catch(({ code }) => ({ error: code, code }));
  }
}

/** In place, and in two parts, so that whoever looks or kills in between finds half a file. */
async function writeSlowly(file, bytes) {
  const half = Math.ceil(bytes.length / 2);
  await writeFile(file, bytes.subarray(0, half));
  await sleep(5);
  await appendFile(file, bytes.subarray(half));
}

/** Ends the shell alone when time is up, and confines nothing. */
export class PlainShell {
  #options;

  constructor({ cwd, env, timeoutMs, maxOutputBytes }) {
    this.#options = { cwd, env, timeout: timeoutMs, killSignal: "SIGKILL", maxBuffer: maxOutputBytes };
  }

  execute(command) {
    return new Promise((resolve) => {
      const child = execFile("/bin/sh", ["-c", command], this.#options, () => {});
      let output = "";
      const collect = (chunk) => {
        output += chunk;
      };
      child.stdout.on("data", collect);
      child.stderr.on("data", collect);
      // Nobody waits for what holds the streams open.
      child.on("exit", (code) => setImmediate(() => resolve({ output, exitCode: code ?? 124 })));
    });
  }

  async close() {}
}
