import { expect, test } from "vitest";
import { declarations } from "../../scripts/setup/declarations.mjs";

const line = (kind: string, name: string, def: string, doc = "") =>
  JSON.stringify({ kind, name, js_doc: doc, def, original_name: name });

test("classes get their members, and the order is by name, whatever the compiler's was", () => {
  const text = declarations(
    [
      line("fn", "version", "function version(): string", "/** The version. */\n"),
      line("interface", "Parts", "size: number\nname?: string"),
      line("struct", "Memory", ""),
      line("impl", "Memory", "/** Makes it. */\n constructor()\nedit(old: string, new: string): Parts"),
    ].join("\n"),
  );
  expect(text.split("\n").slice(2)).toEqual([
    "type Done = null;",
    "type FileBytes = Uint8Array;",
    "type Text = string;",
    "",
    "export declare class Memory {",
    "  /** Makes it. */",
    "  constructor()",
    "  edit(old: string, new_: string): Parts",
    "}",
    "",
    "export interface Parts {",
    "  size: number",
    "  name?: string",
    "}",
    "",
    "/** The version. */",
    "export declare function version(): string;",
    "",
  ]);
});

test("a kind that it does not know is an error, not a gap in the declarations", () => {
  expect(() => declarations(line("enum", "Color", "Red"))).toThrow('know nothing of a "enum", which is what Color is');
});
