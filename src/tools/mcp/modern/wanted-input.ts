import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { limits } from "../../../core/limits.ts";
import type { AskedByServer } from "../asking/answer-server.ts";
import { ServerEnded } from "../messages.ts";
import { shortLine } from "../request-of.ts";

/** The server wanted to know something before it goes on, and will not: nothing of the request is under way any more. */
export class NotGoneOn extends Error {
  override readonly name = "NotGoneOn";
}

/** The input that a server wants before it goes on with a request, which is then made once more. */
export interface WantedInput {
  /** By its own names, in its order; it may be none. */
  asked: ReadonlyMap<string, AskedByServer>;
  /** The state that it wants back, letter for letter. It is looked at by nobody, and kept nowhere. */
  state?: string;
}

/** Requests in whose answer a server may want to know something. */
const askable: readonly string[] = ["tools/call", "prompts/get", "resources/read"];

/** The methods that may be asked so. */
const questions: readonly string[] = ["elicitation/create", "sampling/createMessage", "roots/list"];

/** Of a name of a question, in characters. */
const longestName = 200;

/**
 * Returns the input that an answer wants; undefined where it is one that goes on to nothing.
 * @throws ServerEnded where it is of a kind by which nobody knows what came of the request; NotGoneOn where it wants what is not given
 */
export function wantedIn(answer: JsonObject, method: string): WantedInput | undefined {
  const { resultType: kind = "complete", inputRequests = {}, requestState: state } = answer;
  if (kind === "complete") return undefined;
  if (kind !== "input_required" || !askable.includes(method))
    throw new ServerEnded(`its answer is of a kind that is not known here (${shortLine(String(kind), 40)})`);
  if (!isJsonObject(inputRequests)) throw new NotGoneOn("it wants to know what cannot be read");
  const entries = Object.entries(inputRequests);
  if (entries.length === 0 && state === undefined) throw new NotGoneOn("it wants to know something, and not what");
  if (entries.length > limits.mcpInputs.most)
    throw new NotGoneOn(`it wants to know more than ${limits.mcpInputs.most} things at once`);
  return { asked: new Map(entries.map(([name, question]) => [name, questionIn(name, question)])), ...stateIn(state) };
}

function questionIn(name: string, question: Json): AskedByServer {
  if (name.length > longestName) throw new NotGoneOn("a question of it has too long a name");
  const { method, params } = isJsonObject(question) ? question : {};
  if (typeof method !== "string" || !questions.includes(method))
    throw new NotGoneOn(`it wants to know what this client does not have (${shortLine(String(method), 40)})`);
  return { method, params };
}

function stateIn(state: Json | undefined): Pick<WantedInput, "state"> {
  if (state === undefined) return {};
  if (typeof state !== "string") throw new NotGoneOn("it wants back what is no text");
  if (Buffer.byteLength(state) > limits.mcpState.most)
    throw new NotGoneOn(`it wants back more than ${limits.mcpState.most / 1_000} kB`);
  return { state };
}
