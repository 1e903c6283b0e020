/** A thread on Postgres whose processes are killed: between two turns, and in the middle of one. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { base64, picture } from "../middleware/blob-thread.js";
import { startPostgres } from "../services/postgres.mjs";
import { testFolder } from "../support/folder.js";

const AGENT = fileURLToPath(new URL("../services/agent-process.mjs", import.meta.url));

interface Said {
  waits?: true;
  answers: string[];
  media: unknown[];
}

/** Runs one turn in a process of its own, which is killed as soon as it has said how far it got. */
async function turnOf(thread: object, turn: "first" | "second" | "resumed"): Promise<Said> {
  const child = spawn(process.execPath, [AGENT, JSON.stringify({ ...thread, turn })], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  let complaints = "";
  child.stderr.on("data", (text: Buffer) => (complaints += text.toString()));
  const line = await Promise.race([once(createInterface({ input: child.stdout }), "line"), ended.then(() => null)]);
  child.kill("SIGKILL");
  await ended;
  if (line === null) throw new Error(`The agent ended without a word: ${complaints}`);
  return JSON.parse(String(line[0])) as Said;
}

describe("a thread whose process is killed", () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  let database: Client;
  beforeAll(async () => {
    postgres = await startPostgres();
    database = new Client(postgres.url);
    await database.connect();
  });
  afterAll(async () => {
    await database.end();
    await postgres.stop();
  });

  /** How many of the histories in the checkpoints hold a text. */
  async function historiesWith(text: string): Promise<number> {
    const counts = ["checkpoint_blobs", "checkpoint_writes"].map(async (table) => {
      const query = `SELECT count(*)::int AS n FROM ${table} WHERE channel = 'messages' AND position(convert_to($1, 'UTF8') IN blob) > 0`;
      return (await database.query<{ n: number }>(query, [text])).rows[0]?.n ?? 0;
    });
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  test.each([
    { place: "state", what: "everything in the state", offloads: false },
    { place: "store", what: "files in the state, blobs in a store", offloads: true },
    { place: "disk", what: "files and blobs on the disk", offloads: true },
  ])("$what", { timeout: 120_000 }, async ({ place, offloads }) => {
    const folder = testFolder();
    const [sent, file] = [picture(600), picture(600)];
    folder.file("ws/pictures/read.png", file);
    const thread = {
      url: postgres.url,
      thread: `thread-${place}`,
      place,
      root: folder.ws,
      sent: base64(sent),
      file: base64(file),
    };
    // What the model sees of the two pictures: the one that was sent, and the one that was read.
    const pictures = [
      { type: "image_url", image_url: { url: `data:image/png;base64,${base64(sent)}` } },
      { type: "image", mimeType: "image/png", data: base64(file) },
    ];

    const first = await turnOf(thread, "first");
    expect(first.media).toEqual(pictures);
    expect(await turnOf(thread, "second")).toEqual({ waits: true });
    const { answers, media } = await turnOf(thread, "resumed");
    expect(media).toEqual(pictures);
    expect(answers.slice(first.answers.length)).toEqual([
      "Successfully wrote to '/draft.md'",
      "waited",
      "Successfully replaced 1 occurrence(s) in '/draft.md'",
      expect.stringMatching(/one\n2$/),
      expect.stringMatching(/final$/),
      expect.stringMatching(/^(?=[^]*\/draft\.md)(?=[^]*\/notes\.md)(?=[^]*\/pictures\/read\.png)/),
    ]);
    // What a tool gives never gets into the history; what the user sends is moved out by the first step.
    expect((await historiesWith(base64(file))) === 0).toBe(offloads);
  });
});
