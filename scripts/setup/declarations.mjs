// TypeScript declarations of the addon, from what napi-derive says of each function and class while it compiles.

const HEADER = "// Written by the build from crates/node. Do not edit: change the Rust and run `npm run setup`.\n";

/** Types of crates/node that napi-derive knows only by name, and what JS gets for them. */
const ALIASES = { Done: "null", FileBytes: "Uint8Array", Text: "string" };

/** Rust's names of parameters that JS reserves. */
const RESERVED = /(?<=[(,] ?)(?:new|delete|default|function)(?=\??: )/g;

/**
 * @param {string} lines one JSON object a line, as napi-derive writes them
 * @returns {string} the text of a declaration file
 */
export function declarations(lines) {
  const items = lines
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));
  const members = new Map();
  for (const { kind, name, def } of items) {
    if (kind === "impl") members.set(name, [...(members.get(name) ?? []), def]);
  }
  const texts = items.filter(({ kind }) => kind !== "impl").map((item) => declaration(item, members));
  // napi-derive's order is that of the compiler's work; a sorted file changes only where the Rust does.
  const aliases = Object.entries(ALIASES).map(([name, type]) => `type ${name} = ${type};\n`);
  return `${HEADER}\n${aliases.join("")}\n${texts
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ text }) => text)
    .join("\n")}`;
}

function declaration({ kind, name, js_doc: doc, def }, members) {
  switch (kind) {
    case "fn":
      return { key: name, text: `${doc}export declare ${unreserved(def)};\n` };
    case "struct":
      return { key: name, text: `${doc}export declare class ${name} ${block([def, ...(members.get(name) ?? [])])}` };
    case "interface":
      return { key: name, text: `${doc}export interface ${name} ${block([def])}` };
    default:
      throw new Error(`The declarations know nothing of a "${kind}", which is what ${name} is.`);
  }
}

function block(parts) {
  const lines = parts.flatMap((part) => part.split("\n")).map((line) => unreserved(line.trim()));
  const shown = lines.filter((line) => line !== "").map((line) => (line.startsWith("*") ? `   ${line}` : `  ${line}`));
  return `{\n${shown.join("\n")}\n}\n`;
}

function unreserved(line) {
  return line.replaceAll(RESERVED, "$&_");
}
