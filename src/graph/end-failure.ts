import type { BaseMessage } from "@langchain/core/messages";
import type { TurnReason } from "./events.ts";
import { limitMet, limitWords } from "./limit-met.ts";
import { mostTries } from "./output.ts";
import type { Runtime } from "./runtime.ts";
import type { AgentStateValue } from "./state.ts";
import { type Getting, gettingOn, mostInRow } from "./stuck.ts";
import { askedOnOf, inXml, mostUnread } from "./talk/asked-on.ts";
import { cutOf } from "./talk/cut-mark.ts";
import { isWordless } from "./talk/no-words.ts";

interface EndFailure {
  code: string;
  message: string;
  hint: string;
}

/** What is to be said of a turn that came to a limit, or failed without a throw; undefined for any other. */
export function endFailure(runtime: Runtime, values: AgentStateValue, reason: TurnReason): EndFailure | undefined {
  if (reason === "stuck") {
    const why = stuckText(gettingOn(runtime.journal, { turn: values.turn, step: values.step - 1 }));
    return { code: "STUCK", message: `${why}, so the turn was ended`, hint: "say what to do differently" };
  }
  const of = limitMet(runtime, values, reason);
  if (of !== undefined && reason === "max_cost") return { code: "MAX_COST", ...limitWords(runtime, reason, of) };
  // Of a session that took its steps alone the turn's end says all.
  const isTold = values.ending !== null || runtime.agent !== undefined;
  if (of !== undefined && reason === "max_steps")
    return isTold ? { code: "MAX_STEPS", ...limitWords(runtime, reason, of) } : undefined;
  return reason === "failed" ? failedTurn(values) : undefined;
}

function failedTurn({ ending, messages }: AgentStateValue): EndFailure {
  const last = messages.at(-1);
  if (ending === "no_call") {
    const message = "a tool was to be called, and the model called none, though it was told";
    return {
      code: "NO_CALL",
      message,
      hint: "ask for something that needs a tool, or leave out --tool-choice required",
    };
  }
  if (ending === "no_output") {
    const asked = askedOnOf(last);
    const wrong = asked?.why === "no_output" ? `: ${asked.wrong}` : "";
    const message = `the turn was to end with JSON that fits its schema, and did not in up to ${mostTries} tries${wrong}`;
    return {
      code: "NO_OUTPUT",
      message,
      hint: "say in the prompt what is to stand in it, or ask for less in the schema",
    };
  }
  if (ending === "empty_reply") return emptyReply(last);
  if (ending === "unread_call") return unreadCall(last);
  const hint =
    last !== undefined && isWordless(last)
      ? `Not a word of it came. Say \`go on\`; if it was still thinking, ${moreRoom}.`
      : "What came of it is kept, and none of its calls was run. Say `go on`, or what to do in smaller parts.";
  return { code: "REPLY_CUT", message: `${cutOf(last)}, for the second time in this turn`, hint };
}

/** Settings of a model that thinks until nothing is left of its reply. */
const moreRoom = "raise maxOutput of the model in config.json, or lower its reasoning";

function emptyReply(last: BaseMessage | undefined): EndFailure {
  const asked = askedOnOf(last);
  const onlyThought = asked?.why === "empty_reply" && asked.thoughts === true;
  const what = onlyThought ? "the model thought and said nothing" : "the model gave an empty reply";
  const mend = onlyThought ? `${moreRoom}, or ` : "";
  return {
    code: "EMPTY_REPLY",
    message: `${what}, neither text nor a call, also when it was asked once more`,
    hint: `Say \`go on\` (agent resume) to ask again. If it stays so, ${mend}go on with another model (-m).`,
  };
}

function unreadCall(last: BaseMessage | undefined): EndFailure {
  const asked = askedOnOf(last);
  const wrong = asked?.why === "unread_call" ? `: ${asked.wrong}` : "";
  return {
    code: "UNREAD_CALL",
    message: `the model's tool calls could not be read, though it was told ${mostUnread} times${wrong}; none of them was run`,
    hint: `Let it ${inXml}. Or go on with another model (-m).`,
  };
}

function stuckText({ equal, timeouts, alike }: Getting): string {
  if (Math.max(0, ...equal.values()) >= mostInRow) return `the same call failed ${mostInRow} times in a row`;
  if (timeouts >= mostInRow) return `a call ran out of its time ${mostInRow} times in a row`;
  const [most] = [...alike.values()].toSorted((one, other) => other.times - one.times);
  const what =
    most?.tool === undefined ? "tools were called that are not there," : `${most.tool} failed with ${most.code}`;
  return `${what} ${most?.times ?? 0} times, and no file was changed in between`;
}
