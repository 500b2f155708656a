import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  createDefaultTools,
  defineTool,
  formatMarkdownInstructions,
  formatXmlInstructions,
  formatXmlToolResult,
  parseXmlToolCalls,
} from "../../../src/index.ts";

import { CallReader } from "../../../src/model/xml/read-calls.ts";

const tool = defineTool({
  name: "mix",
  description: "Takes a value of each type.",
  args: z.object({
    text: z.string(),
    count: z.int().optional(),
    ratio: z.number().optional(),
    sure: z.boolean().optional(),
    names: z.array(z.string()).optional(),
    shape: z.object({ deep: z.record(z.string(), z.int()) }).optional(),
    either: z.union([z.string(), z.number()]).optional(),
    maybe: z.string().nullable().optional(),
  }),
  execute: async () => "",
});
const bare = defineTool({ name: "bare", description: "Takes nothing.", args: z.object({}), execute: async () => "" });

const written = (params: string, name = "mix") =>
  `<tool_call><name>${name}</name><params>${params}</params></tool_call>`;
const parse = (text: string) => parseXmlToolCalls(text, [tool, bare]);
/** The parameters of the one call that a text holds. */
const params = (inner: string) => {
  const { calls, errors } = parse(written(inner));
  expect(errors).toEqual([]);
  expect(calls).toHaveLength(1);
  return calls[0]?.params;
};
const kinds = (text: string) => parse(text).errors.map(({ kind }) => kind);

describe("a call in XML", () => {
  it("is taken out of the text, with where it stood", () => {
    const call = written("<text><![CDATA[a]]></text>");
    const text = `Look:\n${call}\nThat is all.`;
    expect(parse(text)).toEqual({
      calls: [{ name: "mix", params: { text: "a" }, start: 6, end: 6 + call.length }],
      errors: [],
      text: "Look:\n\nThat is all.",
    });
  });

  it("has values of the types that the schema says, not of those that they look like", () => {
    expect(
      params(
        "<text>12</text><count> 7 </count><ratio><![CDATA[-1.5e3]]></ratio><sure>True</sure>" +
          '<names><![CDATA[["1", "x"]]]></names><shape>{"deep": {"a": 1}}</shape>',
      ),
    ).toEqual({ text: "12", count: 7, ratio: -1500, sure: true, names: ["1", "x"], shape: { deep: { a: 1 } } });
    expect(params("<text>true</text><either>12</either><maybe>null</maybe>")).toEqual({
      text: "true",
      either: 12,
      maybe: null,
    });
    expect(params('<text>null</text><either>"12"</either><maybe>nothing</maybe>')).toEqual({
      text: "null",
      either: "12",
      maybe: "nothing",
    });
  });

  it("may be one of several, with or without parameters, and with blanks wherever XML takes them", () => {
    const text = `${written("<text>a</text>")}<tool_call >
      <name> bare </name>
    </tool_call>\n<tool_call><name>bare</name><params/></tool_call>${written("<text/>")}`;
    expect(parse(text).calls.map(({ name, params }) => [name, params])).toEqual([
      ["mix", { text: "a" }],
      ["bare", {}],
      ["bare", {}],
      ["mix", { text: "" }],
    ]);
    expect(parse(text)).toMatchObject({ errors: [], text: "\n" });
  });
});

describe("a value", () => {
  it.each([
    ["bare & and < as they stand", "<text>if (a < b && c > d) &lt;p&gt;</text>", "if (a < b && c > d) &lt;p&gt;"],
    [
      "entities where nothing is left unescaped",
      "<text>a &amp;&lt;&gt;&quot;&apos;&#65;&#x1F600; b</text>",
      "a &<>\"'A😀 b",
    ],
    ["no entities in CDATA", "<text><![CDATA[&amp;]]></text>", "&amp;"],
    ["tags of other names", "<text><b>bold</b><params></text>", "<b>bold</b><params>"],
    ["lines of its own without the breaks around them", "<text>\n  a\n\n  b\n    </text>", "  a\n\n  b"],
    ["a line with its blanks", "<text>  a </text>", "  a "],
    ["CDATA with its breaks, and not the layout around it", "<text>\n  <![CDATA[\na\n]]>\n  </text>", "\na\n"],
    ["]]> in two parts", "<text><![CDATA[a]]]]><![CDATA[>b]]></text>", "a]]>b"],
    ["]]> that was not split", "<text><![CDATA[a[b[0]]>1 && x ]]> ]]></text>", "a[b[0]]>1 && x ]]> "],
    ["] at its end", "<text><![CDATA[a]]]]></text>", "a]]"],
    ["a call in CDATA", `<text><![CDATA[${written("<text>x</text>")}]]></text>`, written("<text>x</text>")],
    ["an opening CDATA that is none", "<text><![CDAT[x</text>", "<![CDAT[x"],
    ["nothing", "<text></text>", ""],
    ["nothing in CDATA", "<text><![CDATA[]]></text>", ""],
  ])("is read with %s", (_what, inner, value) => {
    expect(params(inner)).toEqual({ text: value });
  });
});

describe("what is wrong with a call", () => {
  it("is told by its kind, with tool, parameter and place, and such a call is not among the calls", () => {
    const text = `x ${written("<text>a</text><count>many</count>")}`;
    expect(parse(text)).toEqual({
      calls: [],
      errors: [
        {
          kind: "TYPE",
          tool: "mix",
          param: "count",
          message: expect.stringMatching(/^<count>: a whole number is wanted, and this is not valid JSON/),
          start: text.indexOf("<count>"),
        },
      ],
      text: "x ",
    });
  });

  it.each([
    ["TYPE", written("<text>a</text><names>[1, 2</names>")],
    ["TYPE", written("<text>a</text><names>{}</names>")],
    ["TYPE", written("<text>a</text><shape>[]</shape>")],
    ["TYPE", written('<text>a</text><shape>{"deep": {"a": 1, "a": 2}}</shape>')],
    ["TYPE", written("<text>a</text><count>1.5</count>")],
    ["TYPE", written("<text>a</text><count>9007199254740993</count>")],
    ["TYPE", written("<text>a</text><sure>yes</sure>")],
    ["MISSING", written("<count>1</count>")],
    ["MISSING", "<tool_call><name>mix</name></tool_call>"],
    ["UNKNOWN_TOOL", written("<text>a</text>", "mixx")],
    ["UNKNOWN_PARAM", written("<text>a</text><colour>red</colour>")],
    ["UNKNOWN_PARAM", written("<text>a</text><constructor>red</constructor>")],
    ["DUPLICATE", written("<text>a</text><text>b</text>")],
    ["PARSE", '<tool_call>{"name": "mix", "arguments": {"text": "a"}}</tool_call>'],
    ["PARSE", "<tool_call></tool_call>"],
    ["PARSE", "<tool_call><params></params></tool_call>"],
    ["PARSE", "<tool_call><name> </name></tool_call>"],
    ["PARSE", "<tool_call><name>mix</name><text>a</text></tool_call>"],
    ["PARSE", '<tool_call><name>mix</name><params><param name="text">a</param></params></tool_call>'],
    ["PARSE", "<tool_call><name>mix</name><params>text</params></tool_call>"],
    ["PARSE", `${written("<text>a</text>").replace("</tool_call>", "")}also</tool_call>`],
    ["PARSE", `<tool_call><name>mix</name><params><${"x".repeat(300)}></params></tool_call>`],
    ["INCOMPLETE", "<tool_call><name>mix"],
    ["INCOMPLETE", "I will <tool_c"],
  ])("%s: %s", (kind, text) => {
    expect(kinds(text)).toEqual([kind]);
    expect(parse(text).calls).toEqual([]);
  });

  it("is that a number has too many digits, where it has", () => {
    const { errors } = parse(written("<text>a</text><count>12345678901234567890</count>"));
    expect(errors[0]?.message).toBe(
      "<count>: a whole number is wanted, and this is not exact: the number 12345678901234567890 would become 12345678901234567000; send it as a string",
    );
  });

  it("names the tool that was meant", () => {
    expect(parse(written("", "mixx")).errors[0]?.message).toBe('there is no tool "mixx"; did you mean mix?');
  });

  it("keeps neither the calls before it nor those behind it from being read", () => {
    const good = written("<text>a</text>");
    const text = `${good}<tool_call>?</tool_call>${good}${written("<count>1</count>")}${good}`;
    expect(parse(text).calls).toHaveLength(3);
    expect(kinds(text)).toEqual(["PARSE", "MISSING"]);
  });

  it("is where a value without CDATA may end within a call that it shows", () => {
    const inner = written("<text>a</text>");
    const bare = written(`<text>as in ${inner}</text>`);
    expect(parse(`${bare}${inner} end`)).toMatchObject({ calls: [{ params: { text: "a" } }], text: " end" });
    expect(parse(bare).errors).toEqual([
      {
        kind: "PARSE",
        tool: "mix",
        message: expect.stringContaining("<text> has a call in it that has <text> too, and is not in CDATA"),
        start: bare.indexOf("<text>"),
      },
    ]);
    // Where it cannot, it is taken.
    const other = `as in ${written("<count>1</count>")}`;
    expect(parse(written(`<text>${other}</text>`)).calls).toMatchObject([{ params: { text: other } }]);
    expect(parse(written(`<text><![CDATA[${inner}]]></text>`)).calls).toMatchObject([{ params: { text: inner } }]);
  });

  it("takes nothing for a call that stands within one that cannot be read", () => {
    const inner = written("<text>a</text>");
    const raw = `<tool_call>{"content": "${inner}"}</tool_call>`;
    const quoted = `<tool_call>{"content": <![CDATA[</tool_call>${inner}]]>}</tool_call>`;
    for (const text of [raw, quoted]) expect(parse(`${text} end`)).toMatchObject({ calls: [], text: " end" });
    expect(kinds(raw + quoted)).toEqual(["PARSE", "PARSE"]);
  });
});

describe("text", () => {
  const call = written("<text>a</text>");

  it.each([
    ["a fence", `\`\`\`xml\n${call}\n\`\`\`\n`],
    ["a fence of ~, longer than the one within", `~~~~\n~~~\n${call}\n~~~~\n`],
    ["a fence that nothing ends", `   \`\`\`\n\`\`\` not its end\n${call}`],
    ["a fence in a list", `- so:\n\n    \`\`\`xml\n    ${call}\n    \`\`\`\n`],
    ["a fence in a list in a list", `1. a\n   * b\n\n      \`\`\`\n      \`\`\` x\n${call}\n      \`\`\`\n`],
    ["a fence that begins an item", `12) ~~~\n    ${call}\n    ~~~\n`],
    ["a fence in a quote", `> \`\`\`xml\n> ${call}\n> \`\`\`\n`],
    ["a line with a fence's marks", `\`\`\`${call}`],
    ["a span of code", `Write \`${call}\` for it.`],
    ["a tag that is another", "<tool_calls><tool_call/>"],
    ["the beginning of a tag", "5 <to"],
  ])("stays what is in %s", (_what, text) => {
    expect(parse(text)).toEqual({ calls: [], errors: [], text });
  });

  it.each([
    ["a fence that has ended", `\`\`\`\nx\n\`\`\`\n`],
    ["marks that open no fence", "    ```\n"],
    ["marks that open none, after a list", "- a\n\nb\n    ```\n"],
    ["a fence in a list that has ended", `- a\n    \`\`\`\n    x\n    \`\`\`\n`],
    ["a fence in a quote that has ended", `> \`\`\`\n> x\n> \`\`\`\n`],
    ["signs that begin no item", "--- ```\n-\n*a\n1.5\n"],
    ["inline code that looks like one", "```x```\n"],
    ["a shorter fence's marks", "``\n"],
  ])("is over behind %s", (_what, before) => {
    expect(parse(before + call)).toMatchObject({ calls: [{ name: "mix" }], errors: [], text: before });
  });
});

it("is told of what is no text and no list of tools", () => {
  for (const text of [undefined, null, 1, ["a"]] as never[]) expect(() => parse(text)).toThrow("text must be a string");
  for (const tools of [undefined, {}, [null], [{}]] as never[])
    for (const made of [parseXmlToolCalls.bind(null, "a"), formatXmlInstructions, formatMarkdownInstructions])
      expect(() => made(tools)).toThrow("tools must be a list of tools");
  for (const call of [undefined, {}, { name: "ls" }] as never[])
    expect(() => formatXmlToolResult(call)).toThrow("call must be a ToolCallInfo");
});

it("takes the default tools as they are, and says what to give in place of a tool that is described only in a session", () => {
  const tools = createDefaultTools({ workspace: "/" });
  const { calls, errors } = parseXmlToolCalls(
    "<tool_call><name>read_file</name><params><file_path>a.txt</file_path><limit>5</limit></params></tool_call>",
    tools,
  );
  expect([calls[0]?.params, errors]).toEqual([{ file_path: "a.txt", limit: 5 }, []]);
  const late = defineTool({ name: "late", description: () => "x", args: z.object({}), execute: async () => "" });
  expect(() => parseXmlToolCalls("", [late])).toThrow(
    /late is described by functions of a context: give what toolSchema/,
  );
});

describe("a call that is only shown", () => {
  const call = written("<text>a</text>");
  const shown: [where: string, text: string][] = [
    ["a quote", `> ${call}`],
    ["a quote in a quote", `>> ${call}`],
    ["a quote behind other words", `> you would write ${call} there`],
    ["a quote of several lines", `> ${call.replace("<name>", "\n> <name>")}\n\nThat is all.`],
    ["an item of a list", `- ${call}`],
    ["an item with a number", `12. ${call}`],
    ["an item behind other words", `* for example ${call}`],
    ["an item in a quote", `> - ${call}`],
    ["indented code", `Like so:\n\n    ${call}\n`],
    ["code that a tab indents", `\t${call}`],
    ["a comment", `<!-- ${call} -->`],
    ["a comment of several lines", `<!--\n\n${call}\n\n-->\ndone`],
    ["a comment within a line", `Well <!-- or\n${call} --> no.`],
    ["a comment that does not end", `<!--\n${call}`],
  ];
  it.each(shown)("is text: %s", (_, text) => {
    expect(parse(text)).toEqual({ calls: [], errors: [], text });
  });

  const honest: [where: string, text: string][] = [
    ["behind a sentence", `I look. ${call}`],
    ["a little in", `   ${call}`],
    ["after a quote", `> yes\n\n${call}`],
    ["after a list", `- one\n- two\n\n${call}`],
    ["after indented code", `    code\n\n${call}`],
    ["after a comment", `<!-- a --> ${call}`],
    ["after the mark of a comment in code", `Use \`<!--\` for that.\n\n${call}`],
    ["after a comment that an empty line ends", `a <!-- b\n\n${call}`],
    ["behind a comparison", `2 > 1, so ${call}`],
    ["behind a dash", `-- ${call}`],
    ["with such marks in a value", written("<text><![CDATA[> - <!-- a]]></text>")],
  ];
  it.each(honest)("runs where it stands %s", (_, text) => {
    expect(parse(text)).toMatchObject({ calls: [{ name: "mix" }], errors: [] });
  });

  it("is asked for again where nothing else was called", () => {
    const reader = new CallReader();
    const pieces = [...[...`> ${call}\n`].flatMap((char) => reader.push(char)), ...reader.end()];
    expect([pieces.every(({ type }) => type === "text"), reader.fenced]).toEqual([true, 1]);
  });
});
