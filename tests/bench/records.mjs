// Records of a graph's state, the same every time. No Node module is imported: a browser page makes the same ones.

export const STATE_RARE = "zq_rare_marker";
export const STATE_COMMON = "handleRequest";

const EXTENSIONS = ["ts", "ts", "js", "py", "md", "json", "css", "txt"];
const WORDS =
  "account buffer client config context cursor entry error export filter folder format group handle import index inner input item layout length limit message method module node number object offset option output parent parse path pattern process promise query range read record render request result return scope search section select server session source stack status stream string table target token value vector version window".split(
    " ",
  );

/** `count` records of about `bytes` each, by path. Every thousandth holds the rare text, every hundredth line the common one. */
export function makeRecords(count, bytes = 4_000) {
  let state = 12_345;
  const next = (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  const line = (at) =>
    at % 100 === 99
      ? `  await ${STATE_COMMON}(${WORDS[next(WORDS.length)]});`
      : `  const ${WORDS[next(WORDS.length)]} = ${WORDS[next(WORDS.length)]}.${WORDS[next(WORDS.length)]}(${next(1000)}); // ${WORDS[next(WORDS.length)]}`;
  const lines = Array.from({ length: 20_000 }, (_, at) => line(at));
  const files = {};
  for (let at = 0; at < count; at += 1) {
    const body = [];
    const size = bytes / 4 + next(bytes + bytes / 2);
    for (let length = 0, from = next(lines.length); length < size; from += 1) {
      const text = lines[from % lines.length];
      body.push(text);
      length += text.length + 1;
    }
    if (at % 1000 === 500) body.push(`${STATE_RARE}(${at});`);
    const extension = EXTENSIONS[at % EXTENSIONS.length];
    const time = new Date(1_767_225_600_000 + (at % 500) * 1000).toISOString();
    files[`/src/d${at % 100}/e${at % 7}/file-${at}.${extension}`] = {
      // Joined and cut once, so that it is one flat string as a checkpoint gives it.
      content: flat(body.join("\n")),
      mimeType: extension === "md" ? "text/markdown" : extension === "json" ? "application/json" : "text/plain",
      created_at: time,
      modified_at: time,
    };
  }
  return files;
}

/** The same files in records and an object that nobody has seen before. */
export function renewed(files) {
  const copy = {};
  for (const [path, record] of Object.entries(files)) copy[path] = { ...record };
  return copy;
}

/** One record with a text of `bytes`, in which `before` stands once, in the middle. */
export function longRecord(bytes, before) {
  const line = "a line of a long text that goes on and on and on, number ";
  const half = Array.from(
    { length: Math.ceil(bytes / 2 / (line.length + 9)) },
    (_, at) => `${line}${String(at).padStart(8, "0")}`,
  ).join("\n");
  return {
    content: flat(`${half}\n${before}\n${half}\n`),
    mimeType: "text/plain",
    created_at: "2026-01-01T00:00:00.000Z",
    modified_at: "2026-01-01T00:00:00.000Z",
  };
}

function flat(text) {
  return JSON.parse(JSON.stringify(text));
}
