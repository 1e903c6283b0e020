/** Values that no method expects. */

function revoked(target: object): unknown {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

const throwing = {
  get offset(): never {
    throw new Error("getter");
  },
  get replaceAll(): never {
    throw new Error("getter");
  },
  toString(): never {
    throw new Error("toString");
  },
};

/** Never a path, a text, bytes, a number or a boolean. */
export const HOSTILE: [name: string, value: unknown][] = [
  ["a symbol", Symbol("x")],
  ["a bigint", 7n],
  ["a function", () => "/a"],
  ["an object", { path: "/a" }],
  ["an array", ["/a"]],
  ["a date", new Date(0)],
  ["a boxed string", Object("/a.txt")],
  ["a revoked proxy", revoked({})],
  ["a revoked array", revoked([])],
  ["an object whose getters throw", throwing],
];

/** Never a path, though some are strings. */
export const BAD_PATHS: [name: string, value: unknown][] = [
  ...HOSTILE,
  ["undefined", undefined],
  ["null", null],
  ["a number", 42],
  ["NaN", Number.NaN],
  ["a boolean", true],
  ["bytes", new Uint8Array([47])],
  ["a lone surrogate", "/a\uD83D.txt"],
  ["NUL", "/a\0b"],
  ["a megabyte", `/${"x".repeat(1_000_000)}`],
  ["a megabyte of folders", "/x".repeat(500_000)],
  ["a way out", "/a/../../b"],
];

/** Anything at all. */
export type Hostile = unknown;

function detached(): Uint8Array {
  const bytes = new Uint8Array(8);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
}

function circular(): object {
  const one: { self?: unknown } = {};
  one.self = one;
  return one;
}

const trap = (): never => {
  throw new Error("trap");
};

/** A value of every kind, made anew for each call. */
export const EVERY_VALUE: [name: string, make: () => Hostile][] = [
  ...BAD_PATHS.map(([name, value]): [string, () => Hostile] => [name, () => value]),
  ["the empty string", () => ""],
  ["a negative number", () => -1],
  ["Infinity", () => Number.POSITIVE_INFINITY],
  ["minus Infinity", () => Number.NEGATIVE_INFINITY],
  ["a fraction", () => 1.5],
  ["a number beyond the integers", () => 2 ** 60],
  ["an empty object", () => ({})],
  ["an object without a prototype", () => Object.create(null) as Hostile],
  ["a circular object", circular],
  ["an empty array", () => []],
  ["an array of arrays", () => [[]]],
  ["a sparse array", () => Array.from({ length: 3 }).concat(new Array(2))],
  ["a map", () => new Map([["a", 1]])],
  ["a promise", () => Promise.resolve("/a")],
  ["a regular expression", () => /a/],
  ["an async function", () => async () => "/a"],
  ["a class", () => class Path {}],
  ["a thenable that throws", () => ({ then: trap })],
  ["a proxy whose traps throw", () => new Proxy({}, { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap })],
  ["a proxy of a function", () => new Proxy(trap, {})],
  ["a low surrogate alone", () => "\uDC00"],
  ["text that ends in half a character", () => "/a\uD83D"],
  ["numbers as 16 bits", () => new Uint16Array([0xd83d, 0])],
  ["numbers as 64 bits", () => new BigInt64Array(2)],
  ["floats", () => new Float64Array([Number.NaN])],
  ["a data view", () => new DataView(new ArrayBuffer(4), 1, 2)],
  ["a buffer of bytes", () => new ArrayBuffer(4)],
  ["shared memory", () => new Uint8Array(new SharedArrayBuffer(4))],
  ["a detached buffer", detached],
  ["a detached array buffer", () => detached().buffer],
  ["a megabyte of text", () => "x".repeat(1_000_000)],
  ["a megabyte of stars", () => "*".repeat(1_000_000)],
  ["a megabyte of braces", () => "{".repeat(500_000) + "}".repeat(500_000)],
  ["a megabyte of classes", () => "[a-".repeat(333_333)],
  ["a megabyte of alternatives", () => `{${"a,".repeat(500_000)}}`],
  ["braces in braces", () => "{a,".repeat(40) + "b" + "}".repeat(40)],
];
