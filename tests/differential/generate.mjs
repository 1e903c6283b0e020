// Generated worlds (files) and calls. Small alphabets on purpose: collisions are where behaviour is.

const NAMES = [
  "a",
  "b",
  "a.txt",
  "b.md",
  "main.ts",
  "x.test.ts",
  "README.md",
  ".env",
  "d",
  "src",
  "lib",
  "[id]",
  "a b",
  "é.txt",
  "日本",
  "v1..v2",
  "UPPER.TXT",
  "z.json",
  "(g)",
  "Makefile",
];
const WORDS = [
  "one",
  "two",
  "needle",
  "é",
  "😀",
  "x",
  "foo bar",
  "aa",
  "TODO",
  "$&",
  "  ",
  "\t",
  "let a = 1;",
  "日本語",
  "-",
  "a.c",
  "'q'",
  '"',
];
const BINARY_NAMES = ["i.png", "p.pdf", "s.mp3", "q.gif"];
const CALLS = [
  "ls",
  "ls",
  "read",
  "read",
  "read",
  "readRaw",
  "write",
  "edit",
  "edit",
  "edit",
  "glob",
  "glob",
  "grep",
  "delete",
  "uploadFiles",
  "downloadFiles",
];

export function generator(dice) {
  const word = () => dice.pick(WORDS);
  const line = () => dice.times(0, 4, word).join(dice.chance(0.5) ? " " : "");
  const text = () => {
    const end = dice.chance(0.12) ? "\r\n" : "\n";
    const lines = dice.times(0, 8, line).join(end);
    return lines + (dice.chance(0.6) ? end : "");
  };
  const bytes = () => Uint8Array.from(dice.times(0, 12, () => dice.below(256)));
  const name = () => (dice.chance(0.06) ? dice.pick(BINARY_NAMES) : dice.pick(NAMES));
  const freshPath = () => "/" + dice.times(1, 3, name).join("/");
  const spelled = (path) => {
    if (dice.chance(0.9)) return path;
    return dice.pick([
      path.slice(1),
      path + "/",
      "/" + path,
      "/." + path,
      path.replace("/", "//"),
      path + "/..",
      "/.." + path,
      path + "\0",
      "",
    ]);
  };

  /** Files that can be on a disk together: no path is a file and a folder. */
  const world = () => {
    const files = new Map();
    for (const path of dice.times(2, 12, freshPath)) {
      const clash = [...files.keys()].some(
        (other) => other === path || other.startsWith(path + "/") || path.startsWith(other + "/"),
      );
      if (!clash)
        files.set(
          path,
          dice.chance(0.12) || BINARY_NAMES.some((end) => path.endsWith(end))
            ? bytes()
            : new TextEncoder().encode(text()),
        );
    }
    return files;
  };

  const known = (files) => {
    const paths = [...files.keys()];
    if (paths.length === 0 || dice.chance(0.12)) return freshPath();
    const path = dice.pick(paths);
    return dice.chance(0.12) ? path.slice(0, path.lastIndexOf("/")) || "/" : path;
  };
  const folder = (files) => {
    if (dice.chance(0.5)) return "/";
    const path = known(files);
    return path.slice(0, path.lastIndexOf("/")) || "/";
  };
  const pattern = (files) => {
    const from = known(files).slice(1);
    return dice.pick([
      () => "*",
      () => "**/*",
      () => "*.ts",
      () => "**/*.ts",
      () => "**/*.{ts,md}",
      () => "*.txt",
      () => from,
      () => from.replace(/[^/]+$/, "*"),
      () => from.replace(/^[^/]+/, "*"),
      () => from.replace(/.$/, "?"),
      () => "**/" + from.split("/").at(-1),
      () => "!" + from,
      () => "[a-d]*",
      () => "[!a]*",
      () => "src/**",
      () => "**/src/**/*.md",
      () => "{a,b,src}/*",
      () => "/" + from,
      () => "*.{txt,json}",
      () => "**",
      () => "./" + from,
      () => "../*",
      () => "{..,a}/*",
      () => "*{1..3}*",
      () => "*.[tm][sd]",
    ])();
  };
  const part = (files) => {
    const content = files.get(known(files));
    if (content === undefined || dice.chance(0.2)) return word();
    const whole = new TextDecoder().decode(content);
    const start = dice.below(whole.length + 1);
    return whole.slice(start, start + 1 + dice.below(12)) || word();
  };

  const call = (files) => {
    const method = dice.pick(CALLS);
    const path = spelled(known(files));
    const args = {
      ls: () => [spelled(dice.chance(0.5) ? folder(files) : known(files))],
      read: () => [
        path,
        ...dice.pick([
          [],
          [dice.below(6)],
          [dice.below(6), dice.below(6)],
          [-1, 2],
          [0.7, 1.9],
          [Number.NaN, 3],
          [0, Number.POSITIVE_INFINITY],
        ]),
      ],
      readRaw: () => [path],
      write: () => [
        spelled(dice.chance(0.5) ? known(files) : freshPath()),
        dice.chance(0.9) ? text() : Buffer.from(bytes()).toString("base64"),
      ],
      edit: () => [path, part(files), dice.chance(0.1) ? "" : word(), ...(dice.chance(0.3) ? [dice.chance(0.7)] : [])],
      glob: () => [pattern(files), ...(dice.chance(0.5) ? [folder(files)] : [])],
      grep: () => [
        dice.chance(0.9) ? word() : part(files),
        dice.chance(0.5) ? "/" : dice.chance(0.5) ? folder(files) : known(files),
        dice.chance(0.7) ? null : pattern(files),
        dice.chance(0.7) ? null : dice.below(5),
      ],
      delete: () => [path],
      uploadFiles: () => [
        dice.times(0, 3, () => [freshPath(), dice.chance(0.5) ? bytes() : new TextEncoder().encode(text())]),
      ],
      downloadFiles: () => [dice.times(0, 3, () => known(files))],
    };
    return { method, args: args[method]() };
  };

  return { world, call };
}
