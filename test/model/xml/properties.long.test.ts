import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../src/core/json.ts";
import { parseXmlToolCalls } from "../../../src/index.ts";
import { formatCall } from "../../../src/model/xml/format-calls.ts";
import { CallReader, type XmlPiece } from "../../../src/model/xml/read-calls.ts";
import type { ToolSchema } from "../../../src/tools/use/schema.ts";

/** Numbers from 0 up to 1 that are the same in every run (mulberry32). */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const bits = [
  ..."a]>&;<\"'` \n\t\r\\/é😀",
  "]]>",
  "<![CDATA[",
  "]]",
  "</p0>",
  "</params>",
  "</tool_call>",
  "<tool_call>",
  "```\n",
  "&amp;",
  "null",
  "true",
  "12",
  '"x"',
  "[1]",
  "{}",
  "\u0000",
  "\ud800",
];

class Maker {
  readonly #random: () => number;
  constructor(seed: number) {
    this.#random = chance(seed);
  }
  count(most: number): number {
    return Math.floor(this.#random() * (most + 1));
  }
  one<T>(of: readonly T[]): T {
    return of[this.count(of.length - 1)] as T;
  }
  text(most = 12): string {
    return Array.from({ length: this.count(most) }, () => this.one(bits)).join("");
  }
  value(depth = 0): Json {
    const kind = this.count(depth > 2 ? 3 : 5);
    if (kind === 0) return this.text();
    if (kind === 1) return this.one([0, 1, -7, 1.5, 1e21, 2 ** 53 - 1]);
    if (kind === 2) return this.one([true, false]);
    if (kind === 3) return null;
    const items = Array.from({ length: this.count(3) }, () => this.value(depth + 1));
    return kind === 4
      ? items
      : Object.fromEntries(items.map((item, at) => [`k${at}${this.one(["", "]]>", "é"])}`, item]));
  }
  /** A schema, and values that it accepts. */
  field(): [schema: JsonObject, make: () => Json] {
    const object = (): Json => ({ a: this.value() });
    return this.one<[JsonObject, () => Json]>([
      [{ type: "string" }, () => this.text()],
      [{ type: "string", enum: ["1", "true"] }, () => this.one(["1", "true"])],
      [{ type: "integer" }, () => this.one([0, -3, 2 ** 40])],
      [{ type: "number" }, () => this.one([0.25, 3, -1e-7])],
      [{ type: "boolean" }, () => this.one([true, false])],
      [{ type: "array" }, () => [this.value(), this.value()]],
      [{ type: "object" }, object],
      [{ type: ["string", "null"] }, () => this.one([null, this.text(), "null", '"null"'])],
      [{ anyOf: [{ type: "string" }, { type: "number" }] }, () => this.one([12, "12", '"12"', this.text()])],
      [{ anyOf: [{ type: "boolean" }, { type: "string" }] }, () => this.one([true, "true", "TRUE", " true "])],
      [{ $ref: "#/definitions/it" }, object],
      [{}, () => this.value()],
    ]);
  }
}

const definitions = { it: { type: "object" } };

/** A tool, and the parameters of a call of it. */
function make(maker: Maker, name: string): { tool: ToolSchema; params: JsonObject } {
  const fields = Array.from({ length: maker.count(4) }, (_, at) => [`p${at}`, ...maker.field()] as const);
  const properties = Object.fromEntries(fields.map(([field, schema]) => [field, schema]));
  return {
    tool: {
      name,
      description: "",
      parameters: { type: "object", properties, definitions, additionalProperties: false },
    },
    params: Object.fromEntries(fields.map(([field, , value]) => [field, value()])),
  };
}

/** What a reader gives of a text that comes in pieces, with texts and values joined. */
function readIn(pieces: readonly string[]): { text: string; calls: XmlPiece[]; grown: string } {
  const reader = new CallReader();
  const all = [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
  const joined = (type: "text" | "value") => all.map((piece) => (piece.type === type ? piece.text : "")).join("");
  return { text: joined("text"), calls: all.filter(({ type }) => type === "call"), grown: joined("value") };
}

describe("random calls", () => {
  it("are read back with equal values, however the text is cut up as it comes", () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const maker = new Maker(seed);
      const made = Array.from({ length: 1 + maker.count(2) }, (_, at) => make(maker, `tool${at}`));
      const tools = made.map(({ tool }) => tool);
      const said = ["Well. ", "\n\n", "<b>&", "`` "];
      const text = made.map(({ tool, params }, at) => `${said[at]}${formatCall(tool.name, params, tool)}`).join("");
      const parsed = parseXmlToolCalls(text, tools);
      expect(parsed.errors, text).toEqual([]);
      expect(
        parsed.calls.map(({ name, params }) => ({ name, params })),
        text,
      ).toEqual(made.map(({ tool, params }) => ({ name: tool.name, params })));
      expect(parsed.text).toBe(said.slice(0, made.length).join(""));

      const whole = readIn([text]);
      const pieces: string[] = [];
      for (let at = 0; at < text.length; ) {
        const size = 1 + maker.count(9);
        pieces.push(text.slice(at, at + size));
        at += size;
      }
      for (const cut of [pieces, text.split("")])
        expect(readIn(cut)).toMatchObject({ text: whole.text, calls: whole.calls });
    }
  });

  it("that are cut off at any character are INCOMPLETE, or what was whole before is the same", () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const maker = new Maker(seed);
      const made = [make(maker, "one"), make(maker, "two")];
      const tools = made.map(({ tool }) => tool);
      const text = `Now: ${made.map(({ tool, params }) => formatCall(tool.name, params, tool)).join("\n")} That is it.`;
      const { calls } = parseXmlToolCalls(text, tools);
      for (let at = 0; at <= text.length; at += 1) {
        const cut = parseXmlToolCalls(text.slice(0, at), tools);
        expect(cut.calls, text.slice(0, at)).toEqual(calls.filter(({ end }) => end <= at));
        const inside = calls.some(({ start, end }) => start + 4 < at && at < end);
        expect(
          cut.errors.map(({ kind }) => kind),
          text.slice(0, at),
        ).toEqual(inside ? ["INCOMPLETE"] : []);
      }
    }
  });

  it("that are damaged anywhere give no call that was not written, and never throw", () => {
    for (let seed = 1; seed <= 400; seed += 1) {
      const maker = new Maker(seed);
      const { tool, params } = make(maker, "one");
      const text = formatCall("one", params, tool);
      const at = maker.count(text.length);
      const damaged = text.slice(0, at) + maker.text(3) + text.slice(at + maker.count(3));
      const parsed = parseXmlToolCalls(damaged, [tool]);
      expect(parsed.calls.length, damaged).toBeLessThanOrEqual(1);
      for (const { start, end } of parsed.calls)
        expect(damaged.slice(start, end)).toMatch(/^<tool_call\s*>.*<\/tool_call\s*>$/s);
    }
  });
});

/** So many characters that what is not linear in them does not end in the time that a test has. */
const times = (text: string): string => text.repeat(Math.ceil(400_000 / text.length));
const value = "<tool_call><name>a</name><params><b>";

describe("a hostile text", () => {
  it.each([
    ["openings", times("<tool_call>")],
    ["beginnings of openings", times("<tool_cal")],
    ["openings with blanks", times("<tool_call   ")],
    ["blanks in an opening", `<tool_call${times(" ")}`],
    ["calls", times("<tool_call><name>a</name></tool_call>")],
    ["malformed calls", times("<tool_call>x</tool_call>")],
    ["nested malformed calls", times("<tool_call>x")],
    ["parameters", `<tool_call><name>a</name><params>${times("<b>1</b>")}`],
    ["beginnings of a closing tag", `${value}${times("</")}`],
    ["closing tags with blanks", `${value}${times("</b   ")}`],
    ["blanks before a value", `${value}${times(" ")}x</b>`],
    ["breaks before a value", `${value}${times("\n")}x${times("\n")}</b>`],
    ["ends of CDATA", `${value}<![CDATA[${times("]]>")}`],
    ["ends of CDATA with blanks", `${value}<![CDATA[${times("]]>    ")}`],
    ["ends of CDATA, then what is nearly a tag", `${value}<![CDATA[${times("]]></b ")}`],
    ["brackets", `${value}<![CDATA[${times("]")}`],
    ["parts of CDATA", `${value}<![CDATA[${times("]]><![CDATA[")}]]></b>`],
    ["ampersands", `${value}${times("&")}</b></params></tool_call>`],
    ["entities", `${value}${times("&amp;")}</b></params></tool_call>`],
    ["fences", times("```\n")],
    ["one line of marks", times("`")],
    ["blank lines before a call", `${times("\n")}<tool_call>`],
  ])("of %s is read in one pass, whole and by the character", (_what, text) => {
    const { calls } = readIn([text]);
    expect(readIn(text.split("")).calls.length).toBe(calls.length);
  });
});
