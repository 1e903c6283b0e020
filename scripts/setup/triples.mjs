// The platforms that the addon is built for, as Node names them.

/** Node's name of the platform → Rust's name of it, and what npm needs to pick it. */
export const TRIPLES = {
  "linux-x64-gnu": { rust: "x86_64-unknown-linux-gnu", os: "linux", cpu: "x64", libc: "glibc" },
  "linux-x64-musl": { rust: "x86_64-unknown-linux-musl", os: "linux", cpu: "x64", libc: "musl" },
  "linux-arm64-gnu": { rust: "aarch64-unknown-linux-gnu", os: "linux", cpu: "arm64", libc: "glibc" },
  "linux-arm64-musl": { rust: "aarch64-unknown-linux-musl", os: "linux", cpu: "arm64", libc: "musl" },
  "darwin-x64": { rust: "x86_64-apple-darwin", os: "darwin", cpu: "x64" },
  "darwin-arm64": { rust: "aarch64-apple-darwin", os: "darwin", cpu: "arm64" },
  "win32-x64-msvc": { rust: "x86_64-pc-windows-msvc", os: "win32", cpu: "x64" },
  "win32-arm64-msvc": { rust: "aarch64-pc-windows-msvc", os: "win32", cpu: "arm64" },
};

/** The name of this machine's platform. Its twin in the package is `hostTriple` in `src/binding/native.ts`. */
export function hostTriple() {
  const { platform, arch } = process;
  if (platform === "linux") return `linux-${arch}-${isGlibc() ? "gnu" : "musl"}`;
  return platform === "win32" ? `win32-${arch}-msvc` : `${platform}-${arch}`;
}

function isGlibc() {
  // Without this, the report looks up names on the network.
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime !== undefined;
}
