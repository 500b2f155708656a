import { isJsonObject, type Json } from "../../core/json.ts";
import type { StreamedAnswer } from "../../net/checked-stream.ts";
import { readWhole } from "./event-stream.ts";

/** Returns the media type of its body, without parameters; empty where it does not say. */
export const typeOf = (answer: StreamedAnswer): string =>
  (answer.header("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";

export const streamed = "text/event-stream";

/** Of an answer that is none of the protocol so much is read, in bytes and milliseconds. */
const mostRefusal = { bytes: 64_000, ms: 5_000 };

/** Undefined where it is longer than anybody reads, or does not come whole in time. */
export async function textOfRefusal(answer: StreamedAnswer): Promise<string | undefined> {
  const timer = setTimeout(() => answer.close(), mostRefusal.ms).unref();
  try {
    return await readWhole(answer.body, mostRefusal.bytes);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** The name that it gave the session; undefined where it keeps none. */
export function sessionIn(answer: StreamedAnswer): string | undefined {
  const session = answer.header("mcp-session-id");
  return session !== undefined && /^[\x21-\x7e]{1,1000}$/u.test(session) ? session : undefined;
}

/** Servers that are made after the protocol's own example answer so, to no request by its name. */
export function isOfSession(body: Json | undefined): boolean {
  if (!isJsonObject(body) || (body["id"] ?? null) !== null) return false;
  const { error } = body;
  return isJsonObject(error) && typeof error["message"] === "string" && /\bsession\b/iu.test(error["message"]);
}

export function locationOf(answer: StreamedAnswer, url: URL): URL | undefined {
  const location = answer.header("location") ?? "";
  return location !== "" && URL.canParse(location, url.href) ? new URL(location, url) : undefined;
}

/** Finds the address at the same host where the same request is to be made: it was not carried out. */
export function sameHost(answer: StreamedAnswer, url: URL): URL | undefined {
  const to = answer.status === 307 || answer.status === 308 ? locationOf(answer, url) : undefined;
  return to !== undefined && to.origin === url.origin && to.username + to.password === "" ? to : undefined;
}
