/** Every way to have a folder of the disk behind a backend. A test of files on a disk runs on each. */

import { describe } from "vitest";
import type { BackendProtocolV2 } from "deepfs";
import { deepfs } from "../support/backend.js";
import { type Counted, fault } from "../support/fault.js";
import { type TestFolder, testFolder } from "../support/folder.js";

const { CompositeBackend, FilesystemBackend, LocalShellBackend, StateBackend } = deepfs;

/** A test's folder and a backend on it. */
export interface Place extends TestFolder {
  backend: BackendProtocolV2;
  /** The backend's own path of a virtual path of the folder. */
  at(path: string): string;
}

interface DiskForm {
  name: string;
  /** Whether the backend can not leave the folder. */
  contained: boolean;
  backend(root: string): BackendProtocolV2;
  at(root: string, path: string): string;
}

const asIs = (_root: string, path: string): string => path;

export const DISK_FORMS: DiskForm[] = [
  {
    name: "FilesystemBackend, contained",
    contained: true,
    backend: (root) => FilesystemBackend.createSafe(root),
    at: asIs,
  },
  {
    name: "FilesystemBackend, host paths",
    contained: false,
    backend: (root) => new FilesystemBackend({ rootDir: root }),
    at: (root, path) => root + path,
  },
  {
    name: "LocalShellBackend, contained",
    contained: true,
    backend: (root) => new LocalShellBackend({ rootDir: root, virtualMode: true, globDirectories: false }),
    at: asIs,
  },
  {
    name: "CompositeBackend, disk as default",
    contained: true,
    backend: (root) => new CompositeBackend(FilesystemBackend.createSafe(root), { "/state/": new StateBackend() }),
    at: asIs,
  },
  {
    name: "CompositeBackend, disk on a mount",
    contained: true,
    backend: (root) => new CompositeBackend(new StateBackend(), { "/ws/": FilesystemBackend.createSafe(root) }),
    at: (_root, path) => `/ws${path}`,
  },
];

interface Options {
  timeout?: number;
  /** Containment is promised by the contained forms alone. */
  contained?: boolean;
}

/** A test on every form, counted. */
export function onEveryDisk(
  key: string,
  kind: string,
  body: (place: Place) => Promise<void>,
  options: Options = {},
): void {
  describe(key, () => {
    for (const form of DISK_FORMS.filter(({ contained }) => contained || options.contained !== true)) {
      const counted: Counted = { kind, target: form.name };
      const run = (): Promise<void> => {
        const folder = testFolder();
        return body({ ...folder, backend: form.backend(folder.ws), at: (path) => form.at(folder.ws, path) });
      };
      fault(`${key}, ${form.name}`, counted, run, options.timeout === undefined ? {} : { timeout: options.timeout });
    }
  });
}

/** Text as bytes. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
