// One of several processes that edit one file: told a round, it makes all its edits at once, through two backends.

import { ATTACKED } from "./attacked.mjs";

const [, , name, folder, number] = process.argv;
const backends = ATTACKED[name].backends(folder).slice(0, 2);

process.on("message", async ({ round, edits }) => {
  const results = await Promise.all(
    Array.from({ length: edits }, (_, at) =>
      backends[at % 2].edit("/shared.txt", `slot ${number}-${at}: free\n`, `slot ${number}-${at}: taken in ${round}\n`),
    ),
  );
  process.send(results.map(({ error, code }) => ({ error, code })));
});
process.send("ready");
