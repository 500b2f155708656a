import type { BaseMessage } from "@langchain/core/messages";
import { AIMessage } from "@langchain/core/messages";
import { commonLength } from "../../../core/common-length.ts";
import type { ToolSchema } from "../../../tools/use/schema.ts";

/*
 * How many tokens a request takes, about: nobody counts them but its server, which tells the figure of the request before. Four
 * characters are a token in prose and code; data and scripts that are not Latin take more. Measured for o200k.
 */
const charactersOfToken = 4;
const dataFactor = 1.6;
const denseFactor = 2.6;

/** Data has so many of its signs in it at the least. */
const dataShare = 0.12;
/** A run of letters and digits that is so long is no word: base64, hashes. */
const longestWord = 80;

/** The tokens that stand around a message, and those of an image in it. */
const ofMessage = 4;
const ofImage = 1_600;

/** Tokens of a text, without knowing whose. Linear. */
export function roughTokens(text: string): number {
  let [dense, signs, run] = [0, 0, 0];
  const endRun = (): void => {
    if (run > longestWord) dense += run;
    run = 0;
  };
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isWordCode(code)) {
      run += 1;
      continue;
    }
    endRun();
    if (code >= 0x900) dense += 1;
    else if (isSign(code)) signs += 1;
  }
  endRun();
  const plain = text.length - dense;
  const factor = plain > 0 && signs / plain > dataShare ? dataFactor : 1;
  return Math.ceil((plain * factor + dense * denseFactor) / charactersOfToken);
}

/** Digits, letters, + and /. */
const isWordCode = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 47 && code <= 57) || code === 43;

/** The signs that structure data: " , : [ \\ ] { } */
const isSign = (code: number): boolean =>
  code === 34 || code === 44 || code === 58 || (code >= 91 && code <= 93) || code === 123 || code === 125;

const ofMessages = new WeakMap<BaseMessage, number>();

/** Counted once for each message: a rendered one never changes. */
export function messageTokens(message: BaseMessage): number {
  const known = ofMessages.get(message);
  if (known !== undefined) return known;
  const counted = countMessage(message);
  ofMessages.set(message, counted);
  return counted;
}

function countMessage(message: BaseMessage): number {
  const { content } = message;
  const said =
    typeof content === "string"
      ? roughTokens(content)
      : content.reduce((sum, block) => sum + (block.type === "text" ? roughTokens(String(block["text"])) : ofImage), 0);
  const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
  return ofMessage + said + calls.reduce((sum, { name, args }) => sum + roughTokens(name + JSON.stringify(args)), 0);
}

/** A talk grows at its end: only what the last one that was counted did not have is counted. */
let counted: { messages: readonly BaseMessage[]; tokens: number } = { messages: [], tokens: 0 };

export function messagesTokens(messages: readonly BaseMessage[]): number {
  const goesOn = commonLength(counted.messages, messages) === counted.messages.length;
  const start = goesOn ? counted : { messages: [], tokens: 0 };
  let { tokens } = start;
  for (let at = start.messages.length; at < messages.length; at += 1)
    tokens += messageTokens(messages[at] as BaseMessage);
  counted = { messages: [...messages], tokens };
  return tokens;
}

const ofSchemas = new WeakMap<ToolSchema, number>();

export const toolsTokens = (tools: readonly ToolSchema[]): number =>
  tools.reduce((sum, tool) => {
    const known = ofSchemas.get(tool) ?? roughTokens(JSON.stringify(tool));
    ofSchemas.set(tool, known);
    return sum + known;
  }, 0);

/** A server's figure that is further away from the estimate is of something else, such as of what was not in its cache. */
const believed = { least: 0.5, most: 3 };

/** No estimate is corrected upwards by more. */
export const mostCorrection = believed.most;

/** Returns the factor that the estimate is to be multiplied with, by what the server said of an earlier request. */
export function correction(estimated: number, told: number | undefined): number {
  if (told === undefined || estimated === 0) return 1;
  const ratio = told / estimated;
  return ratio < believed.least || ratio > believed.most ? 1 : ratio;
}
