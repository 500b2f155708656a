import type { BaseMessage } from "@langchain/core/messages";
import type { ToolCallInfo } from "../../core/call.ts";
import type { StepId } from "../../core/step-id.ts";
import { type Bounds, rootsOf } from "../../core/tool.ts";
import type { RawCall } from "../../model/port.ts";
import { coversPath } from "../../policy/rule-match.ts";
import type { Journal } from "../../store/types.ts";
import type { ToolCatalogue } from "../../tools/tool-catalogue.ts";
import { changedBy } from "../calls/partly.ts";

/** A command that is to pass after files were changed. */
export interface Check {
  /** Patterns as in rules; one changed file that fits is enough. */
  paths: readonly string[];
  command: string;
}

/** The session in which checks are run. */
interface CheckedSession extends Bounds {
  checks: readonly Check[];
  journal: Journal;
  catalogue: Pick<ToolCatalogue, "get">;
}

/** The tool that runs them: judged as any call of it. */
const toolName = "shell";

/** As often are checks run in one turn; a model that cannot mend it by then does not get further. */
export const maxCheckRounds = 3;

/** On the message whose calls are checks: the agent added them to the model's last words. */
const checkMark = "holdfast_checks";

export const markChecks = (): Record<string, unknown> => ({ [checkMark]: true });

/** Tells whether the calls of this message are checks. */
export const isCheckMessage = (message: BaseMessage | undefined): boolean =>
  message?.additional_kwargs[checkMark] === true;

type Step = { id: StepId; isCheck: boolean; calls: readonly ToolCallInfo[] };

// Keeps graph 12.
/**
 * The checks that are due where the model has said its last words of a turn: those that one of the files is meant by which changed
 * since the last checks. None where there were enough of them, or nothing can run them.
 */
export function dueChecks(session: CheckedSession, { turn }: StepId): RawCall[] {
  const { checks, journal, catalogue } = session;
  if (checks.length === 0 || catalogue.get(toolName) === undefined) return [];
  const steps = stepsOf(session, turn);
  if (steps.filter(({ isCheck }) => isCheck).length >= maxCheckRounds) return [];
  const since = steps.slice(steps.findLastIndex(({ isCheck }) => isCheck) + 1);
  const changed = since.flatMap(({ calls }) => calls.flatMap((call) => changedBy(journal, call)));
  const isMeant = ({ paths }: Check): boolean =>
    changed.some(({ real }) => paths.some((pattern) => coversPath(pattern, real, rootsOf(session))));
  return checks.filter(isMeant).map(({ command }, index) => ({
    id: `check-${index + 1}`,
    name: toolName,
    rawArguments: JSON.stringify({ command, description: "check" }),
  }));
}

function stepsOf({ journal }: CheckedSession, turn: number): Step[] {
  return journal
    .steps()
    .filter(({ id }) => id.turn === turn)
    .flatMap(({ id }) => {
      const reply = journal.findReply(id);
      return reply === undefined ? [] : [{ id, isCheck: isCheckMessage(reply.message), calls: reply.calls }];
    });
}

/** Tells whether a turn whose last words were checked is over: nothing failed that the model could mend. */
export const arePassed = (calls: readonly ToolCallInfo[]): boolean =>
  calls.every(
    (call) => call.status === "cancelled" || (call.status === "success" && call.result.metadata?.["exitCode"] === 0),
  );
