/** Whether a store can be asked for items by what their fields say; an index of paths needs it. */

import { unwrapped, below, putItems, removeItems, scan, searchPage, type Place } from "./items.js";

/** The namespace below the files in which the question is put, for a moment. */
const PROBE_LABEL = "deepfs-probe";

const answers = new WeakMap<object, Promise<boolean>>();

/**
 * Whether the store's `search` knows `$exists`, `$in`, `$nin` and equality on top-level fields, together, with `limit`
 * and `offset`. Postgres does. Stores differ in what they make of an operator they do not know: an error, every item,
 * or none. So the store is asked once, with two items that are removed again.
 */
export function canFilter(place: Place): Promise<boolean> {
  const store = unwrapped(place.store);
  const known = answers.get(store);
  if (known !== undefined) return known;
  const asked = ask(below(place, PROBE_LABEL)).catch(() => {
    // The store may only be down for now.
    answers.delete(store);
    return false;
  });
  answers.set(store, asked);
  return asked;
}

async function ask(probes: Place): Promise<boolean> {
  const name = crypto.getRandomValues(new Uint32Array(3)).join("-");
  const mark = `deepfs:${name}`;
  const [marked, plain] = [`${name}-marked`, `${name}-plain`];
  await putItems(probes, [
    [marked, { [mark]: "1", modified_at: `${name}-a` }],
    [plain, { modified_at: `${name}-b` }],
  ]);
  try {
    const absent = await keysOf(probes, { [mark]: { $exists: false } });
    if (absent.has(marked) || !absent.has(plain)) return false;
    const others = await keysOf(probes, { [mark]: { $exists: false }, modified_at: { $nin: [`${name}-a`, "x"] } });
    if (others.has(marked) || !others.has(plain)) return false;
    const none = await keysOf(probes, { [mark]: { $exists: false }, modified_at: { $nin: ["x", `${name}-b`] } });
    if (none.has(marked) || none.has(plain)) return false;
    const listed = await keysOf(probes, { modified_at: { $in: [`${name}-a`, `${name}-b`] } });
    if (!listed.has(marked) || !listed.has(plain) || listed.size !== 2) return false;
    const first = await searchPage(probes, { filter: { [mark]: "1" }, limit: 2, offset: 0 });
    const second = await searchPage(probes, { filter: { [mark]: "1" }, limit: 2, offset: 1 });
    return first.length === 1 && first[0]?.key === marked && second.length === 0;
  } catch {
    return false;
  } finally {
    await removeItems(probes, [marked, plain]);
  }
}

async function keysOf(place: Place, filter: Record<string, unknown>): Promise<Set<string>> {
  return new Set((await scan(place, { filter })).keys());
}
