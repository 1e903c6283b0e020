// Text that looks like source code, the same every time.

import { random } from "../differential/random.mjs";

const WORDS =
  `account address amount apply async await batch body branch buffer build bundle cache call catch channel check child class client close code column
  commit config const context count create cursor data date default delete depth detail draft edge emit entry error event export extends factory false
  field file filter final first flag flush folder format frame from function graph group guard handle handler hash header height helper host icon id if
  import index inner input insert instance interface item join key kind label last layer layout length level limit line link list load local lock log
  loop map mark match merge message method middle mode model module mount name nested next node note null number object offset open option order output
  owner page parent parse part path pattern peer pending pipe point policy pool port prefix process promise protocol proxy public query queue range read
  record reduce region remove render replace report request reset resolve result return role root route row rule run scan schema scope search section
  select send server session set shape share sheet shift show size slice slot sort source span stack stage start state status step store stream string
  style suffix switch table tag target task test text throw time title token tool total trace tree true type union unit update upload user value vector
  version view void walk watch width window write zone`.split(/\s+/);

/** Appears on about one line in this many: a search for it has very many hits. */
export const COMMON = "handleRequest";
const COMMON_EVERY = 94;

/** Lines of invented code, `bytes` long or a little longer. With `ascii: false`, one comment in twenty is in other letters. */
export function sourceText(seed, bytes, { ascii = true } = {}) {
  const { next: dice } = random(seed);
  const pick = (list) => list[Math.floor(dice() * list.length)];
  const word = () => pick(WORDS);
  const shapes = [
    () => `const ${word()}${word()} = ${word()}.${word()}(${word()}, ${Math.floor(dice() * 1000)});`,
    () => `if (${word()}.${word()} === "${word()}") {`,
    () => `return ${word()}(${word()}.${word()}, { ${word()}: ${word()} });`,
    () => `// ${Array.from({ length: 4 + Math.floor(dice() * 8) }, word).join(" ")}`,
    () => `export function ${word()}_${word()}(${word()}, ${word()}) {`,
    () => `}`,
    () => ``,
    () => `"${word()}-${word()}": ["${word()}", ${dice().toFixed(4)}],`,
  ];
  const lines = [];
  for (let length = 0, line = 0; length < bytes; line += 1) {
    const indent = "  ".repeat(Math.floor(dice() * 4));
    let text = indent + pick(shapes)();
    if (line % COMMON_EVERY === COMMON_EVERY - 1) text = `${indent}await ${COMMON}(${word()}, ${word()});`;
    else if (!ascii && dice() < 0.05) text = `${indent}// naïve façade: größer, 世界, ${word()} – 🙂`;
    lines.push(text);
    length += ascii ? text.length + 1 : Buffer.byteLength(text) + 1;
  }
  return `${lines.join("\n")}\n`;
}

/** Cuts whole lines out of a long text, over and over. */
export class Pool {
  constructor(seed, bytes, options) {
    this.bytes = Buffer.from(sourceText(seed, bytes, options));
    this.dice = random(seed + 1).next;
  }

  /** About `size` bytes of whole lines, as a view. */
  take(size) {
    const start = this.lineStart(Math.floor(this.dice() * (this.bytes.length - size - 1)));
    return this.bytes.subarray(start, this.lineStart(start + size));
  }

  lineStart(near) {
    const at = this.bytes.indexOf(10, near);
    return at < 0 ? this.bytes.length : at + 1;
  }
}
