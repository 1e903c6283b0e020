// When two results of one call are the same to a caller.

/** Null when a caller sees the same; else where not. Times are not compared, nor what only deepfs adds. */
export function differenceOf(method, ours, theirs) {
  const [mine, peers] = [ours, theirs].map((result) => plain(method, result));
  return JSON.stringify(mine) === JSON.stringify(peers)
    ? null
    : `${JSON.stringify(mine)?.slice(0, 300)} ≠ ${JSON.stringify(peers)?.slice(0, 300)}`;
}

export function sameFiles(one, other) {
  if (one.size !== other.size) return false;
  return [...one].every(
    ([path, content]) => Buffer.compare(content, other.get(path) ?? Buffer.from("missing")) === 0 && other.has(path),
  );
}

/** The fields of the protocol, with an error reduced to the fact: sentences differ by design (`messages`). */
export function plain(method, result) {
  if (Array.isArray(result))
    return result.map(({ path, content, error }) => ({
      path,
      content: content === undefined ? undefined : hex(content),
      error: error ?? null,
    }));
  if (result === undefined || result.threw !== undefined) return result;
  if (result.error !== undefined) return { error: true };
  const { files, matches, content, data, mimeType, startLine, endLine, nextOffset, path, occurrences, truncated } =
    result;
  return {
    files: files?.map((file) => ({ path: file.path, is_dir: file.is_dir, size: file.size })),
    matches,
    content: hex(content),
    data: data === undefined ? undefined : { content: hex(data.content), mimeType: data.mimeType },
    mimeType,
    startLine,
    endLine,
    nextOffset,
    path,
    occurrences,
    truncated,
  };
}

function hex(content) {
  return content instanceof Uint8Array ? Buffer.from(content).toString("hex") : content;
}
