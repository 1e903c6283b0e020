// A contender that knows nothing of what it is asked: each call meets a backend of its own.

/**
 * @param {() => object} make
 * @param {(backend: object) => unknown} call
 * @returns {import("./measure.mjs").Contender}
 */
export function onNewOnes(make, call) {
  let waiting = [];
  return {
    before: (times) => {
      waiting = Array.from({ length: times }, make);
    },
    run: () => call(waiting.pop() ?? make()),
  };
}
