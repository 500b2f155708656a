import { describe, expect, test } from "vitest";
import { canonicalJson, isJsonObject, sha256 } from "../../src/core/json.ts";

describe("canonicalJson", () => {
  // Appendix B of RFC 8785: IEEE 754 bits in hex, and how they are written.
  test.each([
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["ffefffffffffffff", "-1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["c340000000000000", "-9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["44b52d02c7e14af7", "1.0000000000000001e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef4f", "999999999999999900000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555553", "333333333.3333332"],
    ["41b3de4355555557", "333333333.33333343"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"],
  ])("writes the number with bits %s as %s", (bits, text) => {
    const value = Buffer.from(bits, "hex").readDoubleBE();
    expect(canonicalJson(value)).toBe(text);
    expect(Object.is(JSON.parse(text), value) || value === 0).toBe(true);
  });

  test("sorts keys by UTF-16 code units, at every level, as RFC 8785 shows", () => {
    const value = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis",
      nested: { b: 1, a: [{ z: 1, y: 2 }] },
    };
    const keys = Object.keys(JSON.parse(canonicalJson(value)) as object);
    expect(keys).toEqual(["1", "\r", "nested", "\u0080", "\u00f6", "\u20ac", "\ud83d\ude00", "\ufb33"]);
    expect(canonicalJson(value)).toContain('"nested":{"a":[{"y":2,"z":1}],"b":1}');
  });

  test("does not depend on the order in which keys were set", () => {
    const names = ["b", "a", "ä", "10", "9", "", "__proto__"];
    const forwards = Object.fromEntries(names.map((name, i) => [name, i]));
    const backwards = Object.fromEntries(names.map((name, i) => [name, i]).reverse());
    expect(canonicalJson(forwards)).toBe(canonicalJson(backwards));
    expect(JSON.parse(canonicalJson(forwards))).toEqual(forwards);
  });

  test("writes text as JSON does: two-character escapes, lower-case hex, all else as it is", () => {
    expect(canonicalJson('€$\u000f\nA\'B"\\\\"/\u2028😀')).toBe('"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/\u2028😀"');
  });

  test("does not normalise Unicode: composed and decomposed letters differ", () => {
    expect(canonicalJson("é")).not.toBe(canonicalJson("e\u0301"));
  });

  test("keeps empty objects and arrays, leaves undefined keys out", () => {
    expect(canonicalJson({ b: undefined, a: [undefined, {}, []] })).toBe('{"a":[null,{},[]]}');
  });

  test("writes one object that stands in two places, and refuses a cycle", () => {
    const shared = { x: 1 };
    expect(canonicalJson([shared, shared])).toBe('[{"x":1},{"x":1}]');
    const cycle: unknown[] = [];
    cycle.push({ cycle });
    expect(() => canonicalJson(cycle)).toThrow(TypeError);
  });

  test.each([
    ["NaN", Number.NaN],
    ["Infinity", Number.POSITIVE_INFINITY],
    ["a bigint", 1n],
    ["a function", () => 1],
    ["a symbol", Symbol("s")],
    ["undefined", undefined],
  ])("refuses %s", (_, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });
});

test("sha256 of text is that of its UTF-8 bytes", () => {
  expect(sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect(sha256("ä")).toBe(sha256(Buffer.from("ä")));
});

test("isJsonObject takes objects, not arrays nor null", () => {
  expect([{}, [], null, "x", 1].map(isJsonObject)).toEqual([true, false, false, false, false]);
});
