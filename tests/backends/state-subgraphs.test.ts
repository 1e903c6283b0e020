/** `StateBackend` in graphs inside the tasks of one step, as subagents are: each hands back all the files it has. */

import { Annotation, Command, interrupt, MemorySaver, Send, START, StateGraph } from "@langchain/langgraph";
import { StateBackend } from "deepfs";
import { describe, expect, test } from "vitest";
import { editCall, scriptedModel } from "../support/agent.js";
import { contents, record } from "../support/records.js";

type Files = Record<string, unknown>;

/** As agents reduce their files. */
const State = Annotation.Root({
  files: Annotation<Files, Files>({
    reducer: (files, update) =>
      Object.fromEntries(Object.entries({ ...files, ...update }).filter(([, value]) => value !== null)),
    default: () => ({}),
  }),
});

const backend = new StateBackend();
const edit = (from: string, to: string, path = "/a") => {
  const { error } = backend.edit(path, from, to);
  if (error !== undefined) throw new Error(error);
};

type Step = () => unknown;

/** A graph that makes the steps one after the other, and hands back its files. */
function inner(steps: Step[]) {
  return async (files: Files): Promise<{ files: Files }> => {
    let graph = new StateGraph(State) as unknown as Chain;
    steps.forEach((step, at) => {
      graph = graph.addNode(`s${at}`, async () => {
        await step();
        return {};
      });
    });
    steps.forEach((_, at) => {
      graph = graph.addEdge(at === 0 ? START : `s${at - 1}`, `s${at}`);
    });
    return { files: (await graph.compile().invoke({ files })).files };
  };
}

/** Graphs are typed by the names of their nodes, which are not known here. */
interface Chain {
  addNode(name: string, node: () => Promise<object>): Chain;
  addEdge(from: string, to: string): Chain;
  compile(): { invoke(state: { files: Files }): Promise<{ files: Files }> };
}

type Work = (files: Files) => unknown;

/** The outer graph: its works are the tasks of one step. */
function outer(works: Work[], options: { retries?: number; saver?: MemorySaver } = {}) {
  return new StateGraph(State)
    .addNode(
      "start",
      ({ files }) => new Command({ goto: works.map((_, index) => new Send("work", { index, files })) }),
      {
        ends: ["work"],
      },
    )
    .addNode(
      "work",
      async (input: unknown) => {
        const { index, files } = input as { index: number; files: Files };
        return ((await works[index]?.(files)) ?? {}) as object;
      },
      { retryPolicy: { maxAttempts: 1 + (options.retries ?? 0), initialInterval: 1, retryOn: () => true } },
    )
    .addEdge(START, "start")
    .compile(options.saver === undefined ? {} : { checkpointer: options.saver });
}

async function run(works: Work[], files: Files, retries = 0) {
  return contents((await outer(works, { retries }).invoke({ files })).files);
}

const pause = (milliseconds: number) => () => new Promise((resolve) => setTimeout(resolve, milliseconds));
/** A tool call beside the graphs. */
const call = (step: Step) => async () => {
  await step();
  return undefined;
};

describe("graphs of one step", () => {
  const text = "one two three four";

  test("one that ended long ago keeps what the other changes, and the other way round", async () => {
    const fast = inner([() => edit("one", "1"), () => edit("x", "fast", "/b")]);
    const slow = inner([pause(30), () => edit("two", "2"), () => edit("y", "slow", "/c")]);
    const files = () => ({ "/a": record(text), "/b": record("x"), "/c": record("y") });
    const expected = { "/a": "1 2 three four", "/b": "fast", "/c": "slow" };
    expect(await run([fast, slow], files())).toEqual(expected);
    expect(await run([slow, fast], files())).toEqual(expected);
  });

  test("calls of the step itself, before and after", async () => {
    const graph = inner([pause(20), () => edit("two", "2")]);
    const early = call(() => edit("one", "1"));
    const late = call(async () => {
      await pause(60)();
      edit("three", "3");
    });
    for (const works of [
      [early, graph, late],
      [late, graph, early],
      [graph, early, late],
    ]) {
      expect(await run(works, { "/a": record(text) })).toEqual({ "/a": "1 2 3 four" });
    }
  });

  test("each sees what the others have done", async () => {
    const seen: unknown[] = [];
    const graph = inner([() => edit("one", "1"), () => backend.write("/new", "new")]);
    const other = inner([pause(40), () => seen.push(backend.read("/a").content, backend.grep("new").matches)]);
    const direct = call(async () => {
      await pause(40)();
      seen.push(
        backend
          .glob("**")
          .files?.map(({ path }) => path)
          .sort(),
      );
    });
    await run([graph, other, direct], { "/a": record(text) });
    expect(seen).toEqual(expect.arrayContaining(["1 two three four", ["/a", "/new"]]));
    expect(seen).toContainEqual([{ path: "/new", line: 1, text: "new" }]);
  });

  test("a graph inside a graph", async () => {
    const innermost = inner([pause(20), () => edit("three", "3")]);
    const middle = inner([
      () => edit("two", "2"),
      async () => {
        const { files } = await innermost(backend.snapshot() as Files);
        // As the tool for subagents does: all files go back.
        for (const [path, text] of Object.entries(contents(files))) backend.write(path, String(text));
      },
    ]);
    const other = inner([() => edit("one", "1"), pause(60), () => edit("four", "4")]);
    expect(await run([middle, other], { "/a": record(text) })).toEqual({ "/a": "1 2 3 4" });
  });

  test("eight, with many edits of one file each", async () => {
    const marks = Array.from({ length: 8 }, (_, who) => Array.from({ length: 6 }, (__, n) => `<${who}.${n}>`));
    const works = marks.map((own, who) =>
      inner(own.flatMap((mark) => [pause((who * 7) % 5), () => edit(mark, mark.replace("<", "["))])),
    );
    const files = await run(works, { "/a": record(marks.flat().join(" ")) });
    expect(files).toEqual({ "/a": marks.flat().join(" ").replaceAll("<", "[") });
  });

  test("a file that one removes stays gone for the other, and a new one of the same name counts", async () => {
    const removing = inner([() => backend.delete("/a")]);
    const seen: unknown[] = [];
    const other = inner([pause(20), () => seen.push(backend.read("/a").code), () => backend.write("/b", "other")]);
    await run([removing, other], { "/a": record(text), "/b": record("b") });
    expect(seen).toEqual(["file_not_found"]);
    const again = inner([pause(20), () => backend.write("/a", "again")]);
    expect(await run([removing, again], { "/a": record(text) })).toEqual({ "/a": "again" });
  });
});

describe("what belongs to one run stays there", () => {
  test("a graph that is started again starts from the files of its step", async () => {
    let attempts = 0;
    const results: unknown[] = [];
    const failing = inner([
      () => results.push(backend.edit("/a", "one", "1")),
      () => {
        attempts += 1;
        if (attempts === 1) throw new Error("broke");
      },
    ]);
    const other = inner([pause(30), () => edit("two", "2")]);
    expect(await run([failing, other], { "/a": record("one two") }, 1)).toEqual({ "/a": "1 2" });
    expect(results).toEqual([
      { path: "/a", occurrences: 1 },
      { path: "/a", occurrences: 1 },
    ]);
  });

  test("threads that run at once over one input", async () => {
    const files = { "/a": record("x y") };
    const runs = Array.from({ length: 8 }, (_, thread) => {
      const works = [
        inner([pause(thread % 3), () => edit("x", `x${thread}`)]),
        inner([() => edit("y", `y${thread}`), pause(thread % 2)]),
      ];
      return outer(works, { saver: new MemorySaver() }).invoke({ files }, { configurable: { thread_id: "t" } });
    });
    const ends = (await Promise.all(runs)).map((state) => contents(state.files));
    expect(ends).toEqual(ends.map((_, thread) => ({ "/a": `x${thread} y${thread}` })));
    expect(contents(files)).toEqual({ "/a": "x y" });
  });

  test("a step that is run once more from its checkpoint", async () => {
    const saver = new MemorySaver();
    const graph = outer([inner([() => edit("one", "1")]), inner([pause(10), () => edit("two", "2")])], { saver });
    const config = { configurable: { thread_id: "fork" } };
    await graph.invoke({ files: { "/a": record("one two") } }, config);
    const history = [];
    for await (const snapshot of graph.getStateHistory(config)) history.push(snapshot);
    const before = history.find((snapshot) => snapshot.next.includes("work"));
    expect(contents((await graph.invoke(null, before?.config)).files)).toEqual({ "/a": "1 2" });
  });

  test("one waits for a person while the other ends", async () => {
    const saver = new MemorySaver();
    const asking = inner([() => edit("one", "1"), () => interrupt("go on?"), () => edit("three", "3")]);
    const other = inner([pause(10), () => edit("two", "2")]);
    // What the other has handed back is kept until the step ends, and is put in the order of the tasks.
    const graph = outer([other, asking], { saver });
    const config = { configurable: { thread_id: "asks" } };
    await graph.invoke({ files: { "/a": record("one two three") } }, config);
    const state = await graph.invoke(new Command({ resume: "yes" }), config);
    expect(contents(state.files)).toEqual({ "/a": "1 2 3" });
  });
});

test("subagents of an agent: one that is still at work when another has ended", async () => {
  const { createDeepAgent } = await import("deepagents");
  const subagent = (name: string, steps: Parameters<typeof scriptedModel>[0]) => ({
    name,
    description: name,
    systemPrompt: name,
    model: scriptedModel(steps),
  });
  const agent = createDeepAgent({
    backend,
    model: scriptedModel([
      [
        ["task", { description: "d", subagent_type: "short" }],
        ["task", { description: "d", subagent_type: "long" }],
      ],
    ]),
    subagents: [
      subagent("short", [[editCall("/plan.md", "one", "1")]]),
      subagent("long", [
        [["ls", { path: "/" }]],
        [["read_file", { file_path: "/plan.md" }]],
        [editCall("/plan.md", "two", "2"), editCall("/other.md", "x", "y")],
      ]),
    ],
  });
  const files = { "/plan.md": record("one two"), "/other.md": record("x") };
  const state = (await agent.invoke({ messages: ["go"], files: files as never })) as unknown as { files: unknown };
  expect(contents(state.files)).toEqual({ "/plan.md": "1 2", "/other.md": "y" });
});
