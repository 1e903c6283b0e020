// What the addon exports below the package, where arguments meet the conversion of the glue: it may throw, but neither end the
// process nor spoil an object.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { PACKAGE } from "../../scripts/setup/paths.mjs";

export function rawSubjects(load, root) {
  const folder = join(PACKAGE, "native");
  const [name] = readdirSync(folder).filter((file) => file.endsWith(".node"));
  const addon = load(join(folder, name));
  const memory = new addon.Memory({});
  const disk = new addon.Disk({ root, contained: true });
  // Commands of arbitrary text run where they can do no harm, or not at all.
  const shell = jailed(addon, root);
  const subject = (object) => ({
    methods: Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter((method) => method !== "constructor"),
    call: (method, args) => object[method](...args),
  });
  const functions = Object.keys(addon).filter((name) => !/^[A-Z]/.test(name));
  return {
    "addon functions": { methods: functions, call: (method, args) => addon[method](...args) },
    "addon constructors": {
      methods: ["Memory", "Disk", "Cancel"],
      call: (method, args) => void new addon[method](...args),
    },
    "addon Memory": subject(memory),
    "addon Disk": subject(disk),
    ...(shell === null
      ? {}
      : {
          "addon Shell": {
            methods: ["execute", "close"],
            call: (method, args) => shell[method](...(method === "execute" ? [args[0], 100, args[2]] : args)),
          },
        }),
  };
}

function jailed(addon, root) {
  try {
    const jail = { write: [], read: [], network: false };
    return new addon.Shell({ cwd: root, env: { PATH: "/usr/bin:/bin" }, timeoutMs: 100, maxOutputBytes: 1_000, jail });
  } catch {
    return null;
  }
}
