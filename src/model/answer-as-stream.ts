import { isJsonObject } from "../core/json.ts";
import { limits } from "../core/limits.ts";

/** All of an answer's text, as much as a reply may have. */
export async function wholeText({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    parts.push(part);
    size += part.length;
    if (size > limits.replyArguments.most) break;
  }
  return Buffer.concat(parts).toString("utf8");
}

/** Tells whether a server that was asked for a stream has sent the whole reply at once, as JSON. */
export function isReply(text: string): boolean {
  try {
    const read: unknown = JSON.parse(text);
    return isJsonObject(read) && Array.isArray(read["choices"]);
  } catch {
    return false;
  }
}

/** The same answer as a stream of one event. */
export function asStream({ ok, status, statusText, url, headers }: Response, text: string): Response {
  // line breaks in JSON stand between its values alone
  const event = new TextEncoder().encode(`data: ${text.replace(/[\r\n]+/g, " ")}\n\n`);
  async function* body(): AsyncGenerator<Uint8Array> {
    yield event;
  }
  return { ok, status, statusText, url, headers, body: body() } as unknown as Response;
}
