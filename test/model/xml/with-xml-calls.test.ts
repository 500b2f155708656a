import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { afterEach, describe, expect, it } from "vitest";
import { openModel } from "../../../src/model/open-model.ts";
import type { Model } from "../../../src/model/port.ts";
import { asRequest, hear, replyOf, typesOf } from "../../support/collect.ts";
import { type Answer, asks, type ModelServer, says, startModelServer } from "../../support/model-server.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function setUp(...answers: Answer[]): Promise<{ model: Model; server: ModelServer }> {
  const server = await startModelServer(answers, { toolFormat: "xml" });
  closers.push(async () => {
    await server.close();
    expect(server.violations).toEqual([]);
  });
  const model = await openModel("openai:plain", { env: { OPENAI_BASE_URL: server.url }, toolFormat: "xml" });
  return { model, server };
}

const tools = [
  {
    name: "write_file",
    description: "Writes a file.",
    parameters: {
      type: "object",
      properties: {
        file_path: { type: "string" },
        content: { type: "string" },
        tries: { type: "integer", default: 1 },
      },
      required: ["file_path", "content"],
      additionalProperties: false,
    },
  },
];
const ask = asRequest("hi", { tools });

describe("a model that calls tools in its text", () => {
  it("gives calls as any model does: text without them, arguments that grow, and the reply at its end", async () => {
    const { model } = await setUp(
      asks(
        "write_file",
        { file_path: "a.txt", content: 'x <b> & "y"\n]]>', tries: 2 },
        { text: "I write.\n", chunks: 40 },
      ),
    );
    const heard = await hear(model, ask);
    expect(heard.text).toBe("I write.");
    expect(replyOf(heard)).toEqual({
      text: "I write.",
      calls: [
        {
          id: "",
          name: "write_file",
          rawArguments: JSON.stringify({ file_path: "a.txt", content: 'x <b> & "y"\n]]>', tries: 2 }),
        },
      ],
      finish: "tool_calls",
      usage: { inputTokens: 11, outputTokens: 7 },
    });
    const pieces = heard.events.filter((event) => event.type === "call");
    expect(pieces[0]).toMatchObject({ index: 0, id: "", name: "write_file" });
    expect(pieces.length).toBeGreaterThan(6);
    expect(pieces.map(({ argumentsDelta }) => argumentsDelta).join("")).toBe(replyOf(heard).calls[0]?.rawArguments);
  });

  it("keeps the blanks of a text that has no call, and the text around calls", async () => {
    const { model } = await setUp(
      says(" Hello.\n\n  There. \n"),
      says("One\n<tool_call><name>ls</name></tool_call>\n\ntwo\n<tool_call><name>ls</name></tool_call>\n"),
    );
    expect(replyOf(await hear(model, ask)).text).toBe(" Hello.\n\n  There. \n");
    const { text, calls } = replyOf(await hear(model, ask));
    expect([text, calls.length]).toEqual(["One\n\n\ntwo", 2]);
  });

  it("sends no tools, but their instructions, and calls and results as text; what went before stays byte for byte", async () => {
    const { model, server } = await setUp(says("a"), says("b"));
    const history = [
      new SystemMessage("Be good."),
      new HumanMessage("write"),
      new AIMessage({
        content: "Yes.",
        tool_calls: [
          { type: "tool_call", id: "c1", name: "write_file", args: { file_path: "1", content: "a]]>b" } },
          { type: "tool_call", id: "c2", name: "other", args: { any: [1] } },
        ],
      }),
      new ToolMessage({ tool_call_id: "c1", name: "write_file", content: "wrote ]]></output>", status: "success" }),
      new ToolMessage({ tool_call_id: "c2", name: "other", content: "no such", status: "error" }),
    ];
    await hear(model, asRequest(history, { tools }));
    await hear(model, asRequest([...history, new AIMessage("a"), new HumanMessage("more")], { tools }));
    const [first = [], second = []] = server.requests.map(({ body }) => body.messages);
    expect(first[0]?.content).toMatch(/^Be good\.\n\n# Calling tools\n/);
    expect(first.slice(1)).toEqual([
      { role: "user", content: "write" },
      {
        role: "assistant",
        content: `Yes.

<tool_call>
  <name>write_file</name>
  <params>
    <file_path><![CDATA[1]]></file_path>
    <content><![CDATA[a]]]]><![CDATA[>b]]></content>
  </params>
</tool_call>

<tool_call>
  <name>other</name>
  <params>
    <any><![CDATA[[1]]]></any>
  </params>
</tool_call>`,
      },
      {
        role: "user",
        content: `<tool_result>
  <name>write_file</name>
  <call>c1</call>
  <status>success</status>
  <output><![CDATA[wrote ]]]]><![CDATA[></output>]]></output>
</tool_result>

<tool_result>
  <name>other</name>
  <call>c2</call>
  <status>error</status>
  <output><![CDATA[no such]]></output>
</tool_result>`,
      },
    ]);
    expect(JSON.stringify(second.slice(0, first.length))).toBe(JSON.stringify(first));
    expect(server.requests[0]?.body.tools).toBeUndefined();
  });

  it("carries out nothing of a reply that ends in a call", async () => {
    const call = "<tool_call><name>ls</name></tool_call>";
    const { model } = await setUp(
      says(`${call}<tool_call><name>write_file</name><params><file_path>a`, { usage: { input: 900, output: 40 } }),
    );
    const heard = await hear(model, ask);
    expect(typesOf(heard)).not.toContain("done");
    expect(heard.failure).toMatchObject({
      kind: "cut",
      message: "The reply was cut off: the call of write_file ends before its </tool_call>",
      usage: { inputTokens: 900, outputTokens: 40 },
    });
  });

  it("tells of a call what its arguments cannot say: one of no such form, a value of another type, one that is there twice", async () => {
    const call = (params: string) => `<tool_call><name>write_file</name><params>${params}</params></tool_call>`;
    const { model } = await setUp(
      says(
        `${call("<tries>many</tries>")}${call("<content>1</content><content>2</content>")}<tool_call>{}</tool_call>${call("<colour>red</colour>")}`,
      ),
    );
    expect(replyOf(await hear(model, ask)).calls).toEqual([
      {
        id: "",
        name: "write_file",
        rawArguments: '{"tries":"many"}',
        problem: expect.stringContaining("<tries>: a whole number is wanted"),
      },
      { id: "", name: "write_file", rawArguments: '{"content":"1"}', problem: "<content> stands in one call twice" },
      {
        id: "",
        name: "unknown_tool",
        rawArguments: "{}",
        problem: '"{" stands where a tag should: <name> comes first in a <tool_call>',
      },
      { id: "", name: "write_file", rawArguments: '{"colour":"red"}' },
    ]);
  });

  it("takes a call in a code fence for text, and says so to the model with the next message", async () => {
    const fenced = "Like so:\n```xml\n<tool_call><name>ls</name></tool_call>\n```";
    const { model, server } = await setUp(says(fenced), says("Ah."));
    expect(replyOf(await hear(model, ask))).toMatchObject({ text: fenced, calls: [], finish: "stop" });
    await hear(model, asRequest([new HumanMessage("hi"), new AIMessage(fenced), new HumanMessage("go on")], { tools }));
    const messages = server.requests[1]?.body.messages ?? [];
    expect(messages.slice(2)).toEqual([
      { role: "assistant", content: fenced },
      {
        role: "user",
        content: expect.stringMatching(
          /^<notice>A tool call in your last message was only shown: .*<\/notice>\n\ngo on$/,
        ),
      },
    ]);
  });

  it("takes also calls that the server sends in its own way", async () => {
    const server = await startModelServer([
      asks(
        "ls",
        { path: "b" },
        { text: "<tool_call><name>ls</name></tool_call>", calls: [{ name: "ls", arguments: {} }] },
      ),
    ]);
    closers.push(server.close);
    const model = await openModel("openai:odd", { env: { OPENAI_BASE_URL: server.url }, toolFormat: "xml" });
    expect(replyOf(await hear(model, ask)).calls.map(({ rawArguments }) => rawArguments)).toEqual([
      "{}",
      '{"path":"b"}',
      "{}",
    ]);
  });

  it("is left alone where no tool may be called, and told where one must be", async () => {
    const text = "<tool_call><name>ls</name></tool_call>";
    const { model, server } = await setUp(says(text), says("x"));
    expect(replyOf(await hear(model, asRequest("hi", { tools, toolChoice: "none" })))).toMatchObject({
      text,
      calls: [],
    });
    await hear(model, asRequest("hi", { tools, toolChoice: "required" }));
    expect(server.requests[0]?.body.messages).toEqual([{ role: "user", content: "hi" }]);
    expect(server.requests[1]?.body.messages[0]?.content).toMatch(/You must call at least one tool in this message\.$/);
  });

  it("is held to the limits of any reply", async () => {
    const { model } = await setUp(says("<tool_call><name>ls</name></tool_call>".repeat(129)));
    expect((await hear(model, ask)).failure).toMatchObject({
      kind: "cut",
      message: expect.stringContaining("128 calls"),
    });
  });
});
