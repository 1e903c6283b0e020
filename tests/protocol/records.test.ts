/** Stored records of every shape, and the quick ways that large ones take. */

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plainEdit } from "../../npm/deepfs/src/adapters/plain-edit.js";
import {
  decodeBase64,
  encodeBase64,
  newRecord,
  openRecord,
  sizeOfRecord,
  utf8Bytes,
} from "../../npm/deepfs/src/adapters/file-data.js";
import { needle } from "../../npm/deepfs/src/adapters/needle.js";

const bytes = Uint8Array.from([137, 80, 78, 71]);
const times = { created_at: "c", modified_at: "m" };
const opened = { createdAt: "c", modifiedAt: "m" };

describe("openRecord", () => {
  const readable: [name: string, record: unknown, content: string | Uint8Array, format: string][] = [
    ["text", { content: "a\nb" }, "a\nb", "v2"],
    ["lines", { content: ["a", "b"] }, "a\nb", "v1"],
    ["no lines", { content: [] }, "", "v1"],
    ["bytes", { content: bytes }, bytes, "v2"],
    ["a Buffer", { content: Buffer.from(bytes) }, bytes, "v2"],
    ["an ArrayBuffer", { content: bytes.slice().buffer }, bytes, "v2"],
    ["a Buffer through JSON", { content: JSON.parse(JSON.stringify(Buffer.from(bytes))) }, bytes, "v2"],
    ["bytes through JSON", { content: JSON.parse(JSON.stringify(bytes)) }, bytes, "v2"],
    ["a list of numbers", { content: [137, 80, 78, 71] }, bytes, "v2"],
    ["base64", { content: "iVBORw==", encoding: "base64" }, bytes, "v2"],
    ["base64 of Python, as lines", { content: ["iVBORw=="], encoding: "base64" }, bytes, "v1"],
    ["UTF-8 of Python", { content: ["a", "b"], encoding: "utf-8" }, "a\nb", "v1"],
  ];
  test.each(readable)("%s", (_name, record, content, format) => {
    const value = { ...(record as object), ...times };
    expect(openRecord(value)).toEqual({ content, mimeType: null, format, ...opened });
    expect(sizeOfRecord(value)).toBe(typeof content === "string" ? new TextEncoder().encode(content).length : 4);
  });

  test.each([
    null,
    undefined,
    "text",
    7,
    {},
    { content: null },
    { content: 7 },
    { content: { "0": 137, "2": 80 } },
    { content: { "0": 256 } },
    { content: { type: "Buffer", data: ["x"] } },
    { content: ["a", 1] },
    { content: [1.5] },
    { content: "not base64!", encoding: "base64" },
    Proxy.revocable({}, {}).proxy,
  ])("%o is no record", (value) => {
    expect(openRecord(value)).toBeNull();
  });

  test("a record changed in place is read again", () => {
    const record = { content: "a", ...times };
    expect(openRecord(record)?.content).toBe("a");
    record.content = "b";
    expect(openRecord(record)?.content).toBe("b");
  });
});

test("newRecord keeps the time of creation, and the older format holds no bytes", () => {
  const draft = { content: "a\nb", mimeType: "text/plain", now: "n", previous: openRecord({ content: "", ...times }) };
  expect(newRecord({ ...draft, format: "v2" })).toEqual({
    content: "a\nb",
    mimeType: "text/plain",
    created_at: "c",
    modified_at: "n",
  });
  expect(newRecord({ ...draft, format: "v1", previous: null })).toEqual({
    content: ["a", "b"],
    created_at: "n",
    modified_at: "n",
  });
  expect(newRecord({ ...draft, format: "v1", content: bytes })).toBeNull();
});

test("base64 there and back", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (data) => {
      expect(encodeBase64(data)).toBe(Buffer.from(data).toString("base64"));
      expect(decodeBase64(encodeBase64(data))).toEqual(data);
    }),
  );
  expect(encodeBase64(new Uint8Array(300_000))).toBe(Buffer.alloc(300_000).toString("base64"));
});

test("utf8Bytes counts as the encoder does", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(utf8Bytes(text)).toBe(new TextEncoder().encode(text).length);
    }),
  );
});

test("needle finds what `includes` finds", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "~", "\n", "é", "😀") });
  fc.assert(
    fc.property(text, text, (hay, pattern) => {
      expect(needle(pattern)(hay)).toBe(hay.includes(pattern));
    }),
    { numRuns: 2000 },
  );
  fc.assert(
    fc.property(text, text, text, (before, pattern, after) => {
      expect(needle(pattern)(before + pattern + after)).toBe(true);
    }),
  );
});

describe("plainEdit", () => {
  test.each([
    ["the only match", "a one place b", "one place", "x", "a x b"],
    ["at the start", "one place b", "one place", "x", "x b"],
    ["at the end", "a one place", "one place", "", "a "],
    ["with dollars, which mean themselves", "a one b", "one", "$&$1", "a $&$1 b"],
    ["what begins with blanks", "a b\n a b\n  a b\n", "  a b", "c", "a b\n a b\nc\n"],
    ["blanks alone", "a  b c", "  ", "_", "a_b c"],
    ["over lines", "a\nb\nc\n", "b\nc", "x\ny\nz", "a\nx\ny\nz\n"],
    ["within a line of a text with other line ends", "a\r\none\r\n", "one", "x", "a\r\nx\r\n"],
  ])("replaces %s", (_name, text, oldString, newString, edited) => {
    expect(plainEdit(text, oldString, newString)).toBe(edited);
  });

  test.each([
    ["no match", "some text", "nowhere", "x"],
    ["two matches", "some some", "some", "x"],
    ["matches that overlap", "aba-aba-aba", "aba-aba", "x"],
    ["matches that overlap behind blanks", " a a a", " a a", "x"],
    ["what its text would begin before", "a b", "  a", "x"],
    ["nothing to find", "some text", "", "x"],
    ["nothing to change", "some text", "some", "some"],
    ["other line ends", "one\r\ntwo\n", "two\n", "x"],
    ["line ends to make alike", "one\r\n", "one", "x\ny"],
    ["a lone surrogate", "one \uD83D", "one", "x"],
  ])("leaves %s to the core", (_name, text, oldString, newString) => {
    expect(plainEdit(text, oldString, newString)).toBeNull();
  });
});
