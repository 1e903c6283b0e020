/** `LocalShellBackend` beside that of `deepagents`: its members, its output, its paths. */

import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { LocalShellBackend as Peer } from "deepagents";
import { isSandboxBackend, LocalShellBackend, SandboxError } from "deepfs";
import * as wasm from "deepfs/wasm";
import { describe, expect, test } from "vitest";
import { fault } from "../support/fault.js";
import { testFolder } from "../support/folder.js";

const ENV = { PATH: "/usr/bin:/bin" };

describe("output", () => {
  const COMMANDS = [
    "echo hi",
    "true",
    "false",
    "exit 3",
    "echo out; echo err >&2",
    "echo err >&2; exit 2",
    "printf 'no newline'; printf 'e1\\ne2\\n' >&2; exit 1",
    "no-such-command",
    "kill -9 $$",
    "echo '   ' >&2",
    "echo; echo; exit 4",
    "printf 'a\\n\\n'; printf '\\n\\n' >&2",
    "printf '\\n\\n  x  \\n\\n' >&2",
    "env | sort",
    "pwd",
    "printf 'é€😀'",
    "printf '\\377'",
    "echo $0",
  ];
  test.each(COMMANDS)("as upstream: %s", async (command) => {
    const { ws } = testFolder();
    const options = { rootDir: ws, env: { ...ENV, B: "1" } };
    expect(await new LocalShellBackend(options).execute(command)).toEqual(await new Peer(options).execute(command));
  });

  test.each(["seq 1000", "seq 1000; exit 9", "seq 20 >&2", "printf %20s x", "printf %21s x", "seq 1000 >&2; exit 1"])(
    "as upstream, cut: %s",
    async (command) => {
      const { ws } = testFolder();
      const options = { rootDir: ws, env: ENV, maxOutputBytes: 20 };
      expect(await new LocalShellBackend(options).execute(command)).toEqual(await new Peer(options).execute(command));
    },
  );

  test("no command at all is answered as upstream", async () => {
    const { ws } = testFolder();
    const [own, peer] = [new LocalShellBackend({ rootDir: ws }), new Peer({ rootDir: ws })];
    for (const nothing of ["", undefined, null, 42, {}, ["ls"]] as string[]) {
      expect(await own.execute(nothing)).toEqual(await peer.execute(nothing));
    }
  });

  test("the cap counts bytes and cuts between characters", async () => {
    const { ws } = testFolder();
    const backend = new LocalShellBackend({ rootDir: ws, maxOutputBytes: 5 });
    expect(await backend.execute("printf 'ééé'")).toEqual({
      output: "éé\n\n... Output truncated at 5 bytes.",
      exitCode: 0,
      truncated: true,
    });
  });
});

describe("members", () => {
  test("a life as upstream's", async () => {
    const { top } = testFolder();
    const root = join(top, "new/deep");
    const backend = new LocalShellBackend({ rootDir: root });
    expect(backend.id).toMatch(/^local-[0-9a-f]{8}$/);
    expect(new LocalShellBackend().id).not.toBe(backend.id);
    expect(isSandboxBackend(backend)).toBe(true);
    expect([backend.isInitialized, backend.isRunning, existsSync(root)]).toEqual([false, false, false]);
    await backend.initialize();
    expect([backend.isInitialized, backend.isRunning, existsSync(root)]).toEqual([true, true, true]);
    await expect(backend.initialize()).rejects.toSatisfy(
      (error) => SandboxError.isInstance(error) && error.code === "ALREADY_INITIALIZED",
    );
    await backend.close();
    expect([backend.isInitialized, backend.isRunning]).toEqual([false, false]);
    expect(await backend.execute("echo on")).toEqual({ output: "on\n", exitCode: 0, truncated: false });
    await backend.initialize();
    expect(backend.isRunning).toBe(true);
  });

  test("a root that can not be made is an error of the sandbox", async () => {
    const { file } = testFolder();
    const backend = new LocalShellBackend({ rootDir: `${file("plain", "")}/below` });
    await expect(backend.initialize()).rejects.toMatchObject({
      code: "FILE_OPERATION_FAILED",
      message: "The working directory (rootDir) can not be made: ENOTDIR",
    });
    expect(backend.isInitialized).toBe(false);
  });

  test("create makes the root and the files, also for a subclass", async () => {
    const { top } = testFolder();
    class Mine extends LocalShellBackend {}
    const root = join(top, "created");
    const initialFiles = { "a/b.txt": "hi", "/c.bin": new Uint8Array([0, 255]) };
    const backend = await Mine.create({ rootDir: root, virtualMode: true, initialFiles });
    expect(backend).toBeInstanceOf(Mine);
    expect(backend.isRunning).toBe(true);
    expect(readFileSync(join(root, "a/b.txt"), "utf8")).toBe("hi");
    expect([...readFileSync(join(root, "c.bin"))]).toEqual([0, 255]);
    const outside = { rootDir: root, virtualMode: true, initialFiles: { "/../x": "" } };
    await expect(LocalShellBackend.create(outside)).rejects.toMatchObject({ code: "FILE_OPERATION_FAILED" });
    await expect(LocalShellBackend.create({ initialFiles: { "/x": "\uD83D" } })).rejects.toThrow(TypeError);
  });

  test("wrong options are refused when the backend is made", () => {
    const wrong: [object, RegExp][] = [
      [{ timeout: -1 }, /^timeout must be/],
      [{ timeout: Number.NaN }, /^timeout must be/],
      [{ timeout: "5" }, /^timeout must be/],
      [{ maxOutputBytes: -1 }, /^maxOutputBytes must be/],
      [{ maxConcurrent: 0 }, /^maxConcurrent must be/],
      [{ env: "PATH=/bin" }, /^env must be/],
      [{ env: { A: 1 } }, /^env\.A must be a string/],
      [{ env: { "A=B": "" } }, /^env has a variable that no process can have: "A=B"/],
      [{ env: { A: "a\0b" } }, /^env has a variable/],
      [{ jail: "yes" }, /^jail must be/],
      [{ jail: { write: "/x" } }, /^jail\.write must be/],
      [{ jail: { network: 1 } }, /^jail\.network must be/],
      [{ signal: {} }, /^signal must be/],
      [{ rootDir: 7 }, /^rootDir must be/],
    ];
    for (const [options, sentence] of wrong) {
      expect(() => new LocalShellBackend(options as never)).toThrow(sentence);
      expect(() => new LocalShellBackend(options as never)).toThrow(TypeError);
    }
  });

  test("the environment is the one given, or also this process's", async () => {
    const env = { A: "1", B: undefined, PATH: process.env["PATH"] };
    const own = await new LocalShellBackend({ env }).execute("echo $A-$B-$HOME");
    expect(own.output).toBe("1--\n");
    const inherited = await new LocalShellBackend({ inheritEnv: true, env: { A: "1" } }).execute("echo $A $PATH");
    expect(inherited.output).toBe(`1 ${process.env["PATH"]}\n`);
  });

  test("the WASM build says that it runs no commands", () => {
    expect(() => new wasm.LocalShellBackend()).toThrow(
      "LocalShellBackend needs Node: this build of deepfs runs no commands. Use StateBackend here",
    );
  });
});

describe("paths", () => {
  function tree() {
    const folder = testFolder();
    for (const path of ["ws/a.txt", "ws/src/b.ts", "ws/src/deep/c.ts", "ws/empty/x/y", "secret/key.txt"]) {
      folder.file(path, "x");
    }
    symlinkSync("src", join(folder.ws, "link"));
    return folder;
  }
  const rows = (result: { files?: { path: string; is_dir?: boolean; size?: number }[] }) =>
    result.files?.map(({ path, is_dir, size }) => `${path} ${is_dir} ${size}`).sort();

  test.each([true, false])("ls and glob as upstream, virtualMode %s", async (virtualMode) => {
    const { ws } = tree();
    const own = new LocalShellBackend({ rootDir: ws, virtualMode });
    const peer = new Peer({ rootDir: ws, virtualMode });
    for (const path of virtualMode
      ? ["/", "", ".", "src", "/src", "/nope"]
      : ["", ".", "src", ws, `${ws}/src`, "nope"]) {
      expect(rows(await own.ls(path)), path).toEqual(rows(await peer.ls(path)));
    }
    const patterns = ["*", "/*", "**", "**/*", "src", "src/*", "**/*.ts", "s*", "{src,a.txt}", "nope", "src/**"];
    for (const pattern of patterns) {
      expect(rows(await own.glob(pattern)), pattern).toEqual(rows(await peer.glob(pattern)));
    }
  });

  test("paths of a glob below a folder can be read, and their order is that of ls", async () => {
    const { ws } = tree();
    for (const virtualMode of [true, false]) {
      const backend = new LocalShellBackend({ rootDir: ws, virtualMode });
      const { files } = await backend.glob("**/*", virtualMode ? "/src" : "src");
      const paths = ["src/b.ts", "src/deep", "src/deep/c.ts"].map((path) => (virtualMode ? `/${path}` : path));
      expect(files?.map(({ path }) => path)).toEqual(paths);
      expect(await backend.read(paths[0] ?? "")).toMatchObject({ content: "x" });
      expect((await backend.ls(paths[1] ?? "")).files).toMatchObject([{ path: paths[2] }]);
    }
  });

  test("a pattern that ends in a slash finds folders alone, and links to folders as what they are", async () => {
    const { ws } = tree();
    const backend = new LocalShellBackend({ rootDir: ws });
    const paths = async (pattern: string) => (await backend.glob(pattern)).files?.map(({ path }) => path);
    expect(await paths("**/")).toEqual(["empty", "empty/x", "link", "src", "src/deep"]);
    expect(await paths("*/")).toEqual(["empty", "link", "src"]);
  });

  test("globDirectories: false leaves folders out", async () => {
    const { ws } = tree();
    const backend = new LocalShellBackend({ rootDir: ws, virtualMode: true, globDirectories: false });
    expect((await backend.glob("*")).files?.map(({ path }) => path)).toEqual(["/a.txt"]);
  });

  test("a missing file is named as the caller named it", async () => {
    const { ws } = tree();
    for (const virtualMode of [true, false]) {
      const backend = new LocalShellBackend({ rootDir: ws, virtualMode });
      const code = "file_not_found";
      expect(await backend.read("nope.txt")).toEqual({ error: "File 'nope.txt' not found", code });
      expect(await backend.readRaw("nope.txt")).toEqual({ error: "File 'nope.txt' not found", code });
      expect(await backend.edit("nope.txt", "a", "b")).toEqual({ error: "Error: File 'nope.txt' not found", code });
      expect(await backend.delete("nope.txt")).toEqual({ error: "Error: File 'nope.txt' not found", code });
    }
  });

  fault("glob-localshell-escape", { kind: "containment", target: "LocalShellBackend, contained" }, async () => {
    const { top, ws } = tree();
    symlinkSync(join(top, "secret"), join(ws, "out"));
    const backend = new LocalShellBackend({ rootDir: ws, virtualMode: true });
    for (const path of ["/../secret", "/out", "../secret", "/src/../../secret"]) {
      const { files = [] } = await backend.glob("*", path);
      expect(files, path).toEqual([]);
    }
    for (const pattern of ["../secret/*", "out/*", "**/key.txt", "out/**"]) {
      expect((await backend.glob(pattern)).files ?? [], pattern).toEqual([]);
    }
  });

  fault("write-nested-host", { kind: "paths", target: "LocalShellBackend, contained" }, async () => {
    const { ws } = testFolder();
    const backend = new LocalShellBackend({ rootDir: ws, virtualMode: true });
    const pwd = (await backend.execute("pwd")).output.trim();
    expect(pwd).toBe(ws);
    expect((await backend.write(`${pwd}/fib.py`, "x")).error).toBeUndefined();
    expect(readFileSync(join(ws, "fib.py"), "utf8")).toBe("x");
    expect(existsSync(join(ws, ws))).toBe(false);
  });
});
