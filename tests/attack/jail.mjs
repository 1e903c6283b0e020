// Hostile commands in the jail: each is refused, and what is outside stays as it is.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { forbidden, PRELUDE } from "./forbidden.mjs";

const SECRET = "the secret outside";
/** How the system says no. */
const REFUSED = /permission denied|not permitted|not supported|invalid cross-device link/i;

/** @returns {Promise<import("./report.mjs").Section>} */
export async function attackTheJail({ attacked, all = forbidden() }) {
  const scene = await makeScene();
  const failures = [];
  const { Shell } = attacked;
  const jail = { write: [], read: [], network: false };
  const env = {
    PATH: "/usr/bin:/bin",
    O: scene.outside,
    HOST: String(process.pid),
    PORT: String(scene.port),
    UNIX: scene.unix,
  };
  const commands = all.filter(({ python }) => !python || existsSync("/usr/bin/python3"));
  let refused = 0;
  try {
    const shell = new Shell({ cwd: scene.root, env, timeoutMs: 30_000, maxOutputBytes: 100_000, jail });
    writeFileSync(join(scene.root, "prelude.py"), PRELUDE);
    const works = await shell.execute("echo in > own && cat own && /bin/ls own");
    if (works.output !== "in\nown\n") failures.push(`the jail does not let a command do its work: ${works.output}`);
    for (const { about, command } of commands) {
      const { output, exitCode } = await shell.execute(command);
      const name = `${about}: ${command.split("\n").at(-1)}`;
      if (exitCode === 0) failures.push(`${name}: was not refused: ${output}`);
      else if (!REFUSED.test(output)) failures.push(`${name}: failed for another reason: ${output}`);
      else refused += 1;
      if (output.includes(SECRET)) failures.push(`${name}: shows the secret`);
    }
    await shell.close();
    failures.push(...scene.changes());
  } finally {
    scene.remove();
  }
  return {
    name: "jail",
    attacked: `${commands.length} forbidden commands in the jail, ${refused} refused`,
    promise: "all refused, nothing outside changed",
    failures,
    notes: commands.length < all.length ? ["python3 is not installed: only the shell's commands were tried"] : [],
  };
}

/** A root, a secret beside it, and servers that nobody may reach. */
async function makeScene() {
  const top = mkdtempSync(join(tmpdir(), "deepfs-attack-jail-"));
  const [root, outside] = [join(top, "root"), join(top, "outside")];
  mkdirSync(root);
  mkdirSync(outside);
  const secret = join(outside, "secret");
  writeFileSync(secret, SECRET, { mode: 0o644 });
  symlinkSync(secret, join(root, "link"));
  symlinkSync(outside, join(root, "folder"));
  const facts = () => {
    const { mode, uid, mtimeMs, ctimeMs, nlink } = statSync(secret);
    return JSON.stringify([mode, uid, mtimeMs, ctimeMs, nlink, readFileSync(secret, "utf8"), readdirSync(outside)]);
  };
  let connections = 0;
  const servers = await Promise.all(
    [0, join(outside, "socket")].map((where) => listen(where, () => (connections += 1))),
  );
  const before = facts();
  return {
    root,
    outside,
    port: servers[0].address().port,
    unix: join(outside, "socket"),
    changes() {
      const found = [];
      if (facts() !== before) found.push(`outside was changed: ${facts()}, before ${before}`);
      if (connections > 0) found.push(`${connections} connections were made`);
      const made = readdirSync(tmpdir()).filter((name) => name.startsWith("deepfs-jail-escape"));
      if (made.length > 0) found.push(`the temporary folder has ${made.join(", ")}`);
      return found;
    },
    remove() {
      for (const server of servers) server.close();
      rmSync(top, { recursive: true, force: true });
    },
  };
}

function listen(where, onConnection) {
  const server = createServer((socket) => {
    onConnection();
    socket.destroy();
  });
  return new Promise((resolve) => server.listen(...(where === 0 ? [0, "127.0.0.1"] : [where]), () => resolve(server)));
}
