import { describe, expect, it } from "vitest";
import { type JsonNode, lineAt, plainValue, readJsonText } from "../../src/core/json-text.ts";
import { readStrictJson } from "../../src/core/strict-json.ts";

const byHand = (text: string) => readJsonText(text, { byHand: true, maxDepth: 10 });
const strictly = (text: string) => readJsonText(text, { byHand: false, maxDepth: 10 });
const plain = (read: ReturnType<typeof byHand>) => ("wrong" in read ? `${read.line}: ${read.wrong}` : plainValue(read));
const read = (text: string): JsonNode => {
  const node = byHand(text);
  if ("wrong" in node) throw new Error(node.wrong);
  return node;
};

describe("JSON as people write it", () => {
  it("has comments, trailing commas and a byte order mark", () => {
    const text = '\ufeff{ // one\n "a": [1, -2.5e3, true, null, "\\u0061\\n",], /* two */\n "b": {},\n}\n';
    expect(plain(byHand(text))).toEqual({ a: [1, -2500, true, null, "a\n"], b: {} });
  });

  it("is told apart by lines", () => {
    const node = read('{\n"a": [\n1,\n{ "b": 2,\n"c": 3 }],\n\n"d": 4 }');
    const at = (...path: PropertyKey[]) => lineAt(node, path);
    expect([at(), at("a"), at("a", 0), at("a", 1), at("a", 1, "b"), at("a", 1, "c"), at("d")]).toEqual([
      1, 2, 3, 4, 4, 5, 7,
    ]);
    expect([at("x"), at("a", 9), at("a", 1, "x"), at("d", "x")]).toEqual([1, 2, 4, 7]);
  });

  it.each([
    ["a key twice", '{"a": 1,\n"b": 2,\n"a": 3}', '3: the key "a" is given twice in one object'],
    ["a key twice, once escaped", '{"a": 1,\n"\\u0061": 3}', '2: the key "a" is given twice in one object'],
    ["a key twice further down", '[{"b": [{"a": 1,\n"a": 3}]}]', '2: the key "a" is given twice in one object'],
    ["a cut end", '{"a":\n[1', "2: the file ends too early"],
    ["a cut end behind a colon", '{"a":', "1: the file ends too early"],
    ["a cut text", '{"a":\n"b', "2: a string does not end on its line"],
    ["nothing", "", "1: the file is empty"],
    ["blanks", "\n\n", "1: the file is empty"],
    ["a byte order mark alone", "\ufeff", "1: the file is empty"],
    ["nothing but a comment", "// later\n", "2: the file ends too early"],
    ["binary data", "\u0000\u0001\u007fELF", "1: a word without quotes is not JSON"],
    ["binary data in a text", '{\n"a": "\u0000"}', "2: a string contains a control character"],
    ["a comment without an end", '{ "a": 1 }\n/* b', "2: a comment has no end"],
    ["a missing comma", '{ "a": 1\n"b": 2 }', "2: expected a comma or the end, found a string"],
    ["a missing colon", '{ "a" 1 }', "1: expected a colon, found a number"],
    ["a key without quotes", "{ a: 1 }", "1: a word without quotes is not JSON"],
    ["a number for a key", "{\n1: 1 }", "2: expected a key in double quotes, found a number"],
    ["two commas", "[1,\n,2]", "2: expected a value, found ,"],
    ["the wrong end", "[1 }", "1: expected a comma or the end, found }"],
    ["what may be a secret", '{"TOKEN": sk-live-1234}', "1: a word without quotes is not JSON"],
    ["what may be a secret, in quotes", '{"TOKEN" "sk-live-1234"}', "1: expected a colon, found a string"],
    ["a second value", "{}\n{}", "2: unexpected { after the end"],
    ["a wrong escape", '"\\x"', "1: a string has an escape that JSON does not know"],
    ["deep nesting", `${'{"a":'.repeat(100_000)}`, "1: nested deeper than 10 levels"],
  ])("is refused with its line: %s", (_name, text, problem) => {
    expect(plain(byHand(text))).toEqual(problem);
  });
});

describe("JSON as a program writes it", () => {
  it.each(['{"a": 1,}', "[1,]", '{"a": 1} // b', "/* a */ 1", "\ufeff1"])("has none of that: %j", (text) => {
    expect(strictly(text)).toHaveProperty("wrong");
    expect(readStrictJson(text)).toMatchObject({ ok: false });
    expect(byHand(text)).not.toHaveProperty("wrong");
  });

  it("is refused with a key twice, however it is written and wherever it stands", () => {
    const refusal = { ok: false, message: 'the key "a" is given twice in one object' };
    for (const text of ['{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '[{"b":{"a":[],"a":{}}}]', '{"a":"\\"","a":1}'])
      expect(readStrictJson(text)).toEqual(refusal);
    expect(readStrictJson('{"a":{"a":1},"b":[{"a":1},{"a":2}]}')).toMatchObject({ ok: true });
    // What the later value hides from the runtime's parser.
    expect(readStrictJson(`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)},"a":1}`)).toEqual({
      ok: false,
      message: "nested deeper than 200 levels",
    });
  });
});
