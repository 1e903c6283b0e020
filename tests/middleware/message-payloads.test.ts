import { AIMessage, HumanMessage, ToolMessage } from "langchain";
import { describe, expect, test } from "vitest";
import { type Payload, visitMessage } from "../../npm/deepfs/src/middleware/message-payloads.js";

const DATA = "iVBORw0KGgo=";

function found(block: object): [unknown, string][] {
  const payloads: [unknown, string][] = [];
  visitMessage(new HumanMessage({ content: [block] as never }), {
    payload: ({ value, form }: Payload) => {
      payloads.push([value, form.kind]);
      return undefined;
    },
  });
  return payloads;
}

describe("payloads are found in every shape that LangChain and providers use", () => {
  test.each([
    ["v1 image", { type: "image", mimeType: "image/png", data: DATA }, DATA, "base64"],
    ["v1 file", { type: "file", mimeType: "application/pdf", data: DATA }, DATA, "base64"],
    ["v0 standard", { type: "audio", source_type: "base64", mime_type: "audio/wav", data: DATA }, DATA, "base64"],
    ["OpenAI image", { type: "image_url", image_url: { url: `data:image/png;base64,${DATA}` } }, DATA, "url"],
    ["OpenAI image as text", { type: "image_url", image_url: `data:image/png;base64,${DATA}` }, DATA, "url"],
    ["OpenAI audio", { type: "input_audio", input_audio: { data: DATA, format: "wav" } }, DATA, "base64"],
    [
      "OpenAI file",
      { type: "file", file: { file_data: `data:application/pdf;base64,${DATA}`, filename: "a.pdf" } },
      DATA,
      "url",
    ],
    ["Anthropic", { type: "image", source: { type: "base64", media_type: "image/png", data: DATA } }, DATA, "base64"],
    ["Google", { inlineData: { mimeType: "image/png", data: DATA } }, DATA, "base64"],
    ["media", { type: "media", mimeType: "video/mp4", data: DATA }, DATA, "base64"],
    [
      "nested",
      { type: "tool_result", content: [{ type: "image", mimeType: "image/png", data: DATA }] },
      DATA,
      "base64",
    ],
    ["a URL with parameters", { type: "audio", url: `data:audio/ogg;codecs=opus;base64,${DATA}` }, DATA, "url"],
  ])("%s", (_name, block, value, kind) => {
    expect(found(block)).toEqual([[value, kind]]);
  });

  test("bytes", () => {
    const data = new Uint8Array([1, 2]);
    expect(found({ type: "image", mimeType: "image/png", data })).toEqual([[data, "bytes"]]);
  });

  test.each([
    ["words", { type: "text", text: `data:image/png;base64,${DATA}` }],
    ["a tool call", { type: "tool_call", args: { data: DATA, mimeType: "image/png" } }],
    ["a link", { type: "image", url: "https://example.org/a.png" }],
    ["an id", { type: "file", source_type: "id", data: DATA }],
    ["text in a data URL", { type: "file", url: "data:text/plain,hello" }],
    ["no media", { type: "custom", data: DATA }],
  ])("and nothing else: %s", (_name, block) => {
    expect(found(block)).toEqual([]);
  });
});

describe("a changed message", () => {
  const mask = { payload: () => ({ value: "here" }) };

  test("keeps its class, its fields, and what a checkpoint is written from", () => {
    const before = new ToolMessage({
      content: [{ type: "image", mimeType: "image/png", data: DATA }],
      tool_call_id: "1",
      name: "read_file",
      status: "error",
      artifact: { kept: true },
      id: "m1",
    });
    const after = visitMessage(before, mask);
    expect(after).toBeInstanceOf(ToolMessage);
    expect(after).toMatchObject({
      id: "m1",
      name: "read_file",
      tool_call_id: "1",
      status: "error",
      artifact: { kept: true },
    });
    expect(JSON.stringify(after)).not.toContain(DATA);
    expect(JSON.stringify(before)).toContain(DATA);
  });

  test("is the very same one when there is nothing to change", () => {
    const words = new AIMessage("words");
    const picture = new HumanMessage({ content: [{ type: "image", mimeType: "image/png", data: DATA }] });
    expect(visitMessage(words, mask)).toBe(words);
    expect(visitMessage(picture, {})).toBe(picture);
  });

  test("a notice takes the place of the whole block", () => {
    const message = new HumanMessage({
      content: [
        { type: "image_url", image_url: { url: "ref" } },
        { type: "text", text: "ref" },
      ],
    });
    const after = visitMessage(message, { text: (text) => (text === "ref" ? { notice: "gone" } : undefined) });
    expect(after.content).toEqual([
      { type: "text", text: "gone" },
      { type: "text", text: "ref" },
    ]);
  });

  test("blocks without end are left alone", () => {
    const loop: Record<string, unknown> = { type: "custom" };
    loop.content = [loop];
    loop.self = loop;
    expect(found(loop)).toEqual([]);
  });
});
