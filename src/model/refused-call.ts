import { isJsonObject } from "../core/json.ts";
import { oneLine } from "./failures.ts";

/** The wordings of servers that say that the model's text for a call was none: Groq, and those that speak as it does. */
const wordings = /tool_use_failed|failed to call a function|tool call validation failed|failed to parse tool call/i;

/** A call of the model that its server did not take: why, and what the model wrote, as far as the server says it. */
interface RefusedCall {
  why: string;
  written: string;
}

/** Reads from a server's error the call of the model that it could not read, or would not take; undefined for any other error. */
export function refusedCall(error: unknown, secrets: readonly string[]): RefusedCall | undefined {
  const { error: told, code, message } = error as { error?: unknown; code?: unknown; message?: unknown };
  if (!isJsonObject(told) || !wordings.test(`${String(code)} ${String(message)}`)) return undefined;
  const said = typeof told["message"] === "string" ? told["message"] : String(message);
  const written = told["failed_generation"];
  return {
    why: `the server did not take it: ${oneLine(said, secrets)}`,
    written: typeof written === "string" ? written : "",
  };
}
