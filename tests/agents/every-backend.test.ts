/** A deep agent on each backend: turns, threads, parallel calls, subagents. */

import { describe, expect, test } from "vitest";
import { KINDS } from "./kinds.js";
import { edit, task, Thread, write } from "./thread.js";

const edited = (path: string) => `Successfully replaced 1 occurrence(s) in '${path}'`;

const notFound = (path: string) => `Error: File '${path}' not found`;

describe.each(KINDS)("$name", ({ folder, outlivesThreads, open }) => {
  const at = (path: string): string => folder + path;

  test("files survive turns", async () => {
    const thread = new Thread(await open());
    expect(await thread.turn([[write(at("/notes/a.md"), "one\ntwo\n")], [write(at("/b.txt"), "needle\n")]])).toEqual([
      `Successfully wrote to '${at("/notes/a.md")}'`,
      `Successfully wrote to '${at("/b.txt")}'`,
    ]);
    const [changed, globbed, grepped, listed] = await thread.turn([
      [edit(at("/notes/a.md"), "two", "needle")],
      [
        ["glob", { pattern: "**/*.md", path: at("/") }],
        ["grep", { pattern: "needle", path: at("/"), output_mode: "content" }],
        ["ls", { path: at("/") }],
      ],
    ]);
    expect(changed).toBe(edited(at("/notes/a.md")));
    expect(globbed).toBe(at("/notes/a.md"));
    expect(grepped).toMatch(/b\.txt[^]*needle[^]*notes\/a\.md[^]*needle/);
    expect(listed).toContain(at("/notes/"));
    expect(await thread.read(at("/notes/a.md"))).toEqual(["one\nneedle"]);
    expect(await thread.turn([[["delete", { file_path: at("/notes") }]]])).toEqual([`Deleted ${at("/notes")}`]);
    expect(await thread.read(at("/notes/a.md"), at("/b.txt"))).toEqual([notFound(at("/notes/a.md")), "needle"]);
  });

  test(`another thread ${outlivesThreads ? "finds" : "does not find"} them`, async () => {
    const thread = new Thread(await open());
    await thread.turn([[write(at("/a.txt"), "mine")]]);
    const other = thread.other();
    expect(await other.read(at("/a.txt"))).toEqual([outlivesThreads ? "mine" : notFound(at("/a.txt"))]);
    await other.turn([[write(at("/a.txt"), "theirs")]]);
    expect(await thread.read(at("/a.txt"))).toEqual([outlivesThreads ? "theirs" : "mine"]);
  });

  test("parallel calls of one turn: every change that was reported is there", async () => {
    const thread = new Thread(await open());
    await thread.turn([[write(at("/a.txt"), "<1> <2> <3> <4> <5>")]]);
    const marks = ["1", "2", "3", "4", "5"];
    const calls = marks.map((mark) => edit(at("/a.txt"), `<${mark}>`, `[${mark}]`));
    const answers = await thread.turn([[...calls, write(at("/new.txt"), "new"), edit(at("/new.txt"), "new", "newer")]]);
    expect(answers.slice(0, 5)).toEqual(marks.map(() => edited(at("/a.txt"))));
    // The edit of what the same turn writes may come first, and then says so.
    const found = answers[6] === edited(at("/new.txt"));
    expect(found || /not found/.test(answers[6] ?? "")).toBe(true);
    expect(await thread.read(at("/a.txt"), at("/new.txt"))).toEqual(["[1] [2] [3] [4] [5]", found ? "newer" : "new"]);
  });

  test("a subagent sees the files of its caller, who sees the subagent's", async () => {
    const thread = new Thread(await open());
    await thread.turn([[write(at("/a.txt"), "one two")]]);
    await thread.turn([[task("helper")]], {
      helper: [[edit(at("/a.txt"), "one", "1")], [write(at("/of-helper.txt"), "found")]],
    });
    expect(await thread.read(at("/a.txt"), at("/of-helper.txt"))).toEqual(["1 two", "found"]);
  });

  test("two subagents and a call at once, with files of their own and one in common", async () => {
    const thread = new Thread(await open());
    const texts = { "/common.txt": "one two three", "/of-a.txt": "a", "/of-b.txt": "b" };
    await thread.turn([Object.entries(texts).map(([path, text]) => write(at(path), text))]);
    await thread.turn([[task("a"), edit(at("/common.txt"), "three", "3"), task("b")]], {
      a: [[edit(at("/common.txt"), "one", "1"), edit(at("/of-a.txt"), "a", "A")], [write(at("/new-a.txt"), "new a")]],
      b: [[edit(at("/of-b.txt"), "b", "B")], [write(at("/new-b.txt"), "new b"), edit(at("/common.txt"), "two", "2")]],
    });
    const names = ["/common.txt", "/of-a.txt", "/of-b.txt", "/new-a.txt", "/new-b.txt"];
    expect(await thread.read(...names.map(at))).toEqual(["1 2 3", "A", "B", "new a", "new b"]);
  });
});
