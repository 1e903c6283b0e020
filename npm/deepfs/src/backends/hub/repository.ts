/**
 * One repository of the Hub: its files as they are known here, and the way changes get there.
 *
 * - The repository is pulled when it is first needed, once for all who wait, and then kept.
 * - Changes are taken in the order of the calls. Those within {@link COALESCE_MS} become one commit, and one commit is
 *   under way at a time. Reads see what has been taken, before it is committed.
 * - A commit names its parent. When the Hub refuses it because another writer was first, the latest commit is pulled and
 *   every intent is worked out again on it; one that does not apply any more is a conflict for its caller alone.
 * - When a commit fails for good, nothing that is known counts any more: the next call pulls again.
 */

import { fault, type Fault, isFault } from "../../adapters/fault.js";
import { type Failure, isFailure } from "../../binding/contract.js";
import { type HubClient, hubFault, type HubTree, isConflict, pullTree } from "./client.js";
import { commitHashOf } from "./commit-url.js";
import { applied, applyTo, type Changes, type HubFiles, type Intent, type Plan } from "./intents.js";

/** How long a commit waits for further changes, in milliseconds. */
export const COALESCE_MS = 50;
/** How often a commit is tried again after another writer was first. */
const MOST_RETRIES = 3;

/** One caller's change, on its way. */
interface Taken {
  readonly intent: Intent;
  plan: Plan;
  readonly settle: (outcome: Plan | Fault) => void;
}

interface Batch {
  taken: Taken[];
  /** Resolves when no further change is waited for. */
  readonly ready: Promise<void>;
}

export class HubRepository {
  private tree: HubTree | null = null;
  /** The files with what has been taken; null when they have to be put together anew. */
  private view: Map<string, string> | null = null;
  private loading: Promise<HubTree> | null = null;
  /** The last call that changes something; the next one is taken after it. */
  private order: Promise<unknown> = Promise.resolve();
  private pending: Batch | null = null;
  private inFlight: Batch | null = null;
  private isWorking = false;
  private client: Promise<HubClient> | null = null;

  constructor(
    private readonly identifier: string,
    private readonly connect: () => Promise<HubClient>,
  ) {}

  /** The latest commit that is known; pulled if none is. */
  async known(): Promise<HubTree> {
    if (this.tree !== null) return this.tree;
    this.loading ??= this.pull();
    const { loading } = this;
    try {
      const tree = await loading;
      if (this.loading === loading) this.tree = tree;
      return this.tree ?? tree;
    } finally {
      if (this.loading === loading) this.loading = null;
    }
  }

  /** The files, with the changes that have been taken and are not committed yet. */
  async files(): Promise<HubFiles> {
    const { files } = await this.known();
    this.view ??= applied(files, changesOf([...(this.inFlight?.taken ?? []), ...(this.pending?.taken ?? [])]));
    return this.view;
  }

  /** Takes a change. Resolves when it is committed, or with why it is not. */
  async change(intent: Intent): Promise<Plan | Failure> {
    // Loading starts at once, so that the first callers share one pull; that it failed is told when it is this one's turn.
    const loaded = this.known();
    loaded.catch(() => undefined);
    const taken = this.order.then(async () => {
      await loaded;
      return this.take(intent, await this.files());
    });
    this.order = taken.catch(() => undefined);
    const outcome = await taken;
    if (isFailure(outcome)) return outcome;
    const settled = await outcome.done;
    if (isFault(settled)) throw settled;
    return settled;
  }

  private take(intent: Intent, files: HubFiles): Failure | { done: Promise<Plan | Fault> } {
    const plan = intent(files);
    if (isFailure(plan)) return plan;
    if (plan.changes.size === 0) return { done: Promise.resolve(plan) };
    let settle: Taken["settle"] = () => undefined;
    const done = new Promise<Plan | Fault>((resolve) => {
      settle = resolve;
    });
    this.pending ??= { taken: [], ready: new Promise((resolve) => setTimeout(resolve, COALESCE_MS)) };
    this.pending.taken.push({ intent, plan, settle });
    if (this.view !== null) applyTo(this.view, plan.changes);
    if (!this.isWorking) void this.work();
    return { done };
  }

  /** Commits batch after batch until none is left. */
  private async work(): Promise<void> {
    this.isWorking = true;
    for (let batch = this.pending; batch !== null; batch = this.pending) {
      await batch.ready;
      this.pending = null;
      this.inFlight = batch;
      try {
        const tree = await this.commit(batch);
        this.inFlight = null;
        this.moveTo(tree);
        for (const { plan, settle } of batch.taken) settle(plan);
      } catch (thrown) {
        this.dropAll(isFault(thrown) ? thrown : hubFault(thrown), batch);
      }
    }
    this.isWorking = false;
  }

  /** Commits a batch, and gives what is known afterwards; null when that has to be pulled. */
  private async commit(batch: Batch): Promise<HubTree | null> {
    const client = await this.connected();
    for (let retries = 0; ; retries++) {
      const parent = await this.known();
      // What is known may have changed since the changes were taken.
      replay(batch, new Map(parent.files));
      const changes = changesOf(batch.taken);
      if (changes.size === 0) return parent;
      let url: string;
      try {
        url = await client.pushAgent(this.identifier, {
          files: entriesOf(changes),
          ...(parent.commitHash !== null && { parentCommit: parent.commitHash }),
        });
      } catch (thrown) {
        if (!isConflict(thrown) || retries >= MOST_RETRIES) throw thrown;
        // Two writers in step would meet again; a wait of random length parts them.
        await new Promise((resolve) => setTimeout(resolve, Math.random() * COALESCE_MS * 2 ** retries));
        this.moveTo(await this.pull());
        continue;
      }
      const commitHash = commitHashOf(url, this.identifier);
      if (commitHash !== null && parent.commitHash !== null) {
        return { files: applied(parent.files, changes), links: parent.links, commitHash };
      }
      // Without a parent the commit may have come on top of others; without a hash there is no parent for the next one.
      // The change is committed whether or not this look succeeds.
      return this.pull().catch(() => null);
    }
  }

  /** Makes a commit the known one, and works out on it what is still to be committed. */
  private moveTo(tree: HubTree | null): void {
    this.tree = tree;
    this.view = null;
    if (tree === null) return;
    const files = new Map(tree.files);
    if (this.inFlight !== null) replay(this.inFlight, files);
    if (this.pending !== null) replay(this.pending, files);
    this.view = files;
  }

  private dropAll(problem: Fault, batch: Batch): void {
    const lost = [...batch.taken, ...(this.pending?.taken ?? [])];
    this.tree = null;
    this.view = null;
    this.loading = null;
    this.inFlight = null;
    this.pending = null;
    for (const { settle } of lost) settle(problem);
  }

  private async pull(): Promise<HubTree> {
    try {
      return await pullTree(await this.connected(), this.identifier);
    } catch (thrown) {
      throw isFault(thrown) ? thrown : hubFault(thrown);
    }
  }

  private connected(): Promise<HubClient> {
    this.client ??= this.connect().catch((thrown: unknown) => {
      this.client = null;
      throw thrown;
    });
    return this.client;
  }
}

/** Plans each change again, in order, on `files`; those that do not apply any more are told so and left out. */
function replay(batch: Batch, files: Map<string, string>): void {
  batch.taken = batch.taken.filter((taken) => {
    const plan = taken.intent(files);
    if (isFailure(plan)) {
      taken.settle(fault("conflict", `another writer was first, and the change no longer applies: ${plan.error}`));
      return false;
    }
    taken.plan = plan;
    applyTo(files, plan.changes);
    return true;
  });
}

function entriesOf(changes: Changes): Record<string, { type: "file"; content: string } | null> {
  return Object.fromEntries(
    [...changes].map(([path, content]) => [path, content === null ? null : { type: "file" as const, content }]),
  );
}

function changesOf(taken: readonly Taken[]): Changes {
  return new Map(taken.flatMap(({ plan }) => [...plan.changes]));
}
