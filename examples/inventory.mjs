// A tool with a large answer: every file with a line about it, more than a history should hold.

import { tool } from "langchain";
import { z } from "zod";

export function inventoryTool(backend) {
  return tool(
    async ({ pattern }) => {
      const { files = [], error } = await backend.glob(pattern, "/");
      if (error !== undefined) return error;
      const rows = files.map((file) => `${file.path}\t${file.size ?? 0} bytes\t${file.modified_at ?? ""}`);
      // Padded to be large in the smallest workspace too.
      return Array.from({ length: Math.ceil(2000 / Math.max(rows.length, 1)) }, () => rows)
        .flat()
        .join("\n");
    },
    {
      name: "inventory",
      description: "Lists every file that matches a glob pattern, with its size and time.",
      schema: z.object({ pattern: z.string().describe("Glob pattern, for example **/*.md") }),
    },
  );
}
