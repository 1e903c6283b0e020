// What bundlers and runtimes put in place of these imports.

declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}

declare module "*.wasm?module" {
  const module: WebAssembly.Module;
  export default module;
}

/** The bytes of the module; `tsdown.config.ts` fills it in. */
declare module "virtual:deepfs-module" {
  export const moduleBase64: string;
}
