/**
 * A process of its own that edits a file in a Postgres store: `node store-editor.mjs <url> <file> <name> <edits>`.
 * It waits for a line on standard input, puts one line before the end mark for each edit, all at once, and prints which
 * it was told are done.
 */

import { once } from "node:events";
import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import { StoreBackend } from "deepfs";

const [url, file, name, edits] = process.argv.slice(2);
const store = PostgresStore.fromConnString(url);
await store.setup();
const backend = new StoreBackend({ store, namespace: ["edits"] });
process.stdout.write("ready\n");
await once(process.stdin, "data");
const wanted = Array.from({ length: Number(edits) }, (_, n) => `${name}-${n}`);
const results = await Promise.all(wanted.map((line) => backend.edit(file, "END", `${line}\nEND`)));
const done = wanted.filter((_, n) => results[n].error === undefined);
const codes = results.flatMap(({ code }) => (code === undefined ? [] : [code]));
process.stdout.write(`${JSON.stringify({ done, codes })}\n`);
await store.stop();
process.exit(0);
