/**
 * A PostgreSQL server of the tests' own: Debian's `postgresql`, in a temporary folder, on a free port of 127.0.0.1.
 *
 *   const server = await startPostgres();
 *   … server.url …
 *   await server.stop();
 *
 * PostgreSQL refuses to run as root, so a root caller starts it as the user `postgres`. Where the programs are missing
 * and the caller is root on a machine with apt-get, the package is installed first.
 */

import { execFile } from "node:child_process";
import { access, chown, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const DEBIAN_HOME = "/usr/lib/postgresql";

/** Starts a server with an empty database. `stop` ends it and removes its folder. */
export async function startPostgres() {
  const programs = await programsFolder();
  const folder = await mkdtemp(join(tmpdir(), "deepfs-postgres-"));
  const data = join(folder, "data");
  const user = await serverUser();
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  const as = { ...user, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8", HOME: folder } };

  await run(join(programs, "initdb"), ["-D", data, "-U", "deepfs", "-A", "trust", "-E", "UTF8", "--no-sync"], as);
  await writeFile(
    join(data, "postgresql.auto.conf"),
    // A test database may forget everything when the machine stops.
    ["fsync = off", "synchronous_commit = off", "full_page_writes = off", "max_connections = 100"].join("\n") + "\n",
  );
  const port = await freePort();
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`;
  const log = join(folder, "log");
  try {
    await run(join(programs, "pg_ctl"), ["-D", data, "-l", log, "-w", "-t", "60", "-o", options, "start"], as);
  } catch (error) {
    const said = await readFile(log, "utf8").catch(() => "");
    await rm(folder, { recursive: true, force: true });
    throw new Error(`PostgreSQL did not start: ${error.message}\n${said}`, { cause: error });
  }

  let stopped = false;
  return {
    port,
    url: `postgresql://deepfs@127.0.0.1:${port}/postgres`,
    async stop() {
      if (stopped) return;
      stopped = true;
      await run(join(programs, "pg_ctl"), ["-D", data, "-w", "-m", "immediate", "stop"], as).catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The folder of `initdb` and `pg_ctl`: the newest of Debian's, else what PATH leads to. */
async function programsFolder() {
  const found = await findPrograms();
  if (found !== undefined) return found;
  if (process.getuid?.() !== 0) {
    throw new Error("PostgreSQL is not installed: install Debian's package `postgresql` and run again.");
  }
  const quiet = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, maxBuffer: 64 << 20 };
  await run("apt-get", ["update", "-q"], quiet).catch(() => undefined);
  await run("apt-get", ["install", "-y", "-q", "--no-install-recommends", "postgresql"], quiet);
  const installed = await findPrograms();
  if (installed === undefined) throw new Error("apt-get installed `postgresql`, but no initdb was found.");
  return installed;
}

async function findPrograms() {
  const versions = await readdir(DEBIAN_HOME).catch(() => []);
  const newestFirst = versions.filter((name) => /^\d+$/.test(name)).sort((a, b) => Number(b) - Number(a));
  const folders = newestFirst.map((version) => join(DEBIAN_HOME, version, "bin"));
  for (const folder of [...folders, ...(process.env.PATH ?? "").split(":")]) {
    if (folder !== "" && (await isThere(join(folder, "initdb"))) && (await isThere(join(folder, "pg_ctl")))) {
      return folder;
    }
  }
  return undefined;
}

async function isThere(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** The user `postgres` for a caller that is root; undefined: run as the caller. */
async function serverUser() {
  if (process.getuid?.() !== 0) return undefined;
  const lines = (await readFile("/etc/passwd", "utf8")).split("\n");
  const fields = lines.find((line) => line.startsWith("postgres:"))?.split(":");
  if (fields === undefined) throw new Error("There is no user `postgres` to run PostgreSQL as.");
  return { uid: Number(fields[2]), gid: Number(fields[3]) };
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
