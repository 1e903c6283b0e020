// Looks at the machine's processes by other means than the shell under attack.

import { readFileSync, readdirSync } from "node:fs";

/** The command lines of living processes whose environment or command line holds the mark. */
export function processesWith(mark) {
  return numbersWith(mark).map((pid) => `${pid} ${read(pid, "cmdline").replaceAll("\0", " ").trim().slice(0, 120)}`);
}

/** Ends what has survived, so that it is not in the way of what comes next. */
export function endProcesses(mark) {
  for (const pid of numbersWith(mark)) {
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
}

function numbersWith(mark) {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => isAlive(pid) && (read(pid, "environ").includes(mark) || read(pid, "cmdline").includes(mark)));
}

function isAlive(pid) {
  const stat = read(pid, "stat");
  return stat !== "" && !["Z", "X"].includes(stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3));
}

function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
