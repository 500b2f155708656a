import { ToolRefusal } from "../../core/codes.ts";
import { countText } from "../../core/count-text.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import type { GivenImage } from "../../core/tool.ts";
import { visibleText } from "../use/visible-text.ts";
import { askServer, type Judged, type Wish } from "./ask-server.ts";
import { type Part, readParts } from "./given-parts.ts";
import { listPrompts, type PromptDefinition, promptChange } from "./prompts.ts";
import { requestOf } from "./request-of.ts";

// Keeps tools 17.
/** The content that a server gives for a message: it is the server's, and no word of the person's. */
export interface Given {
  text: string;
  /** Not decoded yet. */
  images: GivenImage[];
}

/**
 * Gets the content that a server gives for a prompt that the person trusts, as long as it is the one that they were shown.
 * @param judge of files that its arguments name, and of resources that stand in what is given
 * @throws ToolRefusal that says why it cannot be had
 */
export async function givenPrompt(
  wish: Wish,
  trusted: PromptDefinition,
  args: Readonly<Record<string, string>>,
  judge: Judged,
): Promise<Given> {
  const { server, masking } = wish;
  const shown = visibleText(trusted.name);
  for (const value of Object.values(args)) await judge(value);
  const what = `the prompt ${shown} of the MCP server ${server.name}`;
  const given = await askServer(wish, `its prompt ${shown}`, async (ready, signal) => {
    const change = promptChange(trusted, await listPrompts(ready, signal));
    if (change !== undefined)
      throw new ToolRefusal(
        "DENIED",
        `the prompt ${shown} is off: ${change} since you trusted it (agent mcp trust ${server.name} shows it again)`,
      );
    const params = { name: trusted.name, arguments: { ...args } };
    const { messages } = await requestOf(ready, "prompts/get", params, signal);
    const read = partsIn(messages, what);
    await judgeAll(read.map(embeddedIn), judge, signal);
    const from = ready.has.resources ? server.name : undefined;
    const parts = await readParts(
      read.map(({ content }) => content ?? null),
      { signal, from, masking },
    );
    signal.throwIfAborted();
    return givenOf(read, parts, what, masking);
  });
  if (given.text.trim() === "" && given.images.length === 0)
    throw new ToolRefusal("FAILED", `the MCP server ${server.name} says nothing for its prompt ${shown}`);
  return given;
}

/** Returns the parts of a server's list that can be read. @throws ToolRefusal where it has more than is taken */
export function partsIn(listed: Json | undefined, what: string): JsonObject[] {
  const { most } = limits.mcpGivenParts;
  const parts = Array.isArray(listed) ? listed : [];
  if (parts.length > most)
    throw new ToolRefusal("TOO_LARGE", `${what} gives ${parts.length} parts, and a message takes ${most}`);
  return parts.filter(isJsonObject);
}

/** Each address once. @throws the signal's reason; ToolRefusal */
export async function judgeAll(
  addresses: readonly (Json | undefined)[],
  judge: Judged,
  signal: AbortSignal,
): Promise<void> {
  for (const address of new Set(addresses)) {
    signal.throwIfAborted();
    if (typeof address === "string") await judge(address);
  }
}

function embeddedIn({ content }: JsonObject): Json | undefined {
  const resource = isJsonObject(content) ? content["resource"] : undefined;
  return isJsonObject(resource) ? resource["uri"] : undefined;
}

/** @throws ToolRefusal where it would say more than a message may */
export function refuseLong(text: string, what: string): void {
  const { most } = limits.mcpGiven;
  const bytes = Buffer.byteLength(text);
  if (bytes <= most) return;
  const size = `${countText(bytes)} bytes of text`;
  throw new ToolRefusal("TOO_LARGE", `${what} gives ${size}, and a message takes ${countText(most)}`);
}

/** Its messages one below another; who would have said each is told where not all are the person's. */
function givenOf(read: readonly JsonObject[], parts: readonly Part[], what: string, masking: Wish["masking"]): Given {
  const areOfOne = read.every(({ role }) => role !== "assistant");
  const images: GivenImage[] = [];
  const texts = read.flatMap((message, at) => {
    const { text = "", image } = parts[at] ?? {};
    if (image !== undefined) images.push(image);
    const said = image === undefined ? text : `${text}(a picture: it is attached)`;
    return said === "" ? [] : [areOfOne ? said : `${roleOf(message)}\n${said}`];
  });
  return { text: cleanGiven(texts.join("\n\n"), what, masking), images };
}

const roleOf = ({ role }: JsonObject): string => (role === "assistant" ? "[as the assistant]" : "[as the user]");

/** Without controls and signs that nobody sees, and without values of secrets. @throws ToolRefusal where it is too long, before more is done with it */
export function cleanGiven(text: string, what: string, masking: Wish["masking"]): string {
  refuseLong(text, what);
  const shown = visibleText(text.replace(/[\ud800-\udfff]/gu, "\ufffd"));
  const masked = masking?.text(shown) ?? shown;
  refuseLong(masked, what);
  return masked;
}
