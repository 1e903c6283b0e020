/** `StateBackend` in graphs of LangGraph: parallel tasks, threads, retries, forks. */

import { Annotation, Command, MemorySaver, Send, START, StateGraph } from "@langchain/langgraph";
import { StateBackend } from "deepfs";
import { describe, expect, test } from "vitest";
import { contents, record } from "../support/records.js";

/** A graph whose two tasks run at once; the second one finishes before the first one begins. */
const State = Annotation.Root({
  files: Annotation<Record<string, unknown>, Record<string, unknown>>({
    reducer: (files, update) =>
      Object.fromEntries(Object.entries({ ...files, ...update }).filter(([, value]) => value !== null)),
    default: () => ({}),
  }),
});

type Work = () => unknown;

async function runTasks(works: Work[], files: Record<string, unknown>, checkpointer?: MemorySaver, thread = "t") {
  const graph = new StateGraph(State)
    .addNode("start", () => new Command({ goto: works.map((_, index) => new Send("work", { index })) }), {
      ends: ["work"],
    })
    .addNode("work", async (input: unknown) => {
      await works[(input as { index: number }).index]?.();
      return {};
    })
    .addEdge(START, "start")
    .compile(checkpointer === undefined ? {} : { checkpointer });
  const state = await graph.invoke({ files }, { configurable: { thread_id: thread } });
  return contents(state.files);
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe("tasks of one step, in the other order", () => {
  const backend = new StateBackend();
  const late = (work: Work) => async () => {
    await pause(20);
    return work();
  };

  test("the task that LangGraph applies first edits last", async () => {
    const works = [late(() => backend.edit("/a", "one", "1")), () => backend.edit("/a", "two", "2")];
    expect(await runTasks(works, { "/a": record("one two") })).toEqual({ "/a": "1 2" });
  });

  test("a file written again after another task removed it stays", async () => {
    const works = [late(() => backend.write("/a", "new")), () => backend.delete("/a")];
    expect(await runTasks(works, { "/a": record("old") })).toEqual({ "/a": "new" });
  });

  test("a file removed after another task changed it is gone", async () => {
    const works = [late(() => backend.delete("/d")), () => backend.edit("/d/a", "old", "new")];
    expect(await runTasks(works, { "/d/a": record("old"), "/b": record("b") })).toEqual({ "/b": "b" });
  });

  test("an upload does not undo an edit", async () => {
    const bytes = new TextEncoder().encode("up");
    const works = [late(() => backend.edit("/a", "one", "1")), () => backend.uploadFiles([["/b", bytes]])];
    expect(await runTasks(works, { "/a": record("one") })).toEqual({ "/a": "1", "/b": "up" });
  });

  test("each task sees what the others have done", async () => {
    const seen: unknown[] = [];
    const works = [
      late(() => seen.push(backend.read("/a").content, backend.grep("2").matches)),
      () => backend.edit("/a", "two", "2"),
    ];
    await runTasks(works, { "/a": record("one two") });
    expect(seen).toEqual(["one 2", [{ path: "/a", line: 1, text: "one 2" }]]);
  });
});

describe("what belongs to one run stays there", () => {
  const backend = new StateBackend();

  test("threads that run at once never mix, also over one input object", async () => {
    const files = { "/a": record("x") };
    const runs = Array.from({ length: 10 }, (_, thread) =>
      runTasks(
        [
          async () => {
            await pause(thread % 3);
            backend.edit("/a", "x", `x${thread}`);
            backend.write(`/own-${thread}`, "mine");
          },
        ],
        files,
        new MemorySaver(),
        String(thread),
      ),
    );
    const ends = await Promise.all(runs);
    expect(ends).toEqual(ends.map((_, thread) => ({ "/a": `x${thread}`, [`/own-${thread}`]: "mine" })));
  });

  test("a failed step leaves nothing behind for the next try", async () => {
    const checkpointer = new MemorySaver();
    let fails = true;
    const works = [
      () => {
        const result = backend.edit("/a", "one", "1");
        if (fails) {
          throw new Error("tool broke");
        }
        return result;
      },
    ];
    const graph = new StateGraph(State)
      .addNode("work", async () => {
        await works[0]?.();
        return {};
      })
      .addEdge(START, "work")
      .compile({ checkpointer });
    const config = { configurable: { thread_id: "retry" } };
    await expect(graph.invoke({ files: { "/a": record("one") } }, config)).rejects.toThrow("tool broke");
    fails = false;
    const state = await graph.invoke(null, config);
    expect(contents(state.files)).toEqual({ "/a": "1" });
  });

  test("a task that LangGraph runs again starts from the committed files", async () => {
    let attempts = 0;
    const results: unknown[] = [];
    const graph = new StateGraph(State)
      .addNode(
        "work",
        () => {
          results.push(backend.edit("/a", "one", "1"));
          attempts += 1;
          if (attempts === 1) {
            throw new Error("try again");
          }
          return {};
        },
        { retryPolicy: { maxAttempts: 2, initialInterval: 1, retryOn: () => true } },
      )
      .addEdge(START, "work")
      .compile();
    const state = await graph.invoke({ files: { "/a": record("one") } });
    expect(contents(state.files)).toEqual({ "/a": "1" });
    expect(results).toEqual([
      { path: "/a", occurrences: 1 },
      { path: "/a", occurrences: 1 },
    ]);
  });

  test("a fork from an earlier checkpoint has the files of that checkpoint", async () => {
    const graph = new StateGraph(State)
      .addNode("first", () => {
        backend.edit("/a", "one", "1");
        return {};
      })
      .addNode("second", () => {
        backend.edit("/a", "two", "2");
        return {};
      })
      .addEdge(START, "first")
      .addEdge("first", "second")
      .compile({ checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: "fork" } };
    await graph.invoke({ files: { "/a": record("one two") } }, config);
    const history = [];
    for await (const snapshot of graph.getStateHistory(config)) {
      history.push(snapshot);
    }
    const before = history.find((snapshot) => snapshot.next.includes("second"));
    const again = await graph.invoke(null, before?.config);
    expect(contents(again.files)).toEqual({ "/a": "1 2" });
  });

  test("a reducer that changes its value in place", async () => {
    const InPlace = Annotation.Root({
      files: Annotation<Record<string, unknown>, Record<string, unknown>>({
        reducer: (files, update) => Object.assign(files, update),
        default: () => ({}),
      }),
    });
    const graph = new StateGraph(InPlace)
      .addNode("first", () => {
        backend.edit("/a", "one", "1");
        return {};
      })
      .addNode("other", () => {
        backend.grep("x");
        return { files: { "/a": record("replaced") } };
      })
      .addNode("last", () => {
        backend.edit("/a", "replaced", "edited");
        return {};
      })
      .addEdge(START, "first")
      .addEdge("first", "other")
      .addEdge("other", "last")
      .compile();
    const state = await graph.invoke({ files: { "/a": record("one") } });
    expect(contents(state.files)).toEqual({ "/a": "edited" });
  });

  test("a graph without files answers with an error", async () => {
    const Bare = Annotation.Root({ answer: Annotation<unknown> });
    const graph = new StateGraph(Bare)
      .addNode("work", () => ({ answer: [backend.write("/a", "x"), backend.uploadFiles([["/b", new Uint8Array()]])] }))
      .addEdge(START, "work")
      .compile();
    const { answer } = await graph.invoke({});
    const error = expect.stringContaining("the graph has no `files` state");
    expect(answer).toEqual([
      { error, code: "unavailable" },
      [{ path: "/b", error: expect.any(String), code: "unavailable", message: error }],
    ]);
  });
});
