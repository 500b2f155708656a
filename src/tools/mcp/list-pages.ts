import type { Json } from "../../core/json.ts";
import type { Connection } from "./messages.ts";
import { requestOf } from "./request-of.ts";

/** More pages than that no server has. */
const mostPages = 50;

/**
 * Reads a server's list, page by page, until it is far more than `most`. @param key of the list in each answer
 * @throws the signal's reason: no further page is asked for then
 */
export async function listPages(
  connection: Pick<Connection, "request">,
  method: string,
  { key, most, signal }: { key: string; most: number; signal?: AbortSignal | undefined },
): Promise<Json[]> {
  const found: Json[] = [];
  let cursor: Json | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const asked = typeof cursor === "string" ? { cursor } : {};
    const { [key]: listed, nextCursor } = await requestOf({ connection }, method, asked, signal);
    if (Array.isArray(listed)) found.push(...listed);
    cursor = nextCursor;
    if (typeof cursor !== "string" || cursor === "" || found.length > 2 * most) break;
  }
  return found;
}
