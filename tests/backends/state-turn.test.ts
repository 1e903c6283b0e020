/** `StateBackend` under an agent: the tool calls of one model turn run as parallel tasks. */

import { StateBackend } from "deepfs";
import { describe, expect, test } from "vitest";
import { editCall, runTurns, scriptedModel, type ToolCall } from "../support/agent.js";
import { record } from "../support/records.js";

const options = { backend: new StateBackend() };

describe("calls of one model turn", () => {
  // Case state-parallel.
  test("two edits of one file both survive", async () => {
    const { files, answers } = await runTurns(
      [[editCall("/a.txt", "one", "1"), editCall("/a.txt", "two", "2")]],
      { "/a.txt": record("one\ntwo\n") },
      options,
    );
    expect(files).toEqual({ "/a.txt": "1\n2\n" });
    expect(answers).toEqual([
      "Successfully replaced 1 occurrence(s) in '/a.txt'",
      "Successfully replaced 1 occurrence(s) in '/a.txt'",
    ]);
  });

  test("twenty edits of one file all survive", async () => {
    const lines = Array.from({ length: 20 }, (_, index) => index);
    const calls = lines.map((line) => editCall("/a.txt", `<L${line}>`, `<D${line}>`));
    const { files } = await runTurns(
      [calls],
      { "/a.txt": record(lines.map((line) => `<L${line}>\n`).join("")) },
      options,
    );
    expect(files).toEqual({ "/a.txt": lines.map((line) => `<D${line}>\n`).join("") });
  });

  test("an edit of what the same turn writes", async () => {
    const write: ToolCall = ["write_file", { file_path: "/new.txt", content: "one two" }];
    const { files } = await runTurns([[write, editCall("/new.txt", "two", "2")]], {}, options);
    expect(files).toEqual({ "/new.txt": "one 2" });
  });

  test("two edits that contradict each other: the second is told so", async () => {
    const { files, answers } = await runTurns(
      [[editCall("/a.txt", "one", "1"), editCall("/a.txt", "one", "2")]],
      { "/a.txt": record("one") },
      options,
    );
    expect(files).toEqual({ "/a.txt": "1" });
    expect(answers[1]).toMatch(/not found/i);
  });

  test("a delete and an edit of one file: it is gone, whichever came first", async () => {
    const { files, answers } = await runTurns(
      [[["delete", { file_path: "/a.txt" }], editCall("/a.txt", "one", "1")]],
      { "/a.txt": record("one"), "/b.txt": record("b") },
      options,
    );
    expect(files).toEqual({ "/b.txt": "b" });
    expect(answers[0]).toBe("Deleted /a.txt");
  });

  test("turns follow each other", async () => {
    const { files } = await runTurns(
      [
        [editCall("/a.txt", "one", "1")],
        [editCall("/a.txt", "1", "eins"), editCall("/a.txt", "two", "2")],
        [editCall("/a.txt", "2", "zwei")],
      ],
      { "/a.txt": record("one two") },
      options,
    );
    expect(files).toEqual({ "/a.txt": "eins zwei" });
  });

  test("made from a runtime in a factory", async () => {
    const backend = (runtime: { state: unknown }): StateBackend => new StateBackend(runtime);
    const { files } = await runTurns(
      [[editCall("/a.txt", "one", "1"), editCall("/a.txt", "two", "2")]],
      { "/a.txt": record("one\ntwo\n") },
      { backend },
    );
    expect(files).toEqual({ "/a.txt": "1\n2\n" });
  });

  test("a subagent shares the files of its caller", async () => {
    const model = scriptedModel([[editCall("/a.txt", "one", "1"), editCall("/a.txt", "two", "2")]]);
    const subagents = [{ name: "helper", description: "helps", systemPrompt: "help", model }];
    const { files } = await runTurns(
      [[["task", { description: "do", subagent_type: "helper" }]], [editCall("/a.txt", "three", "3")]],
      { "/a.txt": record("one two three") },
      { backend: new StateBackend(), subagents },
    );
    expect(files).toEqual({ "/a.txt": "1 2 3" });
  });
});
