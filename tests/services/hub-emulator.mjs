/**
 * An emulator of the six LangSmith routes that Context Hub consists of, on 127.0.0.1: there is no real Hub without
 * internet, so the real `langsmith` client talks to this. It keeps commits per repository and answers a commit whose
 * parent is not the latest one with a real 409.
 *
 *   const hub = await startHubEmulator();
 *   const client = new Client({ apiUrl: hub.url, apiKey: "emulator" });
 *   await hub.stop();
 *
 * | step | route |
 * |---|---|
 * | settings | GET /settings |
 * | exists | GET /repos/{owner}/{name} |
 * | create | POST /repos/ |
 * | pull | GET /v1/platform/hub/repos/{owner}/{name}/directories |
 * | commit | POST /v1/platform/hub/repos/{owner}/{name}/directories/commits |
 * | delete | DELETE /v1/platform/hub/repos/{owner}/{name}/directories |
 */

import { createHash } from "node:crypto";
import { createServer } from "node:http";

export const EMULATED_TENANT = "emulated-tenant";
const HANDLE = /^[a-z][a-z0-9-_]*$/;

/** Starts the emulator. `handle` of a request may be replaced through `intercept` to stage failures. */
export async function startHubEmulator() {
  /** Repositories by handle: `{ commits: [{ hash, files }] }`. */
  const repos = new Map();
  const log = [];
  const hub = {
    url: "",
    repos,
    /** Every request: `{ method, path, status, body }`. */
    log,
    /**
     * Stages an answer to a call in place of the emulator's own; `drop` breaks the connection.
     * @type {undefined | ((call: { method?: string, path: string, body: any }) => undefined | { status: number, body: unknown, drop?: boolean })}
     */
    intercept: undefined,
    /** Milliseconds before each answer. */
    latencyMs: 0,
    commits: () => log.filter((entry) => entry.path.endsWith("/directories/commits")),
    pulls: () => log.filter((entry) => entry.method === "GET" && entry.path.endsWith("/directories")),
    /** Commits files as another client would: strings, entries, or null to remove. */
    commit(name, changes) {
      const repo = repos.get(name) ?? { commits: [] };
      repos.set(name, repo);
      return addCommit(repo, changes);
    },
    /** The files of the latest commit. */
    files: (name) => ({ ...repos.get(name)?.commits.at(-1)?.files }),
    stop: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };

  const server = createServer(async (request, response) => {
    const url = new URL(request.url, "http://emulator");
    const text = await bodyOf(request);
    const call = { method: request.method, path: url.pathname, query: url.searchParams, body: parsed(text) };
    if (hub.latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, hub.latencyMs));
    const staged = await hub.intercept?.(call);
    const answer = staged ?? (request.headers["x-api-key"] === undefined ? refusal(401, "no key") : route(repos, call));
    log.push({ method: call.method, path: call.path, status: answer.status, body: call.body });
    if (answer.drop === true) {
      response.destroy();
      return;
    }
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(JSON.stringify(answer.body));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  hub.url = `http://127.0.0.1:${server.address().port}`;
  return hub;
}

function route(repos, { method, path, query, body }) {
  if (method === "GET" && path === "/settings") {
    return {
      status: 200,
      body: { id: "emulated-organization", display_name: "Emulator", tenant_handle: EMULATED_TENANT },
    };
  }
  if (method === "POST" && (path === "/repos/" || path === "/repos")) return create(repos, body);
  const repoPath = /^\/repos\/([^/]+)\/([^/]+)$/.exec(path);
  if (method === "GET" && repoPath !== null)
    return known(repos, repoPath[1], repoPath[2], () => ({ status: 200, body: {} }));

  const directory = /^\/v1\/platform\/hub\/repos\/([^/]+)\/([^/]+)\/directories(\/commits)?$/.exec(path);
  if (directory === null) return refusal(404, "no such route in the emulator");
  const [, owner, name, commits] = directory;
  if (method === "GET" && commits === undefined) {
    return known(repos, owner, name, (repo) => pull(repo, query.get("commit")));
  }
  if (method === "POST" && commits !== undefined) return known(repos, owner, name, (repo) => commit(repo, body));
  if (method === "DELETE" && commits === undefined) {
    return known(repos, owner, name, () => {
      repos.delete(name);
      return { status: 200, body: {} };
    });
  }
  return refusal(405, "method not allowed");
}

function known(repos, owner, name, answer) {
  const repo = repos.get(name);
  if (repo === undefined || (owner !== "-" && owner !== EMULATED_TENANT)) return refusal(404, "repo not found");
  return answer(repo);
}

function create(repos, body) {
  if (!HANDLE.test(body?.repo_handle ?? "")) return refusal(422, "invalid repo_handle");
  if (repos.has(body.repo_handle)) return refusal(409, "repo exists");
  repos.set(body.repo_handle, { commits: [] });
  return { status: 200, body: { repo: { repo_handle: body.repo_handle } } };
}

function pull(repo, wanted) {
  const found = wanted === null ? repo.commits.at(-1) : repo.commits.find(({ hash }) => hash.startsWith(wanted));
  if (found === undefined) return refusal(404, "no commits");
  return { status: 200, body: { commit_id: found.hash, commit_hash: found.hash, files: found.files } };
}

function commit(repo, body) {
  const latest = repo.commits.at(-1);
  const parent = body.parent_commit;
  if (parent !== undefined && (latest === undefined || !latest.hash.startsWith(parent))) {
    return refusal(409, "parent commit is not the latest commit");
  }
  return { status: 200, body: { commit: { commit_hash: addCommit(repo, body.files) } } };
}

function addCommit(repo, changes) {
  const files = { ...repo.commits.at(-1)?.files };
  for (const [path, entry] of Object.entries(changes)) {
    if (entry === null) delete files[path];
    else files[path] = typeof entry === "string" ? { type: "file", content: entry } : entry;
  }
  const hash = createHash("sha256")
    .update(JSON.stringify([repo.commits.length, files]))
    .digest("hex");
  repo.commits.push({ hash, files });
  return hash;
}

function refusal(status, detail) {
  return { status, body: { detail } };
}

function parsed(text) {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function bodyOf(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}
