// Makes one call in a process of its own and tells what it took: node measured.mjs '{"root", "options", "method", "args"}'

import { FilesystemBackend } from "deepfs";

const { root, options, method, args } = JSON.parse(process.argv[2]);
const backend = FilesystemBackend.createSafe(root, options);
// What every first call costs: threads, handles, code.
await backend.ls("/no-such-folder");
await backend.grep("x", "/no-such-folder");

const highWater = () => process.resourceUsage().maxRSS / 1024;
const [before, started] = [highWater(), performance.now()];
const answer = await backend[method](...args);
const [millis, grownMib] = [performance.now() - started, highWater() - before];

const text = JSON.stringify(answer);
const rows = answer.files?.length ?? answer.matches?.length ?? 0;
process.stdout.write(
  JSON.stringify({
    answer: text.length < 4_000 ? answer : null,
    length: text.length,
    rows,
    truncated: answer.truncated === true,
    millis,
    grownMib,
  }),
);
