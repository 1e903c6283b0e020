/** The stores that StoreBackend is tested on: one that shares objects, one that keeps JSON and takes time, Postgres. */

import { type BaseStore, InMemoryStore } from "@langchain/langgraph-checkpoint";
import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import { JsonStore } from "../services/json-store.js";
import { startPostgres } from "../services/postgres.mjs";

export interface OpenStore {
  readonly store: BaseStore;
  close(): Promise<void>;
}

export interface StoreKind {
  readonly name: string;
  open(): Promise<OpenStore>;
}

const nothing = (): Promise<void> => Promise.resolve();

export const STORES: readonly StoreKind[] = [
  { name: "InMemoryStore", open: () => Promise.resolve({ store: new InMemoryStore(), close: nothing }) },
  { name: "JSON store", open: () => Promise.resolve({ store: new JsonStore(), close: nothing }) },
  {
    name: "Postgres",
    async open() {
      const postgres = await openPostgres();
      return { store: postgres.store, close: () => postgres.close() };
    },
  },
];

/** A Postgres store over a server of its own, with the bytes that came over its connections. */
export async function openPostgres(): Promise<OpenStore & { url: string; bytesReceived(): number }> {
  const server = await startPostgres();
  const { store, bytesReceived } = connectTo(server.url);
  await store.setup();
  return {
    store,
    url: server.url,
    bytesReceived,
    async close() {
      await store.stop();
      await server.stop();
    },
  };
}

/** One more Postgres store over a server, as another process would have it. */
export function connectTo(url: string): { store: PostgresStore; bytesReceived(): number } {
  const store = PostgresStore.fromConnString(url);
  let bytes = 0;
  const { pool } = (store as unknown as { core: { pool: Pool } }).core;
  pool.on("connect", ({ connection }) => connection.stream.on("data", (chunk) => (bytes += chunk.length)));
  return { store, bytesReceived: () => bytes };
}

interface Pool {
  on(event: "connect", seen: (client: { connection: { stream: NodeJS.ReadableStream } }) => void): void;
}
