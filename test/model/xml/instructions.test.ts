import { expect, it } from "vitest";
import { z } from "zod";
import {
  createDefaultTools,
  defineTool,
  formatMarkdownInstructions,
  formatXmlInstructions,
  formatXmlToolResult,
  parseXmlToolCalls,
} from "../../../src/index.ts";

const search = defineTool({
  name: "search_notes",
  description: "Search the notes.\nNewest first.",
  args: z.object({
    query: z.string().describe("Words to\nlook for."),
    kinds: z.array(z.enum(["note", "task"])).optional(),
    count: z.int().default(10).describe("How many."),
    range: z.object({ from: z.string(), to: z.string().optional() }).optional(),
    secret: z.string().optional(),
    order: z.union([z.literal("up"), z.int()]).optional(),
  }),
  hidden: ["secret"],
  execute: async () => "",
});
const now = defineTool({ name: "get_time", description: "The time.", args: z.object({}), execute: async () => "" });

it("the instructions name each parameter with its type, whether it is required, and its default, and show a call in CDATA", () => {
  const told = formatXmlInstructions([search, now]);
  expect(told).toMatch(/^# Calling tools\n/);
  expect(told.slice(told.indexOf("## search_notes"))).toBe(`## search_notes
Description: Search the notes.
Newest first.
Parameters:
  - query: string (required) - Words to look for.
  - kinds: array of one of "note", "task", as JSON (optional)
  - count: integer (optional, default 10) - How many.
  - range: object, as JSON of this schema: {"type":"object","properties":{"from":{"type":"string"},"to":{"type":"string"}},"required":["from"],"additionalProperties":false} (optional)
  - order: always "up" or integer (optional)
Example:
<tool_call>
  <name>search_notes</name>
  <params>
    <query><![CDATA[your query]]></query>
  </params>
</tool_call>

## get_time
Description: The time.
Parameters: none
Example:
<tool_call>
  <name>get_time</name>
  <params>
  </params>
</tool_call>`);
});

it("each example of the instructions is a call that is taken", () => {
  const tools = createDefaultTools({ workspace: "/" });
  const told = formatXmlInstructions(tools);
  const examples = told.slice(told.indexOf("\n## "));
  const { calls, errors } = parseXmlToolCalls(examples, tools);
  expect(errors).toEqual([]);
  expect(calls.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
});

it("the Markdown form says what the tools are, and nothing of how they are called", () => {
  expect(formatMarkdownInstructions([now, search])).toContain(`# Available Tools

You have access to the following 2 tool(s):

## get_time
Description: The time.

Parameters: none

## search_notes
Description: Search the notes.
Newest first.

Parameters:
  - query: string (required) - Words to look for.
`);
  expect(formatMarkdownInstructions([search])).not.toContain("tool_call");
});

it("a result names the call, how it ended and what the model reads of it, whatever is in that", () => {
  const call = {
    callId: "c3",
    modelCallId: "",
    toolName: "read_file",
    arguments: { file_path: "a" },
    risk: "low",
    effect: "none",
    attempt: 1,
    status: "success",
    by: { actor: "policy" },
    result: { output: "a ]]> b" },
    times: { proposed: 1, decided: 1, started: 2, settled: 3 },
  } as const;
  const result = formatXmlToolResult(call);
  expect(result).toBe(`<tool_result>
  <name>read_file</name>
  <call>c3</call>
  <status>success</status>
  <output><![CDATA[a ]]]]><![CDATA[> b]]></output>
</tool_result>`);
});
