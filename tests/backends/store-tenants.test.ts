import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deepfs } from "../support/backend.js";
import { type OpenStore, STORES } from "../support/stores.js";

const { StoreBackend } = deepfs;

/** 200 namespaces that are prefixes and look-alikes of each other. */
function lookAlikes(): string[][] {
  const names = ["a", "ac", "acme", "acme-", "acme-corp", "acme0", "acme00", "acmee", "Acme", "acm"];
  const of = (n: number): string => names[n % names.length] ?? "";
  const namespaces = new Map<string, string[]>();
  for (let n = 0; namespaces.size < 200; n += 1) {
    const depth = 1 + (n % 4);
    const labels = Array.from({ length: depth }, (_, level) => of(Math.floor(n / 4 / names.length ** level)));
    if (n >= 4000) labels.push(`x${n}`);
    namespaces.set(labels.join("/"), labels);
  }
  return [...namespaces.values()];
}

describe.each(STORES)("200 look-alike tenants on $name", ({ open }) => {
  let opened: OpenStore;
  const namespaces = lookAlikes();
  const tenant = (namespace: string[]) => new StoreBackend({ store: opened.store, namespace });
  beforeAll(async () => {
    opened = await open();
    for (const namespace of namespaces) {
      const name = namespace.join("/");
      const own = tenant(namespace);
      await own.write("/secret.md", `CONFIDENTIAL ${name}\n`);
      await own.write(`/only/${namespace.join("-")}.md`, `CONFIDENTIAL ${name} ${"long ".repeat(600)}\n`);
    }
  }, 180_000);
  afterAll(() => opened.close());

  test("store-ns-leak: no tenant sees anything of another", async () => {
    expect(namespaces).toHaveLength(200);
    for (const namespace of namespaces) {
      const own = tenant(namespace);
      const name = namespace.join("/");
      const file = `/only/${namespace.join("-")}.md`;
      expect((await own.ls("/only")).files?.map(({ path }) => path)).toEqual([file]);
      expect((await own.glob("**/*")).files?.map(({ path }) => path).sort()).toEqual([file, "/secret.md"].sort());
      const { matches = [] } = await own.grep("CONFIDENTIAL");
      expect(matches.map(({ path, text }) => [path, text.startsWith(`CONFIDENTIAL ${name}`)])).toEqual([
        [file, true],
        ["/secret.md", true],
      ]);
    }
  }, 180_000);

  test("no tenant changes or removes anything of another", async () => {
    const [victim = [], ...others] = namespaces.filter((namespace) => namespace[0] === "acme");
    expect(others.length).toBeGreaterThan(10);
    await tenant(victim).edit("/secret.md", "CONFIDENTIAL", "CHANGED");
    await tenant(victim).delete("/only");
    for (const namespace of others) {
      const own = tenant(namespace);
      expect((await own.read("/secret.md")).content).toBe(`CONFIDENTIAL ${namespace.join("/")}\n`);
      expect((await own.ls("/only")).files).toHaveLength(1);
    }
    expect(await tenant(victim).ls("/only")).toEqual({ files: [] });
  }, 60_000);
});
