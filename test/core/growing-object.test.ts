import { describe, expect, it } from "vitest";
import { GrowingObject } from "../../src/core/growing-object.ts";
import type { JsonObject } from "../../src/core/json.ts";

const readAs = (...pieces: string[]): JsonObject => {
  const growing = new GrowingObject();
  for (const piece of pieces) growing.push(piece);
  return growing.value();
};

describe("an object that is still being written", () => {
  it("has open text as far as it goes, and all else once it has ended", () => {
    expect(
      [
        "",
        "{",
        '{"na',
        '{"name"',
        '{"name":',
        '{"name":"',
        '{"name":"An',
        '{"name":"Ann","age":4',
        '{"name":"Ann","age":42,',
      ].map((text) => readAs(text)),
    ).toEqual([{}, {}, {}, {}, {}, { name: "" }, { name: "An" }, { name: "Ann" }, { name: "Ann", age: 42 }]);
    expect(readAs('{"a":{"b":[1,{"c":tru')).toEqual({ a: { b: [1, {}] } });
    expect(readAs('{"a":{"b":[1,{"c":true},"op')).toEqual({ a: { b: [1, { c: true }, "op"] } });
  });

  it("is the same wherever its text was cut, and whole at its end", () => {
    const value = {
      text: 'quote " slash \\ / line\nend \u0001 é 漢 👍🏽 \ud83d tail',
      'key \u00e9 " 👍': [0, -1.5e-3, 12e2, true, false, null, "", [], {}, [[{ deep: [1] }]]],
      empty: {},
    };
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, "\t"), escaped(value)]) {
      expect(readAs(text)).toEqual(value);
      expect(readAs(...text)).toEqual(value);
      for (let at = 0; at <= text.length; at += 1) {
        expect(readAs(text.slice(0, at), text.slice(at))).toEqual(value);
        if (at % 7 === 0) expect(readAs(...text.slice(0, at))).toEqual(readAs(text.slice(0, at)));
      }
    }
  });

  it("shows no half of a character", () => {
    expect(
      ['{"a":"\ud83d', '{"a":"x\\ud83d', '{"a":"x\\ud83d\\udc4', '{"a":"x\\ud83d\\udc4d'].map((one) => readAs(one)),
    ).toEqual([{ a: "" }, { a: "x" }, { a: "x" }, { a: "x👍" }]);
  });

  it("stops at what is no JSON and keeps what came before, whatever it is", () => {
    const broken = [
      ...['{"a":1,"b":nul,"c":2}', '{"a":1,,"b":2}', '{"a":1;"b":2}', '{"a":1 "b":2}', '{"a":1}{"b":2}', '{"a":1]'],
      ...['{"a":1,"__proto__":{"x":1},"b":2}', '{"a":1,"b":"\\x","c":2}', '{"a":1,"b":"\\uzzzz","c":2}', '{"a":1,b:2}'],
    ];
    expect(broken.map((one) => readAs(one))).toEqual(broken.map(() => ({ a: 1 })));
    expect(["[1]", '"text"', "12", "null ", "junk", "\u0000", "}"].map((one) => readAs(one))).toEqual(
      Array(7).fill({}),
    );
    expect(({} as { x?: number }).x).toBeUndefined();
    expect(JSON.stringify(readAs(`{"a":${"[".repeat(100_000)}`)).length).toBeLessThan(1_000);
    expect(readAs(`{"a":${"1".repeat(100_000)}}`)).toEqual({});
  });

  it("gives copies: what is done to one is not in the next", () => {
    const growing = new GrowingObject();
    growing.push('{"a":[1],"b":"x');
    const first = growing.value();
    (first["a"] as number[]).push(2);
    first["b"] = "mine";
    growing.push('y"}');
    expect(growing.value()).toEqual({ a: [1], b: "xy" });
  });

  it("never throws at random bytes", () => {
    let seed = 7;
    const next = (): number => {
      seed = (seed * 48_271) % 0x7fffffff;
      return seed;
    };
    const alphabet = '{}[]",:\\u0aE+-.tfn \n\ud83d\udc4dé';
    for (let round = 0; round < 500; round += 1) {
      const pieces = Array.from({ length: 12 }, () => alphabet[next() % alphabet.length] ?? "");
      expect(JSON.stringify(readAs('{"a":', ...pieces))).toBe(JSON.stringify(readAs(`{"a":${pieces.join("")}`)));
    }
  });
});

/** The same JSON with every character of its strings as an escape. */
function escaped(value: object): string {
  const text = (one: string): string =>
    `"${one
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join("")}"`;
  const write = (one: unknown): string => {
    if (typeof one === "string") return text(one);
    if (Array.isArray(one)) return `[${one.map(write).join()}]`;
    if (typeof one !== "object" || one === null) return JSON.stringify(one);
    return `{${Object.entries(one)
      .map(([key, member]) => `${text(key)}:${write(member)}`)
      .join()}}`;
  };
  return write(value);
}
