import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { isJsonObject } from "../core/json.ts";
import { afterTour, demoAnswers, type Outcome, type TourStep, tourSteps } from "./demo-tour.ts";
import { playReply } from "./play.ts";
import { isTitleRequest, type Model, type ModelMessage } from "./port.ts";

export { demoProject } from "./demo-project.ts";

/** Milliseconds between two pieces, and characters in one, where the demo should look as if it were typed. */
const paceMs = 18;
const pieceLength = 6;

/**
 * The embedded tour: a model without a network that plays fixed words over real tools in the project of `demoProject()`.
 * The step to play, and the person's scripted answers, are read from the history, so that a resumed tour goes on.
 *
 * @param options `pace`: let the words appear one by one.
 */
export function openDemo(options: { pace: boolean }): Model {
  let asked = new Map<string, number>();
  return {
    spec: "demo",
    scripted: true,
    async *stream(request, signal) {
      const { messages } = request;
      if (isTitleRequest(request)) return yield { type: "done", reply: { text: "", calls: [], finish: "stop" } };
      asked = callsIn(messages);
      const { text, calls } = nextStep(messages);
      const longest = Math.max(text.length, ...calls.map((call) => JSON.stringify(call.arguments).length));
      const pace = options.pace ? { delayMs: paceMs, chunks: Math.ceil(longest / pieceLength) } : {};
      const reply = yield* playReply({ text, calls, ...pace }, signal);
      yield { type: "done", reply };
    },
    answerFor(toolName) {
      const answers = demoAnswers(toolName);
      const at = asked.get(toolName) ?? 0;
      asked.set(toolName, at + 1);
      return answers[at];
    },
  };
}

/** Counts the calls of each tool so far: each of them has had its answer. */
function callsIn(messages: readonly ModelMessage[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const message of messages) {
    if (!AIMessage.isInstance(message)) continue;
    for (const { name } of message.tool_calls ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** The step that this history has come to; each message of the model was one, and the one without calls was the last. */
function nextStep(messages: readonly ModelMessage[]): TourStep {
  const said = messages.filter((message) => AIMessage.isInstance(message));
  if (said.some((message) => (message.tool_calls ?? []).length === 0)) return { text: afterTour(), calls: [] };
  const before = outcomeOf(messages);
  for (const step of tourSteps.slice(said.length)) {
    const made = step(before);
    if (made !== undefined) return made;
  }
  return { text: afterTour(), calls: [] };
}

/** The worst end of the calls of the last assistant message. */
function outcomeOf(messages: readonly ModelMessage[]): Outcome {
  const last = messages.findLastIndex((message) => AIMessage.isInstance(message));
  if (last < 0) return "none";
  const ends = messages.slice(last + 1).filter((message) => ToolMessage.isInstance(message));
  if (ends.some((end) => statusOf(end) === "cancelled")) return "refused";
  if (ends.some((end) => end.status === "error")) return "failed";
  return "success";
}

/** Returns the status of the call, as the renderer notes it beside the text. */
function statusOf({ artifact }: ToolMessage): unknown {
  return isJsonObject(artifact) ? artifact["status"] : undefined;
}
