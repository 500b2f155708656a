import type { ToolSchema } from "../../tools/use/schema.ts";
import type { Cursor } from "./cursor.ts";
import {
  callOfJson,
  callOfTexts,
  callsInJson,
  type TextCall,
  Unreadable,
  unlined,
  type WrittenCall,
  wanted,
} from "./written.ts";

/** A way in which models write calls as text, where their server does not read it. */
export interface TextForm {
  /** Whose it is, for people. */
  name: string;
  /** Its beginnings. On a line of its own, or where `anywhere` says so: a sign that no prose has. */
  markers: readonly string[];
  anywhere?: true;
  /** Reads what begins with a marker, and no further than its end. Of several calls each has its own part. @throws Unreadable */
  read(at: Cursor, meant: (name: string) => string, tools: readonly ToolSchema[]): (TextCall | WrittenCall)[];
}

type Reader = TextForm["read"];

const name = /[\w.:/-]+/y;

const jsonCalls = (at: Cursor): WrittenCall[] => callsInJson(wanted(at.json(), "its JSON"));

/** A call with all that was passed for it. */
const passed = (call: TextCall, at: Cursor, from: number): WrittenCall => ({
  ...call,
  written: at.text.slice(from, at.at),
});

/** JSON objects one behind the other, with a `;` between them or nothing. */
function someJsonCalls(at: Cursor): WrittenCall[] {
  const calls = jsonCalls(at);
  for (;;) {
    const { at: before } = at;
    at.match(/[\s;]*/y);
    if (!at.sees("{")) {
      at.at = before;
      return calls;
    }
    calls.push(...jsonCalls(at));
  }
}

/** A value up to its closing tag, where the next parameter or the call's end follows: such a tag may stand in a value, too. */
function valueUntil(at: Cursor, closing: string, follows: RegExp): string {
  let value = wanted(at.until(closing), closing);
  while (!isFollowed(at, follows)) value += closing + wanted(at.until(closing), closing);
  return value;
}

function isFollowed(at: Cursor, follows: RegExp): boolean {
  const { at: before } = at;
  at.blanks();
  follows.lastIndex = at.at;
  const found = follows.test(at.text);
  at.at = before;
  return found;
}

/** `<function=NAME>` with JSON or with `<parameter=…>` in it, as Llama, Groq and Qwen have it. */
const readFunction: Reader = (at, meant, tools) => {
  at.take("<function=");
  const called = meant(wanted(at.match(name), "the name of the function")[0]);
  at.blanks();
  at.take(">");
  at.blanks();
  const params: [string, string][] = [];
  const json = at.json();
  if (json !== undefined) {
    at.blanks();
    at.take(">");
    at.blanks();
  } else {
    for (let found = at.match(/<parameter=([^<>\s]+)\s*>/y); found; found = at.match(/<parameter=([^<>\s]+)\s*>/y)) {
      params.push([found[1] ?? "", unlined(valueUntil(at, "</parameter>", /<parameter=|<\/function>/y))]);
      at.blanks();
    }
  }
  if (!at.take("</function>")) throw new Unreadable("its </function> is missing");
  if (json === undefined) return [callOfTexts(called, params, tools)];
  return [callOfJson(called, json)];
};

/** The name, then `<arg_key>` and `<arg_value>` in turn, as GLM has it. */
const readArgTags: Reader = (at, meant, tools) => {
  const called = meant(wanted(at.match(name), "the name of the tool")[0]);
  const params: [string, string][] = [];
  at.blanks();
  while (at.take("<arg_key>")) {
    const key = wanted(at.until("</arg_key>"), "</arg_key>").trim();
    at.blanks();
    if (!at.take("<arg_value>")) throw new Unreadable("an <arg_value> is missing");
    params.push([key, valueUntil(at, "</arg_value>", /<arg_key>|<\/tool_call>/y)]);
    at.blanks();
  }
  return [callOfTexts(called, params, tools)];
};

const openingTag = /<tool_calls?(?:\s+[\w-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))*\s*>/y;

const readToolCall: Reader = (at, meant, tools) => {
  const tag = wanted(at.match(openingTag), "the > of its first tag")[0];
  at.blanks();
  const isJson = at.sees("{") || at.sees("[");
  const read = isJson ? someJsonCalls : at.sees("<function=") ? readFunction : readArgTags;
  const calls = read(at, meant, tools);
  at.blanks();
  const isClosed = at.take(tag.startsWith("<tool_calls") ? "</tool_calls>" : "</tool_call>");
  if (!isClosed && !(isJson && at.isAtEnd))
    throw new Unreadable("its closing tag is missing, or is not where it should be");
  return calls;
};

const readMistral: Reader = (at, meant) => {
  at.take("[TOOL_CALLS]");
  at.blanks();
  if (at.sees("[") || at.sees("{")) return someJsonCalls(at);
  const called = meant(wanted(at.match(name), "the name of the tool")[0]);
  at.match(/\[CALL_ID\][\w-]*/y);
  at.take("[ARGS]");
  at.blanks();
  return [callOfJson(called, wanted(at.json(), "its JSON"))];
};

/** JSON behind a sign, and one of the signs that end it. */
const behind =
  (sign: RegExp, end: RegExp): Reader =>
  (at) => {
    at.match(sign);
    at.blanks();
    const calls = someJsonCalls(at);
    at.match(end);
    return calls;
  };

const fence = /```(?:json)?\s*/y;

const readDeepSeek: Reader = (at, meant) => {
  at.match(/<[|｜]tool[▁_]calls[▁_]begin[|｜]>\s*/y);
  const calls: WrittenCall[] = [];
  for (let from = at.at; at.match(/<[|｜]tool[▁_]call[▁_]begin[|｜]>/y); from = at.at) {
    const before = wanted(at.match(/([^<\n]*)<[|｜]tool[▁_]sep[|｜]>/y), "the name of the tool")[1] ?? "";
    const isFirst = at.sees("{"); // later models write no type before it
    const called = isFirst ? before : wanted(at.match(/[^\n<{]*/y), "the name of the tool")[0];
    at.blanks();
    at.match(fence);
    const json = wanted(at.json(), "its JSON");
    at.match(/\s*(?:```)?\s*/y);
    if (!at.match(/<[|｜]tool[▁_]call[▁_]end[|｜]>\s*/y))
      throw new Unreadable("the sign that ends the call is missing");
    calls.push(passed(callOfJson(meant(called.trim()), json), at, from));
  }
  at.match(/<[|｜]tool[▁_]calls[▁_]end[|｜]>/y);
  if (calls.length === 0) throw new Unreadable("there is no call in it");
  return calls;
};

const readKimi: Reader = (at, meant) => {
  at.match(/<\|tool_calls_section_begin\|>\s*/y);
  const calls: WrittenCall[] = [];
  for (let from = at.at; at.match(/<\|tool_call_begin\|>\s*/y); from = at.at) {
    const called = wanted(at.match(name), "the name of the tool")[0];
    if (!at.match(/\s*<\|tool_call_argument_begin\|>\s*/y)) throw new Unreadable("its arguments are missing");
    const json = wanted(at.json(), "its JSON");
    if (!at.match(/\s*<\|tool_call_end\|>\s*/y)) throw new Unreadable("the sign that ends the call is missing");
    calls.push(passed(callOfJson(meant(called), json), at, from));
  }
  at.match(/<\|tool_calls_section_end\|>/y);
  if (calls.length === 0) throw new Unreadable("there is no call in it");
  return calls;
};

const readHarmony: Reader = (at, meant) => {
  const called = wanted(
    at.match(/<\|channel\|>commentary\s+to=([\w.:-]+)(?:<\|channel\|>\w+)?\s*/y),
    "whom it is for",
  )[1];
  at.match(/<\|constrain\|>\s*/y);
  at.match(/json\s*/y);
  wanted(at.match(/<\|message\|>\s*/y), "whom it is for");
  const json = wanted(at.json(), "its JSON");
  at.match(/\s*<\|call\|>/y);
  return [callOfJson(meant(called ?? ""), json)];
};

/** `<invoke name="…">` with `<parameter name="…">`, each tag with the prefix of whose it is. */
const readInvoke: Reader = (at, meant, tools) => {
  at.match(/<(?:antml:|minimax:|｜DSML｜)?(?:function_calls|tool_call)>\s*/y);
  const calls: WrittenCall[] = [];
  for (let found = at.match(invoke); found; found = at.match(invoke)) {
    const from = found.index;
    const [, own = "", called = ""] = found;
    const params: [string, string][] = [];
    at.blanks();
    for (let param = at.match(parameter); param; param = at.match(parameter)) {
      const value = valueUntil(at, `</${own}parameter>`, new RegExp(`<${own}parameter |</${own}invoke>`, "y"));
      params.push([param[2] ?? "", value]);
      at.blanks();
    }
    if (!at.take(`</${own}invoke>`)) throw new Unreadable(`its </${own}invoke> is missing`);
    calls.push(passed(callOfTexts(meant(called), params, tools), at, from));
    at.blanks();
  }
  if (calls.length === 0) throw new Unreadable("there is no call in it");
  at.match(/<\/(?:antml:|minimax:|｜DSML｜)?(?:function_calls|tool_call)>/y);
  return calls;
};

const invoke = /<(antml:|｜DSML｜)?invoke name="([^"<>]+)">/y;
const parameter = /<(antml:|｜DSML｜)?parameter name="([^"<>]+)"(?: string="(?:true|false)")?>/y;

/** The one table of them. */
export const textForms: readonly TextForm[] = [
  {
    name: "Hermes, Qwen or GLM",
    markers: [...["<tool_call", "<tool_calls"].flatMap((tag) => [">", " ", "\n", "\t"].map((next) => tag + next))],
    read: readToolCall,
  },
  { name: "Llama or Qwen", markers: ["<function="], read: readFunction },
  { name: "Mistral", markers: ["[TOOL_CALLS]"], anywhere: true, read: readMistral },
  {
    name: "Llama",
    markers: ["<|python_tag|>"],
    anywhere: true,
    read: behind(/<\|python_tag\|>/y, /\s*<\|(?:eom|eot)_id\|>/y),
  },
  {
    name: "DeepSeek",
    markers: ["<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "<|tool▁calls▁begin|>", "<|tool_calls_begin|>"],
    anywhere: true,
    read: readDeepSeek,
  },
  { name: "Kimi", markers: ["<|tool_calls_section_begin|>", "<|tool_call_begin|>"], anywhere: true, read: readKimi },
  { name: "gpt-oss", markers: ["<|channel|>commentary to="], anywhere: true, read: readHarmony },
  {
    name: "Granite or Phi",
    markers: ["<|tool_call|>", "<|tool_calls|>"],
    anywhere: true,
    read: behind(/<\|tool_calls?\|>/y, /\s*<\|\/tool_calls?\|>/y),
  },
  {
    name: "Claude, DeepSeek or MiniMax",
    markers: [
      ...["", "antml:", "｜DSML｜"].flatMap((own) => [`<${own}function_calls>`, `<${own}invoke name=`]),
      "<minimax:tool_call>",
    ],
    read: readInvoke,
  },
];
