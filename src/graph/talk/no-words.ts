import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { showsNothing } from "../../core/unseen.ts";
import { textOf } from "./message-text.ts";

/** On a message of the model without words or calls: its text is the agent's. */
const mark = "holdfast_no_words";

/** In the place of words that never came: servers refuse a message of the model that is empty, and with it each later request. */
const noWords = "(no words came)";

// Keeps graph 7.
/**
 * The text that is stored of a reply, so that none is empty.
 * @param instead what stands there where the reply has neither words nor calls
 */
export function storedWords(
  text: string,
  hasCalls: boolean,
  instead = noWords,
): { content: string; marks: Record<string, unknown> } {
  if (!showsNothing(text)) return { content: text, marks: {} };
  return hasCalls ? { content: "", marks: {} } : { content: instead, marks: { [mark]: true } };
}

/** Returns the words of the model itself in a message of its. */
export const wordsOf = (message: BaseMessage): string =>
  message.additional_kwargs[mark] === true ? "" : textOf(message);

/** Tells whether this is a message of the model without words and calls; older stores have such ones without the mark. */
export function isWordless(message: BaseMessage): boolean {
  if (!AIMessage.isInstance(message) || (message.tool_calls ?? []).length > 0) return false;
  return message.additional_kwargs[mark] === true || (showsNothing(textOf(message)) && !hasMore(message));
}

/** Something else than text and thoughts, such as a picture. */
const hasMore = ({ content }: BaseMessage): boolean =>
  typeof content !== "string" && content.some(({ type }) => !wordTypes.has(type));

const wordTypes: ReadonlySet<string> = new Set(["text", "thinking", "redacted_thinking", "reasoning"]);

/**
 * A wordless message as it is sent. One stands there all the same, or two messages of the user would follow each other, which some
 * servers refuse too.
 */
export const shownWordless = (message: AIMessage): AIMessage =>
  message.additional_kwargs[mark] === true
    ? message
    : new AIMessage({ ...(message.id === undefined ? {} : { id: message.id }), content: noWords });

/** Tells why a reply without calls says nothing to the person; undefined where it says something. @param thought thoughts came beside its text */
export function saysNothing(text: string, thought: boolean): { thoughts: boolean } | undefined {
  if (isOnlyThoughts(text)) return { thoughts: true };
  return showsNothing(text) ? { thoughts: thought } : undefined;
}

/** Tells whether a text is only thoughts: where its server does not know them, a model's thoughts stand in its text; they may never end. */
function isOnlyThoughts(text: string): boolean {
  const [, tag] = /^\s*<(think|thinking)>/.exec(text) ?? [];
  if (tag === undefined) return false;
  const end = text.indexOf(`</${tag}>`);
  return end < 0 || showsNothing(text.slice(end + tag.length + 3));
}
