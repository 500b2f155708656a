import { ToolRefusal } from "../../../core/codes.ts";
import { countText } from "../../../core/count-text.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { limits } from "../../../core/limits.ts";
import type { ModelLine, ModelQuestion } from "../../../core/model-question.ts";
import { shownImage } from "../../media/result-images.ts";
import { visibleText } from "../../use/visible-text.ts";
import { shortLine } from "../request-of.ts";

/** The reason why a server's request to the model cannot be taken: the server is told it, for it may ask otherwise. */
export class NotTaken extends Error {
  override readonly name = "NotTaken";
}

/**
 * Reads the question that a server wants the model to answer, without controls and signs that nobody sees, as it is read by the person and sent.
 * Nothing that the protocol has beside goes along: no context of the session, no temperature, no wish for another model.
 * @param sees whether the model is known to see pictures
 * @throws NotTaken; the signal's reason
 */
export async function readModelQuestion(
  params: Json | undefined,
  { sees, signal }: { sees: boolean; signal: AbortSignal },
): Promise<ModelQuestion> {
  if (!isJsonObject(params)) throw new NotTaken("it asks nothing");
  const { messages, systemPrompt, maxTokens, tools, toolChoice } = params;
  if (tools !== undefined || toolChoice !== undefined)
    throw new NotTaken("it has tools, which this client does not take");
  if (typeof maxTokens !== "number" || !(maxTokens >= 1)) throw new NotTaken("it does not say maxTokens");
  if (systemPrompt !== undefined && typeof systemPrompt !== "string") throw new NotTaken("its systemPrompt is no text");
  const system = systemPrompt === undefined ? "" : plain(systemPrompt);
  const blocks = blocksIn(messages);
  checkSize(system, blocks);
  const lines: ModelLine[] = [];
  for (const { role, block } of blocks) lines.push(await lineOf(role, block, { sees, signal }));
  if (lines.every(({ text, picture }) => text.trim() === "" && picture === undefined))
    throw new NotTaken("its messages say nothing");
  return {
    ...(system.trim() === "" ? {} : { system }),
    messages: lines,
    maxTokens: Math.min(Math.floor(maxTokens), limits.mcpModelTokens.most),
  };
}

const plain = (text: string): string => visibleText(text.replace(/[\ud800-\udfff]/gu, "\ufffd"));

interface RoleBlock {
  role: ModelLine["role"];
  block: JsonObject;
}

/** All that its messages hold, each with who is to have said it. */
function blocksIn(messages: Json | undefined): RoleBlock[] {
  const { most } = limits.mcpModelMessages;
  if (!Array.isArray(messages) || messages.length === 0) throw new NotTaken("it has no messages");
  const blocks = messages.slice(0, most + 1).flatMap((message): RoleBlock[] => {
    const { role, content } = isJsonObject(message) ? message : {};
    if (role !== "user" && role !== "assistant")
      throw new NotTaken("a message of it is neither user's nor assistant's");
    return [content ?? null].flat().map((block) => {
      if (!isJsonObject(block)) throw new NotTaken("a message of it cannot be read");
      return { role, block };
    });
  });
  if (blocks.length > most) throw new NotTaken(`it has more than ${most} messages`);
  return blocks;
}

/** Before anything more is done with it. */
function checkSize(system: string, blocks: readonly RoleBlock[]): void {
  const { most } = limits.mcpModelText;
  const length = blocks.reduce((sum, { block: { text } }) => sum + (typeof text === "string" ? text.length : 0), 0);
  if (system.length + length > most) throw new NotTaken(`it has more than ${countText(most)} characters`);
  const pictures = blocks.filter(({ block }) => block["type"] === "image").length;
  const { most: mostPictures } = limits.mcpModelPictures;
  if (pictures > mostPictures) throw new NotTaken(`it has more than ${mostPictures} pictures`);
}

async function lineOf(
  role: ModelLine["role"],
  { type, text, data }: JsonObject,
  { sees, signal }: { sees: boolean; signal: AbortSignal },
): Promise<ModelLine> {
  if (type === "text" && typeof text === "string") return { role, text: plain(text) };
  if (type !== "image" || typeof data !== "string")
    throw new NotTaken(`content of the kind ${shortLine(String(type), 40)} is not taken: text and pictures alone are`);
  if (role === "assistant") throw new NotTaken("a picture of the assistant is not taken");
  if (!sees) throw new NotTaken("this model is not known to see pictures");
  try {
    const {
      mediaType,
      data: shown,
      width,
      height,
    } = await shownImage(Buffer.from(data, "base64"), { name: "it", signal });
    return { role, text: "", picture: { mediaType, data: shown, width, height } };
  } catch (error) {
    if (error instanceof ToolRefusal) throw new NotTaken(`a picture cannot be used: ${error.message}`);
    throw error;
  }
}
