/** Commands behind the kernel's walls. What the walls hold in detail is tested in `crates/host/tests`. */

import { createServer } from "node:net";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LocalShellBackend } from "deepfs";
import { describe, expect, onTestFinished, test } from "vitest";
import { testFolder } from "../support/folder.js";

const env = { PATH: "/usr/bin:/bin" };

/** A server that counts who comes, on a port of its own. */
async function server(): Promise<{ port: number; visits: () => number }> {
  let visits = 0;
  const listening = createServer((socket) => {
    visits += 1;
    socket.end("hello\n");
  });
  await new Promise<void>((ready) => listening.listen(0, "127.0.0.1", ready));
  onTestFinished(() => void listening.close());
  return { port: (listening.address() as { port: number }).port, visits: () => visits };
}

const connect = (port: number) =>
  `python3 -c 'import socket; print(socket.create_connection(("127.0.0.1", ${port}), 5).recv(9).decode(), end="")'`;

describe.runIf(process.platform === "linux")("jail: true", () => {
  test("what lies in the root and the system's programs work", async () => {
    const { ws, file } = testFolder();
    file("ws/in.txt", "inside\n");
    const backend = new LocalShellBackend({ rootDir: ws, env, jail: true });
    onTestFinished(() => backend.close());
    const command =
      'cat in.txt | tr a-z A-Z > out.txt && mkdir d && mv out.txt d && cat d/out.txt && echo t > "$TMPDIR/t" && cat "$TMPDIR/t"';
    expect(await backend.execute(command)).toEqual({ output: "INSIDE\nt\n", exitCode: 0, truncated: false });
    expect((await backend.execute("python3 -c 'import json, hashlib; print(json.dumps(1))'")).output).toBe("1\n");
    expect(readFileSync(join(ws, "d/out.txt"), "utf8")).toBe("INSIDE\n");
  });

  test("writing outside is refused", async () => {
    const { top, ws, file } = testFolder();
    const victim = file("beside/victim.txt", "whole");
    const backend = new LocalShellBackend({ rootDir: ws, env, jail: true });
    onTestFinished(() => backend.close());
    const attempts = [
      `echo x > ${top}/new.txt`,
      `echo x > ${victim}`,
      `echo x > ../beside/victim.txt`,
      `ln -s ${victim} link; echo x > link`,
      `ln ${victim} hard`,
      `rm ${victim}`,
      `mv ${victim} taken`,
      `truncate -s 0 ${victim}`,
      `chmod 777 ${victim}`,
      "echo x > /tmp/deepfs-jail-test",
    ];
    for (const attempt of attempts) {
      expect((await backend.execute(attempt)).exitCode, attempt).not.toBe(0);
    }
    expect(readFileSync(victim, "utf8")).toBe("whole");
    expect(existsSync(join(top, "new.txt"))).toBe(false);
    expect(existsSync("/tmp/deepfs-jail-test")).toBe(false);
  });

  test("reading outside is refused", async () => {
    const { ws, file } = testFolder();
    const secret = file("beside/secret.txt", "TOP SECRET");
    const backend = new LocalShellBackend({ rootDir: ws, env, jail: true });
    onTestFinished(() => backend.close());
    for (const attempt of [
      `cat ${secret}`,
      `cp ${secret} .`,
      "ls /root",
      "ls /home",
      "cat /etc/shadow",
      "cat /proc/1/environ",
    ]) {
      const { output, exitCode } = await backend.execute(attempt);
      expect(exitCode, attempt).not.toBe(0);
      expect(output).not.toContain("TOP SECRET");
    }
  });

  test("the network is refused, and another process is out of reach", async () => {
    const { ws } = testFolder();
    const { port, visits } = await server();
    const jailed = new LocalShellBackend({ rootDir: ws, env, jail: true });
    onTestFinished(() => jailed.close());
    expect((await jailed.execute(connect(port))).exitCode).not.toBe(0);
    expect((await jailed.execute(`kill -0 ${process.pid}`)).exitCode).not.toBe(0);
    expect(visits()).toBe(0);
    const free = new LocalShellBackend({ rootDir: ws, env });
    expect((await free.execute(connect(port))).output).toBe("hello\n");
    expect((await free.execute(`kill -0 ${process.pid}`)).exitCode).toBe(0);
  });

  test("what the options allow works, and nothing beside it", async () => {
    const { top, ws, file } = testFolder();
    const { port } = await server();
    file("beside/data.txt", "data\n");
    file("cache/old.txt", "old\n");
    const jail = { read: [join(top, "beside")], write: [join(top, "cache")], network: true };
    const backend = new LocalShellBackend({ rootDir: ws, env, jail });
    onTestFinished(() => backend.close());
    expect((await backend.execute("cat ../beside/data.txt")).output).toBe("data\n");
    expect((await backend.execute("echo x > ../beside/data.txt")).exitCode).not.toBe(0);
    expect((await backend.execute("cat ../cache/old.txt; echo new > ../cache/new.txt")).exitCode).toBe(0);
    expect(readFileSync(join(top, "cache/new.txt"), "utf8")).toBe("new\n");
    expect((await backend.execute(connect(port))).output).toBe("hello\n");
  });

  test("the time-out holds behind the walls", async () => {
    const { ws } = testFolder();
    const backend = new LocalShellBackend({ rootDir: ws, env, jail: true, timeout: 0.5 });
    onTestFinished(() => backend.close());
    const start = performance.now();
    const { output, exitCode } = await backend.execute("echo on; trap '' TERM; setsid sleep 30 & sleep 30");
    expect({ output, exitCode }).toEqual({
      output: "on\n\nError: Command timed out after 0.5 seconds.",
      exitCode: 124,
    });
    expect(performance.now() - start).toBeLessThan(2500);
  });
});

test.runIf(process.platform === "linux")("create makes the folder that the jail is around", async () => {
  const { top } = testFolder();
  const rootDir = join(top, "later");
  expect(await new LocalShellBackend({ rootDir, env, jail: true }).execute("echo hi")).toEqual({
    output: "Error executing command: the working directory (rootDir) does not exist",
    exitCode: 1,
    truncated: false,
  });
  expect(() => new LocalShellBackend({ rootDir: "/", jail: true })).toThrow(
    "The jail for commands cannot be set up: it would allow writing to the whole file system.",
  );
  const backend = await LocalShellBackend.create({ rootDir, env, jail: true, initialFiles: { "a.txt": "a\n" } });
  onTestFinished(() => backend.close());
  expect((await backend.execute("cat a.txt")).output).toBe("a\n");
});

// A jail in a jail cannot be: the system is one that does not offer what is needed, and says so.
test.runIf(process.platform === "linux")("where the kernel does not offer it, the backend cannot be made", async () => {
  const { ws } = testFolder();
  const root = new URL("../../", import.meta.url).pathname;
  const outer = new LocalShellBackend({ rootDir: ws, env, jail: { read: [root, process.execPath] }, timeout: 60 });
  onTestFinished(() => outer.close());
  const script = `
    const { LocalShellBackend } = require(${JSON.stringify(join(root, "node_modules/deepfs/dist/node.cjs"))});
    try { new LocalShellBackend({ jail: true }); console.log("made"); } catch (error) { console.log(error.message); }
  `;
  const { output } = await outer.execute(`'${process.execPath}' -e '${script.replaceAll("'", `'\\''`)}'`);
  expect(output).toMatch(/^The jail for commands cannot be set up: .+\.\n$/);
});
