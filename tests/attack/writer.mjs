// Writes and edits without end, until it is killed. Says before and after each change that it is at it.

import { readFileSync, writeSync } from "node:fs";
import { random } from "../differential/random.mjs";
import { ATTACKED } from "./attacked.mjs";
import { contentOf, LENGTHS, versionOf } from "./versions.mjs";

const [, , name, folder, seed] = process.argv;
const dice = random(Number(seed));
const [backend] = ATTACKED[name].backends(folder);
let version = Number(seed) * 1_000;

for (;;) {
  version += 1;
  const content = contentOf(version, dice.pick(LENGTHS));
  const path = `/f${dice.below(6)}.txt`;
  const changes = {
    write: () => backend.write(path, content),
    upload: () => backend.uploadFiles([[path, new TextEncoder().encode(content)]]),
    create: () => backend.write(`/new-${version}/deep/n.txt`, content),
    edit: () => backend.edit(path, `v${versionOf(readFileSync(`${folder}${path}`, "utf8"))}.`, `v${version}.`, true),
  };
  const change = changes[dice.pick(["write", "write", "upload", "create", "edit", "edit"])];
  writeSync(1, "(");
  await change();
  writeSync(1, ")");
}
