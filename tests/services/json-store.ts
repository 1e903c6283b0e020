/**
 * A store that keeps JSON text and takes time, as every networked store does, in memory: it shows what `InMemoryStore`
 * hides (shared objects, bytes that JSON turns into plain objects, reads and writes that interleave).
 *
 * `search` matches namespaces by the start of their joined text, as the Postgres store does.
 */

import { BaseStore } from "@langchain/langgraph-checkpoint";
import type {
  GetOperation,
  Item,
  ListNamespacesOperation,
  Operation,
  OperationResults,
  PutOperation,
  SearchOperation,
} from "@langchain/langgraph-checkpoint";

interface Row {
  namespace: string[];
  key: string;
  json: string;
  createdAt: Date;
  updatedAt: Date;
}

export interface JsonStoreOptions {
  /** How long each operation takes, in milliseconds (default 0: one turn of the event loop). */
  latencyMs?: number;
  /** Rows of another store: two stores over one map stand for two processes over one database. */
  rows?: Map<string, Row>;
}

export class JsonStore extends BaseStore {
  readonly rows: Map<string, Row>;
  /** Called before each operation; throws or rejects to let it fail. */
  failing: ((operation: Operation) => void) | undefined;
  /** Bytes of values handed out by `get` and `search`. */
  bytesRead = 0;
  readonly #latencyMs: number;

  constructor(options: JsonStoreOptions = {}) {
    super();
    this.rows = options.rows ?? new Map<string, Row>();
    this.#latencyMs = options.latencyMs ?? 0;
  }

  async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const results: unknown[] = [];
    for (const operation of operations) {
      await this.#pause();
      this.failing?.(operation);
      results.push(this.#run(operation));
      await this.#pause();
    }
    return results as OperationResults<Op>;
  }

  #run(operation: Operation): unknown {
    if ("namespacePrefix" in operation) return this.#search(operation);
    if ("value" in operation) return this.#put(operation);
    if ("key" in operation) return this.#get(operation);
    return this.#namespaces(operation);
  }

  #get(operation: GetOperation): Item | null {
    const row = this.rows.get(rowKey(operation.namespace, operation.key));
    return row === undefined ? null : this.#item(row);
  }

  #put(operation: PutOperation): void {
    const at = rowKey(operation.namespace, operation.key);
    if (operation.value === null) {
      this.rows.delete(at);
      return;
    }
    const now = new Date();
    this.rows.set(at, {
      namespace: [...operation.namespace],
      key: operation.key,
      json: JSON.stringify(operation.value),
      createdAt: this.rows.get(at)?.createdAt ?? now,
      updatedAt: now,
    });
  }

  #search(operation: SearchOperation): Item[] {
    const prefix = operation.namespacePrefix.join(":");
    const offset = operation.offset ?? 0;
    return [...this.rows.values()]
      .filter((row) => row.namespace.join(":").startsWith(prefix))
      .filter((row) => matches(JSON.parse(row.json) as Record<string, unknown>, operation.filter))
      .slice(offset, offset + (operation.limit ?? 10))
      .map((row) => this.#item(row));
  }

  #namespaces(operation: ListNamespacesOperation): string[][] {
    const all = new Map([...this.rows.values()].map((row) => [row.namespace.join(":"), row.namespace]));
    return [...all.values()].slice(operation.offset, operation.offset + operation.limit);
  }

  #item(row: Row): Item {
    this.bytesRead += Buffer.byteLength(row.json);
    return {
      namespace: [...row.namespace],
      key: row.key,
      value: JSON.parse(row.json) as Record<string, unknown>,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
    };
  }

  #pause(): Promise<void> {
    const half = this.#latencyMs / 2;
    return new Promise((resolve) => (half > 0 ? setTimeout(resolve, half) : setImmediate(resolve)));
  }
}

function rowKey(namespace: string[], key: string): string {
  return JSON.stringify([namespace, key]);
}

function matches(value: Record<string, unknown>, filter: Record<string, unknown> | undefined): boolean {
  return Object.entries(filter ?? {}).every(([field, wanted]) => {
    if (typeof wanted !== "object" || wanted === null) return value[field] === wanted;
    // Equality is all this store can; an operator it does not know matches nothing, as in InMemoryStore.
    return false;
  });
}
