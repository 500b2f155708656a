import { Document } from "@langchain/core/documents";
import {
  AIMessage,
  AIMessageChunk,
  ChatMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../src/core/json.ts";
import { decodeMessage, encodeMessage } from "../../../src/store/checkpoints/message-codec.ts";
import { decodeValue, encodeValue } from "../../../src/store/checkpoints/value-codec.ts";
import { fromText, TAG, toText } from "../../../src/store/plain-codec.ts";

const throughText = (json: Json): Json => JSON.parse(JSON.stringify(json)) as Json;
const back = (value: unknown): Promise<unknown> => decodeValue(throughText(encodeValue(value)));

/** Data that LangChain's own reader takes for commands. */
const poison = [
  { lc: 1, type: "constructor", id: ["langchain", "nope", "Nope"], kwargs: {} },
  { lc: 1, type: "constructor", id: ["langchain_core", "messages", "HumanMessage"], kwargs: { content: "hi" } },
  { lc: 1, type: "secret", id: ["OPENAI_API_KEY"] },
  { lc: 2, type: "undefined" },
  { lc: 2, type: "constructor", id: ["Map"], args: [[["a", 1]]] },
  { lc: 2, type: "constructor", id: ["RegExp"], args: ["a", "g"] },
  { [TAG]: "undefined" },
  { [TAG]: "langchain", v: { lc: 1, type: "constructor", id: ["langchain", "nope", "Nope"], kwargs: {} } },
  { [TAG]: "nonsense" },
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{}}}') as unknown,
];

describe("plain data", () => {
  test.each(poison.map((value) => [JSON.stringify(value), value]))("%s stays what it was", async (text, value) => {
    const again = fromText(toText({ deep: [value] })) as { deep: unknown[] };
    expect(JSON.stringify(again.deep[0])).toBe(text);
    expect(JSON.stringify(await back(value))).toBe(text);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("strings of every kind come back exactly", () => {
    const strings = ["", "\u0000", "\ud800 alone", "\u2028\u2029", "\ufeffBOM", "e\u0301", "😀", "x".repeat(100_000)];
    expect(fromText(toText(strings))).toEqual(strings);
  });

  test("what JSON cannot say comes back exactly", () => {
    const value = { none: undefined, list: [undefined, null], numbers: [-0, Number.NaN, 1 / 0, -1 / 0, 1e308] };
    const again = fromText(toText(value)) as typeof value;
    expect(again).toStrictEqual(value);
    expect(Object.is(again.numbers[0], -0)).toBe(true);
  });

  const cycle: Record<string, unknown> = {};
  cycle["self"] = { inner: [cycle] };
  let deep: unknown = 1;
  for (let i = 0; i < 200_000; i += 1) deep = [deep];
  test.each([
    ["a bigint", { a: { b: [1n] } }, "a bigint cannot be stored (at a.b.0)"],
    ["a function", { run: () => 1 }, "a function cannot be stored (at run)"],
    ["a symbol", [Symbol("s")], "a symbol cannot be stored (at 0)"],
    ["a cycle", cycle, "a cycle cannot be stored (at self.inner.0)"],
    ["endless nesting", deep, "data nested too deeply cannot be stored"],
  ])("%s is refused and named", (_name, value, message) => {
    expect(() => toText(value)).toThrowError(expect.objectContaining({ kind: "unserialisable", message }));
  });

  test("the same object in two places is no cycle", () => {
    const shared = { a: 1 };
    expect(fromText(toText([shared, shared]))).toEqual([shared, shared]);
  });
});

describe("values of state", () => {
  test("the classes that LangGraph keeps come back as themselves", async () => {
    const value = {
      map: new Map<unknown, unknown>([["a", new Set([1, undefined])]]),
      pattern: /a+b/gi,
      bytes: new Uint8Array([0, 255, 128]),
      when: new Date(12),
    };
    const again = (await back(value)) as typeof value;
    expect(again).toEqual(value);
    expect(String(await back(new TypeError("no")))).toBe("TypeError: no");
  });

  test("messages inside data come back as messages", async () => {
    const message = new AIMessage({ id: "a1", content: "hi", tool_calls: [{ id: "c", name: "ls", args: { lc: 1 } }] });
    expect(await back({ writes: [["messages", [message]]] })).toEqual({ writes: [["messages", [message]]] });
  });

  test("another class of LangChain comes back, and an unknown one as its plain form", async () => {
    const document = new Document({ pageContent: "text", metadata: { n: 1 } });
    expect(await back(document)).toEqual(document);
    const unknown = { [TAG]: "langchain", v: { lc: 1, type: "constructor", id: ["gone", "Gone"], kwargs: { a: 1 } } };
    expect(await decodeValue(unknown)).toEqual(unknown.v);
  });

  test("a box that this version does not know is corruption, not data", async () => {
    await expect(decodeValue({ [TAG]: "from-the-future", v: 1 })).rejects.toMatchObject({ kind: "corrupt" });
  });
});

describe("messages", () => {
  const args = { file_path: "a", nested: poison[0] as object };
  test.each([
    ["a prompt", new HumanMessage({ id: "h", content: "hello" })],
    ["a prompt of blocks", new HumanMessage({ id: "h", content: [{ type: "text", text: "hello" }], name: "me" })],
    ["an empty prompt", new HumanMessage({ content: "" })],
    ["a system message", new SystemMessage({ id: "s", content: "\u0000\ud800" })],
    ["a reply with calls", new AIMessage({ id: "a", content: "", tool_calls: [{ id: "c", name: "ls", args }] })],
    [
      "a reply with everything",
      new AIMessage({
        id: "a",
        content: "text",
        invalid_tool_calls: [{ type: "invalid_tool_call", id: "c", name: "ls", args: "{", error: "cut" }],
        usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
        additional_kwargs: { reasoning_content: "hm" },
        response_metadata: { finish_reason: "stop" },
      } as unknown as string), // its type has no place for usage beside these
    ],
    ["a result", new ToolMessage({ id: "t", content: "", tool_call_id: "c1", status: "error", artifact: { a: [1] } })],
    ["a message of another class", new ChatMessage({ id: "x", content: "odd", role: "critic" })],
  ])("%s comes back whole", (_name, message) => {
    const again = decodeMessage(encodeMessage(message));
    expect(again).toEqual(message);
    expect(again.constructor).toBe(message.constructor);
  });

  test("a piece of a stream comes back as the message that it is", () => {
    const call = { id: "c", name: "ls", args: { path: poison[0] as object }, type: "tool_call" as const };
    const again = decodeMessage(encodeMessage(new AIMessageChunk({ id: "a", content: "hi", tool_calls: [call] })));
    expect(again.constructor).toBe(AIMessage);
    expect(again).toMatchObject({ id: "a", content: "hi", tool_calls: [call] });
  });

  test("a plain prompt is stored as its text alone", () => {
    expect(encodeMessage(new HumanMessage({ id: "h", content: "hello" }))).toEqual({
      type: "human",
      id: "h",
      body: '"hello"',
    });
  });

  test.each([
    ["cut off", { type: "ai", id: "a", body: '{"c":"hal' }, "ai"],
    ["empty", { type: "human", id: "h", body: "" }, "human"],
    ["without content", { type: "tool", id: "t", body: '{"x":"c1"}' }, "tool"],
    ["of an unknown type", { type: "toString", id: "m", body: '"hi"' }, "system"],
    ["with an unknown box", { type: "human", id: "h", body: `{"c":[{"${TAG}":"zzz"}]}` }, "human"],
  ])("a stored message that is %s reads as one that says so, its text kept", (_name, stored, type) => {
    const message = decodeMessage(stored);
    expect(message.getType()).toBe(type);
    expect(message.id).toBe(stored.id);
    expect(message.content).toMatch(/^\[This message could not be read from the store: /);
    expect(message.additional_kwargs).toEqual({ unreadable: stored.body });
  });
});
