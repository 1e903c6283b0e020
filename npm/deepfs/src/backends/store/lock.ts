/**
 * Exclusive claims on files of a store, so that changes of one file do not overwrite each other.
 *
 * A store has no compare-and-swap: a change is a `get` and a `put`, and between the two another writer may have put
 * something else. So a writer first claims the paths:
 *
 * - **In this process**, claims on one store and namespace queue in the order they came.
 * - **Between processes**, a claim is an item in a namespace below the files. A writer puts its own item, and only then
 *   looks for others: of two writers that look after they put, at least one sees the other. It goes on only when it saw
 *   no other claim on its paths. The oldest claim waits where it is, later ones withdraw and try again.
 *
 * A claim of a process that died stays behind; it counts until it has not changed for {@link LEASE_MS}, as measured by
 * the one who waits. So a holder that was suspended for half of that does not write any more: it reports a conflict.
 *
 * What this rests on: a `put` is seen by every `search` that starts after it resolved (true of Postgres on its primary),
 * and one `put` takes less than half the lease. Writers that know nothing of claims (the upstream backend, an
 * application's own `put`) are not held back.
 */

import { fault } from "../../adapters/fault.js";
import { isAtOrBelow } from "../../adapters/key-path.js";
import type { GraphStore } from "../../protocol/types.js";
import { below, putItems, removeItems, scan, type Place } from "./items.js";

/** What is claimed: files by path, or everything at and below a path. */
export interface Claim {
  readonly paths: readonly string[];
  readonly below?: string;
}

/** Proof of holding a claim. */
export interface Hold {
  /**
   * To be called right before a `put`.
   *
   * @throws A `conflict` fault when the claim may have been taken over meanwhile.
   */
  confirm(): void;
}

/** Where claims span: all processes that use the store, or this one. */
export type LockScope = "store" | "process";

/** The namespace below the files in which claims are kept. */
export const LOCK_LABEL = "deepfs-locks";

/** How long a claim counts that does not change, in milliseconds. */
const LEASE_MS = 10_000;
/** How long a writer waits for others before it reports a conflict, in milliseconds. */
const WAIT_MS = 30_000;
/** More paths than this are claimed as one: everything. */
const LISTED_PATHS = 64;

interface Waiting {
  readonly claim: Claim;
  readonly done: Promise<void>;
}

type Queues = WeakMap<GraphStore, Map<string, Set<Waiting>>>;

/**
 * Claims of this process, in the order they came, by store and namespace. A process may have loaded deepfs twice, as an
 * ES module and as a CommonJS one; they share the queues.
 */
const QUEUES = Symbol.for("deepfs.store.queues");
const queues: Queues = ((globalThis as { [QUEUES]?: Queues })[QUEUES] ??= new WeakMap());

/** Runs `task` while nothing else changes the claimed paths. */
export async function holding<T>(
  place: Place,
  claim: Claim,
  scope: LockScope,
  task: (hold: Hold) => Promise<T>,
): Promise<T> {
  const narrow = claim.paths.length > LISTED_PATHS ? { paths: [], below: "/" } : claim;
  const leave = await queueUp(place, narrow);
  try {
    if (scope === "process") return await task({ confirm: () => undefined });
    const held = await claimInStore(below(place, LOCK_LABEL), narrow);
    try {
      return await task(held);
    } finally {
      await held.release();
    }
  } finally {
    leave();
  }
}

/** Whether two claims have a path in common, or one claims a folder above what the other claims: a path is only one. */
export function overlap(one: Claim, other: Claim): boolean {
  return covers(one, other) || covers(other, one);
}

function covers(outer: Claim, inner: Claim): boolean {
  const roots = inner.below === undefined ? inner.paths : [...inner.paths, inner.below];
  const bases = outer.below === undefined ? outer.paths : [...outer.paths, outer.below];
  return roots.some((path) => bases.some((base) => isAtOrBelow(path, base)));
}

async function queueUp(place: Place, claim: Claim): Promise<() => void> {
  const ofStore = queues.get(place.store) ?? new Map<string, Set<Waiting>>();
  queues.set(place.store, ofStore);
  const name = place.namespace.join("/");
  const queue = ofStore.get(name) ?? new Set<Waiting>();
  ofStore.set(name, queue);

  let finish = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const earlier = [...queue].filter((waiting) => overlap(waiting.claim, claim)).map((waiting) => waiting.done);
  const mine = { claim, done };
  queue.add(mine);
  await Promise.all(earlier);
  return () => {
    queue.delete(mine);
    if (queue.size === 0) ofStore.delete(name);
    finish();
  };
}

interface StoreHold extends Hold {
  release(): Promise<void>;
}

/** Claims of others that were seen, with when each last changed, by our clock. */
type Seen = Map<string, { beat: number; since: number }>;

async function claimInStore(locks: Place, claim: Claim): Promise<StoreHold> {
  const mine = new StoreClaim(locks, claim);
  const started = performance.now();
  const seen: Seen = new Map();
  try {
    for (let round = 0; ; round++) {
      await mine.announce();
      const others = await livingClaims(locks, claim, mine.id, seen);
      if (others.length === 0) return mine.hold();
      if (performance.now() - started > WAIT_MS) {
        throw fault("conflict", "another process has been changing the file for too long; try again later");
      }
      if (others.some((other) => other < mine.id)) {
        await mine.withdraw();
        // Only show up again once the older claims are gone: claims that come and go keep everyone waiting.
        do {
          await pause(round);
        } while (
          performance.now() - started < WAIT_MS &&
          (await livingClaims(locks, claim, mine.id, seen)).some((other) => other < mine.id)
        );
      } else {
        await pause(round);
      }
    }
  } catch (thrown) {
    await mine.withdraw().catch(() => undefined);
    throw thrown;
  }
}

/** The item that stands for one claim of this process. */
class StoreClaim {
  readonly id = newId();
  private beat = 0;
  /** When the item was last put for certain; -Infinity while it is not there. */
  private putAt = Number.NEGATIVE_INFINITY;
  /** The put that is on its way, if any. There is never a second one: after a withdrawal it would bring the item back. */
  private putting: Promise<void> | null = null;

  constructor(
    private readonly locks: Place,
    private readonly claim: Claim,
  ) {}

  /** Puts the item, or puts it again when it has become a little old. */
  announce(): Promise<void> {
    if (this.ageMs() < LEASE_MS / 4) return Promise.resolve();
    this.putting ??= this.put().finally(() => {
      this.putting = null;
    });
    return this.putting;
  }

  async withdraw(): Promise<void> {
    // A put that is still on its way would bring the item back.
    await this.putting?.catch(() => undefined);
    this.putAt = Number.NEGATIVE_INFINITY;
    if (this.beat > 0) await removeItems(this.locks, [this.id]);
  }

  private async put(): Promise<void> {
    const { paths, below: base } = this.claim;
    const at = performance.now();
    await putItems(this.locks, [[this.id, { paths, ...(base && { below: base }), beat: this.beat++ }]]);
    this.putAt = at;
  }

  hold(): StoreHold {
    const timer = setInterval(() => void this.announce().catch(() => undefined), LEASE_MS / 8);
    return {
      confirm: () => {
        if (this.ageMs() > LEASE_MS / 2)
          throw fault("conflict", "this process was held up while it changed the file; read it again and retry");
      },
      release: async () => {
        clearInterval(timer);
        // What was to be done is done: a claim that cannot be removed now runs out by itself.
        await this.withdraw().catch(() => undefined);
      },
    };
  }

  private ageMs(): number {
    return performance.now() - this.putAt;
  }
}

/** Ids of claims of others on the same paths; those that have run out are removed. */
async function livingClaims(locks: Place, claim: Claim, own: string, seen: Seen): Promise<string[]> {
  const living: string[] = [];
  for (const [id, item] of await scan(locks)) {
    const value = item.value as { paths?: string[]; below?: string; beat?: number } | null;
    const theirs: Claim = { paths: value?.paths ?? [], ...(value?.below && { below: value.below }) };
    if (id === own || !overlap(theirs, claim)) continue;
    const beat = value?.beat ?? 0;
    const before = seen.get(id);
    if (before === undefined || before.beat !== beat) {
      seen.set(id, { beat, since: performance.now() });
    } else if (performance.now() - before.since > LEASE_MS) {
      await removeItems(locks, [id]);
      continue;
    }
    living.push(id);
  }
  return living;
}

/** Ids order by age, so that who came first goes first; on clocks that differ this costs fairness, not safety. */
function newId(): string {
  const random = crypto.getRandomValues(new Uint32Array(3));
  return `${Date.now().toString(36).padStart(9, "0")}-${[...random].map((part) => part.toString(36)).join("")}`;
}

/** Waits a little longer each round, never the same for two writers. */
function pause(round: number): Promise<void> {
  const longest = Math.min(4 * 2 ** Math.min(round, 4), 50);
  return new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * longest));
}
