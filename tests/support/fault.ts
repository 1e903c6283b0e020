/** Tests that guard against one kind of fault on one backend; `case-table.ts` counts them beside the corpus. */

import { test } from "vitest";

/** What a test tells the table of counts. */
export interface Counted {
  /** The row: paths, links, encodings… */
  kind: string;
  /** The column: the backend and its build. */
  target: string;
}

declare module "vitest" {
  interface TaskMeta {
    counted?: Counted;
  }
}

/** A test named after its fault, counted in the table. */
export function fault(
  name: string,
  counted: Counted,
  body: () => Promise<void> | void,
  options: { timeout?: number } = {},
): void {
  test(name, options, async ({ task }) => {
    task.meta.counted = counted;
    await body();
  });
}
