import { addressOf } from "../../../core/call-ref.ts";
import type { RecoveryChoice } from "../../../graph/events.ts";
import { recovery } from "../../../words/en/recovery.ts";
import { changeLines } from "../question/change-lines.ts";
import type { Lines } from "../surface/surface.ts";
import type { Unsettled } from "../view/view.ts";
import type { RecoveryStep } from "./recovery-state.ts";

/** The first of the calls whose end was not seen, where lines are all there is. */
export const recoveryLines: Lines<NonNullable<RecoveryStep["effect"]>> = {
  asked({ recovery: [call] }) {
    return call === undefined ? undefined : { key: addressOf(call.ref), text: () => recoveryText(call) };
  },
  said({ recovery: [call] }, line) {
    if (call === undefined) return undefined;
    const choice = spokenChoice(call, line);
    if (choice === undefined) return { say: recovery().lines.undecided(call) };
    return { effect: { do: "recover", ref: call.ref, choice } };
  },
  escaped: "",
};

/** The recovery question as plain text. */
export function recoveryText(call: Unsettled): string {
  const words = recovery().lines;
  return [
    words.title({ call: `${call.toolName} ${call.subject}` }),
    ...(call.agent === undefined ? [] : [words.helper({ agent: call.agent })]),
    words.facts({ at: call.startedAt, known: call.known }),
    ...changeLines(call.changes),
    words.arguments({ text: call.argumentText }),
    ...call.ownNames,
    words.asked(call),
  ].join("\n");
}

const spokenChoice = (call: Unsettled, line: string): RecoveryChoice | undefined =>
  call.choices.find((one) => one === line.trim().toLowerCase());
