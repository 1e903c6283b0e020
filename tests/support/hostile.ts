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
