import { readFileSync } from "node:fs";
import { defineConfig, type UserConfig } from "tsdown";

/** Every entry is a bundle of its own: two that shared a module would share one binding, and each sets its own. */
function entry(name: string, source: string, options: UserConfig = {}): UserConfig {
  return {
    entry: { [name]: source },
    format: "esm",
    platform: "neutral",
    target: "es2022",
    outDir: "dist",
    dts: false,
    clean: false,
    sourcemap: false,
    hash: false,
    fixedExtension: false,
    logLevel: "warn",
    external: [/\.wasm(\?module)?$/],
    plugins: [inlinedModule()],
    ...options,
  };
}

/** Puts the WASM module's bytes in place of `virtual:deepfs-module`. */
function inlinedModule() {
  const id = "virtual:deepfs-module";
  return {
    name: "inlined-module",
    resolveId: (source: string) => (source === id ? `\0${id}` : undefined),
    load: (source: string) =>
      source === `\0${id}`
        ? `export const moduleBase64 = "${readFileSync("wasm/deepfs.wasm").toString("base64")}";`
        : undefined,
  };
}

export default defineConfig([
  entry("node", "src/entries/node.ts", { format: ["esm", "cjs"], platform: "node", dts: true }),
  entry("wasm-node", "src/entries/wasm-node.ts", { format: ["esm", "cjs"], platform: "node" }),
  entry("middleware", "src/entries/middleware.ts", {
    format: ["esm", "cjs"],
    dts: true,
    external: ["deepfs", "deepagents", "langchain"],
  }),
  entry("inline", "src/entries/inline.ts"),
  entry("workerd", "src/entries/workerd.ts"),
  entry("edge-light", "src/entries/edge-light.ts"),
]);
