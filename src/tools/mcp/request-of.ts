import type { JsonObject } from "../../core/json.ts";
import { visibleText } from "../use/visible-text.ts";
import type { Connection } from "./messages.ts";

/**
 * One request of it, made only where the signal has not said to stop. Where it says so later, the server is told, and the answer not heard.
 * @throws the signal's reason
 */
export async function requestOf(
  { connection }: { connection: Pick<Connection, "request"> },
  method: string,
  params: JsonObject,
  signal: AbortSignal | undefined,
): Promise<JsonObject> {
  signal?.throwIfAborted();
  const request = connection.request(method, params);
  const stop = (): void => request.giveUp("nobody waits for it any more");
  signal?.addEventListener("abort", stop, { once: true });
  try {
    return await request.answer;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/** In one line, as a person can read it. */
export const shortLine = (text: string, most = mostShown): string => {
  const line = visibleText(text).replaceAll(/\s+/gu, " ").trim();
  return line.length <= most ? line : `${line.slice(0, most)}…`;
};

const mostShown = 200;

/** No address of a resource that a person means is longer. */
export const longestAddress = 2_000;
