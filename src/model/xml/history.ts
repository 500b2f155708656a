import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { JsonObject } from "../../core/json.ts";
import type { ToolSchema } from "../../tools/use/schema.ts";
import { type ModelMessage, noticeMark, type ToolChoice } from "../port.ts";
import { formatCall, formatResult } from "./format-calls.ts";
import { formatXmlInstructions } from "./instructions.ts";
import { CallReader } from "./read-calls.ts";

const fencedNotice =
  "<notice>A tool call in your last message was only shown: it stood in code, a quote, a list or a comment. It is taken for text and was not run. To run it, write it again on a line of its own, outside of these.</notice>";

type History = (messages: readonly ModelMessage[], tools: readonly ToolSchema[], choice: ToolChoice) => ModelMessage[];

/**
 * Makes the history that a model without function calling reads: calls as they are written, the results of one message together
 * in one message of the user, and the instructions at the end of the system message. A message is made once: the same history
 * gives the same messages, so that a request costs what is new in it.
 */
export function historyInXml(): History {
  const made = new MadeMessages();
  return (messages, tools, choice) => {
    const shown: ModelMessage[] = [];
    let notice = "";
    for (const group of grouped(messages)) {
      const [message] = group;
      // Where the agent asked the model on, it told so itself.
      shown.push(made.of(group, message.additional_kwargs[noticeMark] === true ? "" : notice, tools));
      notice = message.getType() === "ai" && made.hasFenced(message) ? fencedNotice : "";
    }
    return withInstructions(shown, tools, choice);
  };
}

type Group = [ModelMessage, ...ModelMessage[]];

/** Tool messages that follow each other are one group, every other message is its own. */
function grouped(messages: readonly ModelMessage[]): Group[] {
  const groups: Group[] = [];
  for (const message of messages) {
    const last = groups.at(-1);
    if (message.getType() === "tool" && last?.[0].getType() === "tool") last.push(message);
    else groups.push([message]);
  }
  return groups;
}

/** The messages that were made of others, by the first of those that went into them. */
class MadeMessages {
  readonly #made = new WeakMap<ModelMessage, { of: Group; message: ModelMessage }>();
  readonly #fenced = new WeakMap<ModelMessage, boolean>();

  of(group: Group, notice: string, tools: readonly ToolSchema[]): ModelMessage {
    const known = this.#made.get(group[0]);
    if (known?.of.length === group.length && known.of.every((one, at) => one === group[at])) return known.message;
    const message = made(group, notice, tools);
    this.#made.set(group[0], { of: group, message });
    return message;
  }

  hasFenced(message: ModelMessage): boolean {
    const known = this.#fenced.get(message) ?? countFenced(textOf(message)) > 0;
    this.#fenced.set(message, known);
    return known;
  }
}

function made(group: Group, notice: string, tools: readonly ToolSchema[]): ModelMessage {
  const [message] = group;
  const type = message.getType();
  if (type === "ai") return callsAsText(message, tools);
  if (type === "tool") return new HumanMessage({ ...idOf(message), content: joined(notice, ...group.map(resultText)) });
  if (type !== "human" || notice === "" || typeof message.content !== "string") return message;
  return new HumanMessage({ ...idOf(message), content: joined(notice, message.content) });
}

const joined = (...parts: string[]): string => parts.filter((part) => part !== "").join("\n\n");

const idOf = ({ id }: ModelMessage): { id?: string } => (id === undefined ? {} : { id });

const textOf = ({ content }: ModelMessage): string =>
  typeof content === "string"
    ? content
    : content.map((part) => ("text" in part && typeof part.text === "string" ? part.text : "")).join("");

function callsAsText(message: ModelMessage, tools: readonly ToolSchema[]): ModelMessage {
  const calls = (message.tool_calls ?? []).map(({ name, args }) =>
    formatCall(
      name,
      args as JsonObject,
      tools.find((tool) => tool.name === name),
    ),
  );
  if (calls.length === 0) return message;
  const { additional_kwargs } = message;
  return new AIMessage({ ...idOf(message), content: joined(textOf(message), ...calls), additional_kwargs });
}

/** The name and status are a tool message's own. */
function resultText(message: ModelMessage & { name?: string; status?: string }): string {
  const { name = "", status = "success", tool_call_id: callId = "" } = message;
  return formatResult({ name, callId, status, output: textOf(message) });
}

function countFenced(text: string): number {
  if (!text.includes("<tool_call")) return 0;
  const reader = new CallReader();
  reader.push(text);
  return reader.fenced;
}

const required = "You must call at least one tool in this message.";

function withInstructions(messages: ModelMessage[], tools: readonly ToolSchema[], choice: ToolChoice): ModelMessage[] {
  if (tools.length === 0 || choice === "none") return messages;
  const told = [formatXmlInstructions(tools), ...(choice === "required" ? [required] : [])].join("\n\n");
  const [first, ...rest] = messages;
  return first?.getType() === "system"
    ? [new SystemMessage(`${textOf(first)}\n\n${told}`), ...rest]
    : [new SystemMessage(told), ...messages];
}
