import type { CallOf } from "../../core/call.ts";
import type { AnswerRow, CallMove } from "../../store/types.ts";
import type { AnswerOutcome } from "../decisions.ts";
import type { RecoveryChoice } from "../events.ts";
import type { Runtime } from "../runtime.ts";
import { callWords } from "../talk/call-words.ts";
import { choicesOf } from "./question.ts";
import { announceDecision, callOff, foundDone, record, retry } from "./transitions.ts";

/** The person settles one call whose end was not seen. Choosing retry approves the digest that was shown. */
export async function recoverCall(runtime: Runtime, callId: string, choice: RecoveryChoice): Promise<AnswerOutcome> {
  const call = runtime.journal.call(callId);
  if (call?.status !== "interrupted") {
    return { ok: false, code: "not_waiting", message: `call ${callId} does not wait for recovery` };
  }
  if (!choicesOf(call).includes(choice)) {
    const message = `call ${callId} came to its end: it is kept (done) or called off (cancel), and not run again`;
    return { ok: false, code: "invalid", message };
  }
  const at = runtime.clock();
  const row: AnswerRow = { callId, digest: call.digest ?? "", decision: choice, at };
  await record(runtime, [moveOf(call, choice, at)], row);
  announceDecision(
    runtime,
    callId,
    choice,
    { actor: "person" },
    call.digest === undefined ? {} : { digest: call.digest },
  );
  return { ok: true };
}

function moveOf(call: CallOf<"interrupted">, choice: RecoveryChoice, at: number): CallMove {
  switch (choice) {
    case "retry":
      return retry(call, call.digest === undefined ? (call.by ?? { actor: "person" }) : { actor: "person" }, at);
    case "done":
      return foundDone(
        call,
        { actor: "person", rule: "recovery" },
        call.result ?? { output: callWords.markedDone },
        at,
      );
    case "cancel":
      return callOff(call, "given_up", at);
  }
}
