import { ToolRefusal } from "../../core/codes.ts";
import { joinSignals } from "../../core/join-signals.ts";
import { limits } from "../../core/limits.ts";
import type { Masking } from "../../core/secrets/masking.ts";
import { outsideOfCall } from "./asking/answer-server.ts";
import { NotSent, ServerEnded, ServerRefusal } from "./messages.ts";
import { NotGoneOn } from "./modern/wanted-input.ts";
import { shortLine } from "./request-of.ts";
import type { McpServer, Ready } from "./server.ts";
import { untilStopped } from "./until-stopped.ts";

/** A request of the person to a server, beside the calls of the model. */
export interface Wish {
  server: McpServer;
  signal: AbortSignal;
  /** A person is there whom one that is started now may ask something. */
  mayAsk: boolean;
  /** Takes values of secrets out of what it says. */
  masking?: Pick<Masking, "text"> | undefined;
}

/** @throws ToolRefusal where what is named so is, or may be, a file that is not read unasked */
export type Judged = (named: string) => Promise<void>;

/**
 * Returns a server's answer to a wish of the person, however the server behaves: it is started where it does not run, and has a limited time.
 * Meanwhile it asks the person nothing: nobody could say to them what for.
 * @param what is asked for, in words
 * @param ask heeds the signal: past it nothing is asked or heard any more
 * @throws ToolRefusal that names the server, or the signal's reason
 */
export async function askServer<T>(
  { server, signal, mayAsk, masking }: Wish,
  what: string,
  ask: (ready: Ready, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ready = await server.ready(signal, mayAsk);
  const limit = joinSignals([signal], limits.mcpGivenTime.most);
  const over = server.asksIn(async (asked) => outsideOfCall(asked));
  try {
    const given = await untilStopped(limit.signal, ask(ready, limit.signal));
    server.answered();
    return given;
  } catch (error) {
    if (signal.aborted || error instanceof ToolRefusal) throw error;
    throw new ToolRefusal("FAILED", `the MCP server ${server.name} ${wordsOf(error, what, masking)}`, { cause: error });
  } finally {
    over();
    limit.release();
  }
}

function wordsOf(error: unknown, what: string, masking: Wish["masking"]): string {
  const said = error instanceof Error ? error.message : String(error);
  // Of half a value nobody would know that it is one.
  const why = shortLine(masking?.text(said) ?? said);
  if (error instanceof NotSent) return `did not read what it was asked (${what}): ${why}`;
  if (error instanceof NotGoneOn) return `had to know something before it gave ${what}: ${why}`;
  if (error instanceof ServerEnded) return `ended while it was asked for ${what}: ${why}`;
  if (error instanceof ServerRefusal) return `refused ${what}: ${why}`;
  if (error instanceof DOMException && error.name === "TimeoutError")
    return `did not give ${what} within ${limits.mcpGivenTime.most / 1000} s`;
  return `could not be asked for ${what}: ${why}`;
}
