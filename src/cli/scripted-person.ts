import { addressOf, refOf } from "../core/call-ref.ts";
import type { CallDecision } from "../graph/decisions.ts";
import type { WaitingCall } from "../graph/events.ts";
import type { ScriptedAnswer } from "../model/port.ts";
import { parseModelSpec } from "../model/spec.ts";
import type { Session } from "../session/session.ts";
import { notices } from "../words/en/notices.ts";
import type { Composition } from "./composition.ts";
import type { RunState } from "./headless.ts";
import type { Notice } from "./services/session-services.ts";

function decisionOf(said: ScriptedAnswer, call: WaitingCall): CallDecision {
  const by = "script";
  // A line written beforehand does not mean what is not shown: the session refuses it.
  if (said.decision === "approve")
    return { decision: "approve", by, ...(call.partial === undefined ? { digest: call.digest } : {}) };
  if (said.decision === "edit") return { decision: "edit", arguments: said.arguments ?? call.arguments, by };
  return { decision: "deny", by, ...(said.reason === undefined ? {} : { reason: said.reason }) };
}

/** `left`: the script has an answer that does not count, so that the call waits for a person. */
export type Said = "answered" | "left" | "nothing";

/**
 * Answers as the script of a scripted model says, where its answers count: under `--answers`, and in the demo, whose project is a copy
 * of its own. What waits for a person alone is left to them.
 * @param model the one that the session is played with.
 */
export function scriptedPerson(
  composition: Pick<Composition, "answerFor" | "flags">,
  session: Pick<Session, "answer">,
  model: string,
): (heard: Pick<RunState, "waiting">) => Promise<Said> {
  const left = new Set<string>();
  const counts = composition.flags.answers === true || parseModelSpec(model)?.kind === "demo";
  const answerOne = async (call: WaitingCall): Promise<Said> => {
    const ref = refOf(call);
    if (left.has(addressOf(ref))) return "left";
    const said = composition.answerFor(model, call.toolName, call.callId);
    if (said === undefined) return "nothing";
    if (counts && (await session.answer(ref, decisionOf(said, call))).ok) return "answered";
    left.add(addressOf(ref));
    return "left";
  };
  return async ({ waiting }) => {
    let worst: Said = "nothing";
    for (const call of waiting) {
      const said = await answerOne(call);
      if (said === "answered") return said;
      if (said === "left") worst = said;
    }
    return worst;
  };
}

/** Says that a script's answers for the person do not count in this run. */
export async function ignoredAnswers(
  { flags, openModel }: Pick<Composition, "flags" | "openModel">,
  model: string,
): Promise<Notice[]> {
  if (flags.answers === true || parseModelSpec(model)?.kind !== "script") return [];
  // A script that cannot be read fails the turn that asks it.
  const { answers = 0 } = await openModel(model).catch(() => ({ answers: 0 }));
  if (answers === 0) return [];
  return [{ code: "answers_ignored", text: notices().answersIgnored({ answers }) }];
}
