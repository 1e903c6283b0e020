/** Items of exactly one namespace of a store, whatever the store makes of a namespace in its own search. */

import { fault } from "../../adapters/fault.js";
import { isControlFlow, messageOf } from "../../protocol/failure.js";
import type { GraphStore, StoreItem } from "../../protocol/types.js";

/** One namespace of one store. */
export interface Place {
  readonly store: GraphStore;
  readonly namespace: readonly string[];
}

export interface ScanOptions {
  filter?: Record<string, unknown>;
  /** Items asked for at once (default {@link PAGE_ITEMS}). */
  pageItems?: number;
}

/** Items in one page of a search: what the upstream backend asks for, which every store grants. */
const PAGE_ITEMS = 100;
/** Operations in one batch. */
const BATCH_ITEMS = 25;
/** Batches under way at once. */
const PARALLEL_BATCHES = 4;
/** Up to so many items are asked for one by one, side by side. */
const FEW_ITEMS = 4;

/** The place below `place` that is named `label`. */
export function below(place: Place, label: string): Place {
  return { store: place.store, namespace: [...place.namespace, label] };
}

/** The store behind the wrapper that a running graph hands out: its `batch` is not implemented. */
export function unwrapped(store: GraphStore): GraphStore {
  const wrapper = store as GraphStore & { lg_name?: unknown; store?: GraphStore };
  return wrapper.lg_name === "AsyncBatchedStore" && wrapper.store !== undefined ? wrapper.store : store;
}

/** The item under `key`, or null. */
export async function getItem(place: Place, key: string): Promise<StoreItem | null> {
  return (await asked(place, () => place.store.get([...place.namespace], key))) ?? null;
}

/** The items under `keys`, in order; null where there is none. */
export async function getItems(place: Place, keys: readonly string[]): Promise<(StoreItem | null)[]> {
  if (keys.length <= FEW_ITEMS) return Promise.all(keys.map((key) => getItem(place, key)));
  const found = await inBatches(keys, async (slice) => {
    const operations = slice.map((key) => ({ namespace: [...place.namespace], key }));
    const answers = (await asked(place, () => place.store.batch(operations))) as (StoreItem | null | undefined)[];
    return slice.map((_, at) => answers[at] ?? null);
  });
  return found.flat();
}

/** Stores a value under `key`. */
export async function putItem(place: Place, key: string, value: Record<string, unknown>): Promise<void> {
  await asked(place, () => place.store.put([...place.namespace], key, value));
}

/** Keys with their values; null removes. */
export type Entries = readonly (readonly [key: string, value: Record<string, unknown> | null])[];

/** Stores or removes what deepfs keeps beside the files, in batches: it is not for the store's semantic search. */
export async function putItems(place: Place, entries: Entries): Promise<void> {
  await inBatches(entries, (slice) => {
    const operations = slice.map(([key, value]) => ({
      namespace: [...place.namespace],
      key,
      value,
      index: false as const,
    }));
    return asked(place, () => place.store.batch(operations));
  });
}

/** Stores several files, which the store indexes as it does a single one. Each key comes once. */
export async function putFiles(place: Place, entries: Entries): Promise<void> {
  await inBatches(entries, (slice) => {
    const operations = slice.map(([key, value]) => ({ namespace: [...place.namespace], key, value }));
    return asked(place, () => place.store.batch(operations));
  });
}

/** Removes the items under `keys`. */
export async function removeItems(place: Place, keys: readonly string[]): Promise<void> {
  await inBatches(keys, (slice) => {
    const operations = slice.map((key) => ({ namespace: [...place.namespace], key, value: null }));
    return asked(place, () => place.store.batch(operations));
  });
}

/**
 * All items of the place, by key. Pages are counted in what the store returned, before anything is left out, and the
 * namespace of each item is compared: a store searches by prefix, so `acme` may bring `acme-corp` and `acme/private`.
 */
export async function scan(place: Place, options: ScanOptions = {}): Promise<Map<string, StoreItem>> {
  const limit = options.pageItems ?? PAGE_ITEMS;
  const found = new Map<string, StoreItem>();
  const seen = new Set<string>();
  for (let offset = 0; ;) {
    const page = await searchPage(place, { limit, offset, ...(options.filter && { filter: options.filter }) });
    const before = seen.size;
    for (const item of page) {
      seen.add(JSON.stringify([item.namespace, item.key]));
      if (isAt(item, place)) found.set(String(item.key), item);
    }
    if (page.length > 0 && seen.size === before) {
      // It would go on for ever, and what comes behind this page would be missing.
      throw fault("unavailable", "the store answers with the same items again when it is asked for the next ones");
    }
    offset += page.length;
    // A store may grant less than a large page; only for the usual size does a short page mean the end.
    if (page.length === 0 || (page.length < limit && limit <= PAGE_ITEMS)) return found;
  }
}

/** One page as the store gives it: other namespaces are not left out. */
export async function searchPage(
  place: Place,
  options: { filter?: Record<string, unknown>; limit: number; offset: number },
): Promise<StoreItem[]> {
  return (await asked(place, () => place.store.search([...place.namespace], options))) ?? [];
}

function isAt(item: StoreItem, place: Place): boolean {
  const { namespace } = item;
  return (
    Array.isArray(namespace) &&
    namespace.length === place.namespace.length &&
    namespace.every((label, at) => label === place.namespace[at])
  );
}

/**
 * Works on slices of a list, a few at a time: a store may run a batch as one request after the other. All that was
 * started has ended when this ends, well or badly.
 */
async function inBatches<T, R>(all: readonly T[], work: (slice: readonly T[]) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < all.length; start += BATCH_ITEMS * PARALLEL_BATCHES) {
    const round = Array.from({ length: PARALLEL_BATCHES }, (_, index) => start + index * BATCH_ITEMS);
    const running = round.filter((at) => at < all.length).map((at) => work(all.slice(at, at + BATCH_ITEMS)));
    for (const ended of await Promise.allSettled(running)) {
      if (ended.status === "rejected") throw ended.reason;
      results.push(ended.value);
    }
  }
  return results;
}

/** Runs a call of the store; whatever it throws becomes a fault that says the store failed. */
async function asked<T>(place: Place, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    if (isControlFlow(thrown)) throw thrown;
    throw fault("unavailable", refusal(place, messageOf(thrown)));
  }
}

/** The store's own words, with the way out where it refused a character of the namespace. */
function refusal(place: Place, words: string): string {
  const unusual = place.namespace.some((label) => /[^A-Za-z0-9-]/.test(label));
  return unusual && /namespace|label/i.test(words)
    ? `${words} (this store does not take every character in a namespace: use letters, digits and '-', or the option encodeNamespace: true)`
    : words;
}
