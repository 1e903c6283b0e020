/** Records of graph state, for tests. Imports nothing, so that a test chooses what of LangGraph is loaded. */

export const OLD = "2024-01-01T00:00:00.000Z";

/** A text file as graph state keeps it. */
export function record(content: string) {
  return { content, mimeType: "text/plain", created_at: OLD, modified_at: OLD };
}

/** What is in each file. */
export function contents(files: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(files as Record<string, { content: unknown }>).map(([path, file]) => [path, file.content]),
  );
}
