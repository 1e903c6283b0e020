/** Every backend as an agent is given it, and what its files belong to. */

import { InMemoryStore } from "@langchain/langgraph";
import type { createDeepAgent } from "deepagents";
import {
  CompositeBackend,
  ContextHubBackend,
  FilesystemBackend,
  LocalShellBackend,
  StateBackend,
  StoreBackend,
  withPermissions,
  withPolicy,
} from "deepfs";
import { Client } from "langsmith";
import { onTestFinished } from "vitest";
import { startHubEmulator } from "../services/hub-emulator.mjs";
import { JsonStore } from "../services/json-store.js";
import { testFolder } from "../support/folder.js";

export type Setting = Pick<NonNullable<Parameters<typeof createDeepAgent>[0]>, "backend" | "store">;

export interface Kind {
  name: string;
  /** The folder that the files are in. */
  folder: string;
  /** Whether another thread finds the files. */
  outlivesThreads: boolean;
  open(): Setting | Promise<Setting>;
}

const denyNothingUsed = [{ operations: ["write" as const], paths: ["/secrets/**"], mode: "deny" as const }];

export const KINDS: readonly Kind[] = [
  {
    name: "StateBackend",
    folder: "",
    outlivesThreads: false,
    open: () => ({ backend: new StateBackend() }),
  },
  {
    name: "FilesystemBackend",
    folder: "",
    outlivesThreads: true,
    open: () => ({ backend: FilesystemBackend.createSafe(testFolder().ws) }),
  },
  {
    name: "LocalShellBackend",
    folder: "",
    outlivesThreads: true,
    open: () => {
      const backend = new LocalShellBackend({ rootDir: testFolder().ws, virtualMode: true });
      onTestFinished(() => backend.close());
      return { backend };
    },
  },
  {
    name: "StoreBackend, one namespace for all",
    folder: "",
    outlivesThreads: true,
    open: () => ({ backend: new StoreBackend({ namespace: ["shared"] }), store: new InMemoryStore() }),
  },
  {
    name: "StoreBackend, a namespace per thread, on a store of JSON",
    folder: "",
    outlivesThreads: false,
    open: () => ({
      backend: new StoreBackend({ namespace: (rt) => [rt.executionInfo.threadId, "filesystem"] }),
      store: new JsonStore(),
    }),
  },
  {
    name: "ContextHubBackend, emulator of the Hub",
    folder: "",
    outlivesThreads: true,
    open: async () => {
      const hub = await startHubEmulator();
      onTestFinished(() => hub.stop());
      const client = new Client({ apiUrl: hub.url, apiKey: "emulator" });
      return { backend: new ContextHubBackend("agent-files", { client }) };
    },
  },
  {
    name: "CompositeBackend, state as default",
    folder: "",
    outlivesThreads: false,
    open: composite,
  },
  {
    name: "CompositeBackend, a store on a route",
    folder: "/memories",
    outlivesThreads: true,
    open: composite,
  },
  {
    name: "withPermissions, disk",
    folder: "",
    outlivesThreads: true,
    open: () => ({ backend: withPermissions(FilesystemBackend.createSafe(testFolder().ws), denyNothingUsed) }),
  },
  {
    name: "withPermissions, state",
    folder: "",
    outlivesThreads: false,
    open: () => ({ backend: withPermissions(new StateBackend(), denyNothingUsed) }),
  },
  {
    name: "withPolicy, state",
    folder: "",
    outlivesThreads: false,
    open: () => ({ backend: withPolicy(new StateBackend(), { denyPrefixes: ["/policies/"] }) }),
  },
  {
    name: "withPolicy, a store",
    folder: "",
    outlivesThreads: true,
    open: () => ({
      backend: withPolicy(new StoreBackend({ namespace: ["shared"] }), { denyPrefixes: ["/policies/"] }),
      store: new InMemoryStore(),
    }),
  },
];

function composite(): Setting {
  const routes = { "/memories/": new StoreBackend({ namespace: ["memories"] }) };
  return { backend: new CompositeBackend(new StateBackend(), routes), store: new InMemoryStore() };
}
