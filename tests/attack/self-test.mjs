// Whether the attack can find anything: stand-ins that take no care are attacked, and each part has to find fault with them.

import { ATTACKED } from "./attacked.mjs";
import { attackByCommands } from "./shell.mjs";
import { attackByEdits } from "./edits.mjs";
import { attackByKills } from "./kills.mjs";
import { attackBySwaps } from "./swaps.mjs";
import { attackTheJail } from "./jail.mjs";

/** Commands that survive a shell which ends alone, and that are easy to get rid of. */
const SURVIVING = ["setsid sleep 50 & sleep 50", "sleep 50 & sleep 50", "trap '' TERM; sleep 50; sleep 50"];

/** Forbidden, and harmless where nothing forbids them. */
const HARMLESS = ["cat $O/secret", "echo x > $O/new", "ls /root"].map((command) => ({ about: "no jail", command }));

/** What each part must have to say about the stand-ins. */
const NOTICED = {
  swaps: [/ told of /, / outside$/],
  kills: [/ is broken: /],
  edits: [/ was lost$/],
  commands: [/ survived: /],
  jail: [/ was not refused: /, / shows the secret$/, /^outside was changed/],
};

/**
 * One answer per part: what it should have noticed and did not.
 *
 * @returns {Promise<{ name: string, found: number, missed: string[] }[]>}
 */
export async function selfTest({ dice }) {
  const attacked = ATTACKED.plain;
  const sections = [
    await attackBySwaps({ operations: 1_500, dice, attacked }),
    await attackByKills({ kills: 10, dice, attacked }),
    await attackByEdits({ rounds: 2, dice, attacked }),
    await attackByCommands({
      commands: Infinity,
      lateAfterMs: 3_000,
      dice,
      attacked,
      all: SURVIVING.map((command) => ({ command })),
    }),
    await attackTheJail({ attacked, all: HARMLESS }),
  ];
  return sections.map(({ name, failures }) => ({
    name,
    found: failures.length,
    missed: NOTICED[name].filter((sign) => !failures.some((failure) => sign.test(failure))).map(String),
  }));
}
