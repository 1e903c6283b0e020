// A web server of this machine alone, with a few files and nothing in between: what it serves is what the browser runs.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fromRoot } from "../../scripts/setup/paths.mjs";

const DIST = fromRoot("npm", "deepfs", "dist");
const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
  ".json": "application/json",
};
/** The strictest policy under which WASM still compiles; the README names it. */
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

/**
 * Serves the package's bundles below `/deepfs/`, and `files` (path → text).
 *
 * @param {Record<string, string>} files
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function serve(files) {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? "/", "http://site").pathname;
    const body = files[path] ?? (await fromDist(path));
    response.setHeader("content-security-policy", POLICY);
    if (body === null) {
      response.writeHead(404).end();
    } else {
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "text/html" }).end(body);
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

async function fromDist(path) {
  if (!path.startsWith("/deepfs/")) return null;
  return readFile(join(DIST, normalize(path.slice("/deepfs/".length)))).catch(() => null);
}
