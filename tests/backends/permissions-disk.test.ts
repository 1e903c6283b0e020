/** Rules and links on a real disk: perm-symlink. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CompositeBackend,
  FilesystemBackend,
  type FilesystemPermission,
  StateBackend,
  withPermissions,
  withPolicy,
} from "deepfs";
import { expect, onTestFinished, test } from "vitest";
import { paths } from "./memory-mounts.js";

const SECRETS: FilesystemPermission[] = [{ operations: ["read", "write"], paths: ["/secrets/**"], mode: "deny" }];

/** `/secrets/key`, and in `/pub` links to the folder, to the file, and to a file there that does not exist. */
function workspace(): string {
  const root = mkdtempSync(join(tmpdir(), "deepfs-rules-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "secrets"));
  mkdirSync(join(root, "pub"));
  writeFileSync(join(root, "secrets/key"), "TOP");
  writeFileSync(join(root, "pub/a.txt"), "TOP of a page");
  symlinkSync("../secrets", join(root, "pub/s"));
  symlinkSync("../secrets/key", join(root, "pub/k"));
  symlinkSync("../secrets/new", join(root, "pub/dangling"));
  symlinkSync("a.txt", join(root, "pub/fine"));
  return root;
}

test("perm-symlink: no link leads to what is denied", async () => {
  const root = workspace();
  const guarded = withPermissions(FilesystemBackend.createSafe(root), SECRETS);
  for (const path of ["/pub/s/key", "/pub/k", "/pub/./k", "/pub/s/../k"]) {
    expect(await guarded.read(path)).toMatchObject({ error: expect.any(String) });
    expect(await guarded.edit(path, "TOP", "PWN")).toMatchObject({ error: expect.any(String) });
    expect(await guarded.write(path, "PWN")).toMatchObject({ error: expect.any(String) });
  }
  for (const path of ["/pub/s/new", "/pub/s/deep/new", "/pub/dangling"]) {
    expect(await guarded.write(path, "PWN")).toMatchObject({ code: "denied" });
    expect(await guarded.uploadFiles?.([[path, new Uint8Array([1])]])).toMatchObject([{ code: "denied" }]);
  }
  expect(await guarded.ls("/pub/s")).toMatchObject({ code: "denied" });
  expect(await guarded.delete?.("/pub/s/key")).toMatchObject({ code: "denied" });
  expect(await guarded.downloadFiles?.(["/pub/k", "/pub/fine"])).toMatchObject([{ code: "denied" }, { error: null }]);
  expect(paths(await guarded.grep("TOP"))).not.toContain("/pub/k");
  expect(paths(await guarded.grep("TOP"))).toContain("/pub/a.txt");
  expect(paths(await guarded.grep("TOP", "/pub/s"))).toEqual([]);
  expect(readFileSync(join(root, "secrets/key"), "utf8")).toBe("TOP");
});

test("a link inside what is allowed works, and is what is deleted", async () => {
  const root = workspace();
  const guarded = withPermissions(FilesystemBackend.createSafe(root), SECRETS);
  expect(await guarded.read("/pub/fine")).toMatchObject({ content: "TOP of a page" });
  expect(await guarded.write("/pub/new/deep/file.txt", "x")).toMatchObject({ path: "/pub/new/deep/file.txt" });
  expect(await guarded.delete?.("/pub/k")).toMatchObject({ path: "/pub/k" });
  expect(readFileSync(join(root, "secrets/key"), "utf8")).toBe("TOP");
});

test("through a composite, and for the prefixes of a policy", async () => {
  const root = workspace();
  const disk = FilesystemBackend.createSafe(root);
  const composite = new CompositeBackend(new StateBackend(), { "/disk/": disk });
  const rules: FilesystemPermission[] = [{ operations: ["read"], paths: ["/disk/secrets/**"], mode: "deny" }];
  expect(await withPermissions(composite, rules).read("/disk/pub/k")).toMatchObject({ code: "denied" });
  expect(await withPolicy(disk, { denyPrefixes: ["/secrets"] }).write("/pub/s/new", "x")).toMatchObject({
    code: "denied",
  });
  expect(await withPolicy(disk, { hidePrefixes: ["/secrets"] }).read("/pub/k")).toMatchObject({ code: "denied" });
});

test("below a file there is nothing, behind rules as without them", async () => {
  const bare = FilesystemBackend.createSafe(workspace());
  const guarded = withPermissions(bare, SECRETS);
  expect(await guarded.ls("/pub/a.txt/x")).toEqual(await bare.ls("/pub/a.txt/x"));
  expect(await guarded.grep("TOP", "/pub/a.txt/x")).toEqual(await bare.grep("TOP", "/pub/a.txt/x"));
  expect(await guarded.glob("*", "/pub/a.txt/x")).toEqual(await bare.glob("*", "/pub/a.txt/x"));
  expect(await guarded.write("/pub/a.txt/x", "x")).toEqual(await bare.write("/pub/a.txt/x", "x"));
  expect(await guarded.read("/secrets/key/x")).toMatchObject({ code: "denied" });
});

test("delete-link: a link is deleted behind rules, wherever it leads", async () => {
  const root = workspace();
  symlinkSync(tmpdir(), join(root, "pub/out"));
  symlinkSync("loop", join(root, "pub/loop"));
  const guarded = withPermissions(FilesystemBackend.createSafe(root), SECRETS);
  for (const path of ["/pub/out", "/pub/loop", "/pub/s", "/pub/k", "/pub/dangling"]) {
    expect(await guarded.delete?.(path)).toMatchObject({ path });
  }
  expect(paths(await guarded.ls("/pub"))).toEqual(["/pub/a.txt", "/pub/fine"]);
  expect(readFileSync(join(root, "secrets/key"), "utf8")).toBe("TOP");
});
