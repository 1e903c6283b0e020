// A seeded generator of random values (mulberry32): the same seed gives the same run on every machine.

export function random(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count) => Math.floor(next() * count);
  const pick = (list) => list[below(list.length)];
  const chance = (probability) => next() < probability;
  const times = (least, most, make) => Array.from({ length: least + below(most - least + 1) }, () => make());
  return { next, below, pick, chance, times };
}
