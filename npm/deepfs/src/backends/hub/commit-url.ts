/** The commit's hash, which the client hands out inside a URL only. */

const COMMIT_PATH = /^\/context\/([^/]+)\/([0-9a-f]{8})$/;
const OLDER_COMMIT_PATH = /^\/hub\/([^/]+)\/([^/:]+):([0-9a-f]{8})$/;

/**
 * The hash in the URL of a commit to the repository `identifier` (`name`, `owner/name`, either with `:version`); null
 * when the URL is of another repository or of no known form.
 */
export function commitHashOf(url: unknown, identifier: string): string | null {
  const path = pathOf(url);
  const target = ownerAndName(identifier);
  if (path === null || target === null) return null;
  const [, contextName, contextHash] = COMMIT_PATH.exec(path) ?? [];
  if (contextHash !== undefined) return contextName === target.name ? contextHash : null;
  const [, owner, name, hash] = OLDER_COMMIT_PATH.exec(path) ?? [];
  return hash !== undefined && owner === target.owner && name === target.name ? hash : null;
}

function pathOf(url: unknown): string | null {
  try {
    return decodeURIComponent(new URL(String(url)).pathname);
  } catch {
    return null;
  }
}

/** `-` stands for the owner of the key. */
function ownerAndName(identifier: string): { owner: string; name: string } | null {
  const [repo = "", ...versions] = identifier.split(":");
  const parts = repo.split("/");
  if (versions.length > 1 || parts.length > 2 || parts.some((part) => part === "")) return null;
  const [first = "", second] = parts;
  return second === undefined ? { owner: "-", name: first } : { owner: first, name: second };
}
