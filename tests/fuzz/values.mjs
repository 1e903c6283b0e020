// Arbitrary values, of which enough are almost right.

import * as fc from "fast-check";

/** Objects that throw when they are looked at, by the words that stand for them: the generator looks, too. */
const TRAPS = new Map([
  [Symbol("a revoked object"), revoked({})],
  [Symbol("a revoked array"), revoked([])],
  [Symbol("throwing getters"), throwing()],
]);

/** Puts the traps in their places. */
export function withTraps(argument) {
  if (Array.isArray(argument)) return argument.map(withTraps);
  return TRAPS.get(argument) ?? argument;
}

/** Every code unit is possible: half characters, NUL, controls. */
const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom("", "\0", "\ud83d", "\n", "\r\n", "needle", "one\ntwo\n", "data:;base64,aGk=", "x".repeat(5_000)),
);
const path = fc.oneof(
  fc.constantFrom(
    "/",
    "/a",
    "/a/b.txt",
    "/a.png",
    "/works",
    "a.txt",
    "..",
    "/../x",
    "/a/../../b",
    "/.git/x",
    "/mem/a",
    "",
    ".",
    "/a//b/",
    `/${"x/".repeat(3_000)}`,
  ),
  text.map((name) => `/${name}`),
);
const pattern = fc.constantFrom(
  "**",
  "*.txt",
  "{a,b}*",
  "[a-",
  "!(a|b)",
  "{1..900}",
  "**/*",
  "!x",
  "a**b",
  "((((",
  "{".repeat(200),
);
const number = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -0, -1, 0.5, NaN, Infinity, -Infinity, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 63)),
);
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 30 }),
  fc.constantFrom(
    new Uint16Array(3),
    new ArrayBuffer(4),
    new DataView(new ArrayBuffer(4)),
    Buffer.from("hi"),
    new Uint8Array(0),
    detached(),
  ),
);
const odd = fc.constantFrom(
  undefined,
  null,
  true,
  false,
  Symbol("x"),
  7n,
  () => "/a",
  Object("/a"),
  ...TRAPS.keys(),
  new Date(NaN),
  Object.create(null),
  new Map(),
  Promise.resolve(1),
);

const value = fc.oneof(
  text,
  path,
  path,
  pattern,
  number,
  bytes,
  odd,
  fc.anything({ withBigInt: true, withDate: true, withTypedArray: true, withSparseArray: true, maxDepth: 2 }),
);
const list = fc.array(fc.oneof(value, fc.tuple(path, bytes), fc.tuple(value, value)), { maxLength: 4 });
const options = fc.record(
  {
    offset: value,
    limit: value,
    replaceAll: value,
    files: value,
    timeout: value,
    signal: value,
    cwd: text,
    root: text,
    env: value,
    write: value,
  },
  { requiredKeys: [] },
);

/** The arguments of one call: at times as the method expects them, at times nothing like it. */
export const arbitraryArguments = fc.oneof(
  fc.array(fc.oneof(value, list, options), { maxLength: 6 }),
  fc.tuple(path, text, text, fc.boolean()),
  fc.tuple(path, number, number),
  fc.tuple(fc.oneof(pattern, text), path, fc.option(pattern), number),
  fc.tuple(list),
  fc.tuple(fc.array(fc.tuple(path, bytes), { maxLength: 4 })),
);

function revoked(target) {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function detached() {
  const view = new Uint8Array(8);
  structuredClone(view.buffer, { transfer: [view.buffer] });
  return view;
}

function throwing() {
  const fail = () => {
    throw new RangeError("a getter");
  };
  return Object.defineProperties(
    {},
    {
      offset: { get: fail, enumerable: true },
      length: { get: fail },
      toString: { value: fail },
    },
  );
}
