/** The attack of `npm run attack` in a short form; the numbers there are the ones that count. */

import { describe, expect, test } from "vitest";
import { random } from "../differential/random.mjs";
import { ATTACKED } from "./attacked.mjs";
import { attackByEdits } from "./edits.mjs";
import { hostileCommands } from "./commands.mjs";
import { attackByKills } from "./kills.mjs";
import { attackTheJail } from "./jail.mjs";
import { selfTest } from "./self-test.mjs";
import { attackByCommands } from "./shell.mjs";
import { attackBySwaps } from "./swaps.mjs";

const attacked = ATTACKED.deepfs;
const dice = () => random(Number(process.env["DEEPFS_ATTACK_SEED"] ?? 1));

describe.runIf(process.platform === "linux")("the attack", () => {
  test("swapped links lead nowhere", { timeout: 120_000 }, async () => {
    expect((await attackBySwaps({ operations: 2_000, attacked, dice: dice() })).failures).toEqual([]);
  });

  test("killed writers leave whole files", { timeout: 120_000 }, async () => {
    expect((await attackByKills({ kills: 5, attacked, dice: dice() })).failures).toEqual([]);
  });

  test("parallel edits are all there", { timeout: 120_000 }, async () => {
    expect((await attackByEdits({ rounds: 2, attacked, dice: dice() })).failures).toEqual([]);
  });

  test("hostile commands end and leave nothing", { timeout: 120_000 }, async () => {
    // Beside other tests a command may wait long for a processor; `npm run attack` holds it to 250 ms.
    expect((await attackByCommands({ commands: 10, lateAfterMs: 5_000, attacked, dice: dice() })).failures).toEqual([]);
    expect(hostileCommands().length).toBeGreaterThanOrEqual(300);
  });

  test("the jail refuses what is forbidden", { timeout: 120_000 }, async () => {
    expect((await attackTheJail({ attacked })).failures).toEqual([]);
  });

  test("each part of the attack finds fault with what takes no care", { timeout: 120_000 }, async () => {
    const answers = await selfTest({ dice: dice() });
    expect(answers.map(({ name, missed }) => [name, missed])).toEqual(
      ["swaps", "kills", "edits", "commands", "jail"].map((name) => [name, []]),
    );
  });
});
