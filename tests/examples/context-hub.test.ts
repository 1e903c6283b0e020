/** The documentation's example of `ContextHubBackend`, with the real client against an emulator of the Hub. */

import { ContextHubBackend } from "deepfs";
import { Client } from "langsmith";
import { expect, onTestFinished, test } from "vitest";
import { startHubEmulator } from "../services/hub-emulator.mjs";
import { ask, edit, list, read, write } from "./ask.js";

async function emulator() {
  const hub = await startHubEmulator();
  onTestFinished(() => hub.stop());
  return { hub, client: new Client({ apiUrl: hub.url, apiKey: "emulator" }) };
}

test.each(["my-agent", "-/my-agent"])("an agent whose files are in the repository %s", async (identifier) => {
  const { hub, client } = await emulator();
  const backend = new ContextHubBackend(identifier, { client });
  const answers = await ask({ backend }, [
    list("/"),
    write("/AGENTS.md", "# Be kind\n"),
    edit("/AGENTS.md", "kind", "brief"),
    read("/AGENTS.md"),
  ]);
  // A repository that is not there is empty; the first change makes it.
  expect(answers[0]).toBe("No files found in /");
  expect(answers[3]).toContain("# Be brief");
  expect(hub.files("my-agent")).toEqual({ "AGENTS.md": { type: "file", content: "# Be brief\n" } });
  expect(hub.commits().map(({ status }: { status: number }) => status)).toEqual([200, 200]);
});

test("linked skills are folders, and another writer's commit is not undone", async () => {
  const { hub, client } = await emulator();
  hub.commit("my-agent", {
    "AGENTS.md": "one\ntwo\n",
    "skills/mail": { type: "skill", repo_handle: "mail-skill" },
    "skills/mail/SKILL.md": "How to write mails.",
  });
  const backend = new ContextHubBackend("my-agent", { client });
  const [skill] = await ask({ backend }, [read("/skills/mail/SKILL.md")]);
  expect(skill).toContain("How to write mails.");
  expect(await backend.getLinkedEntries()).toEqual({ "skills/mail": "mail-skill" });
  hub.commit("my-agent", { "AGENTS.md": "ONE\ntwo\n" });
  const [changed] = await ask({ backend }, [edit("/AGENTS.md", "two", "TWO")]);
  expect(changed).toBe("Successfully replaced 1 occurrence(s) in '/AGENTS.md'");
  expect(hub.files("my-agent")["AGENTS.md"]).toEqual({ type: "file", content: "ONE\nTWO\n" });
});

test("uploads are text; what is none is refused by itself", async () => {
  const { client } = await emulator();
  const backend = new ContextHubBackend("my-agent", { client });
  const text = new TextEncoder().encode("text");
  const answers = await backend.uploadFiles([
    ["/a.md", text],
    ["/a.bin", Uint8Array.of(0xff, 0xfe, 0)],
  ]);
  expect(answers).toMatchObject([
    { path: "/a.md", error: null },
    { path: "/a.bin", error: "invalid_path" },
  ]);
});
