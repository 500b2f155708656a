import { refOf } from "../../core/call-ref.ts";
import { waitsText } from "../../graph/calls/partial.ts";
import type { UndoTarget } from "../../records/undo/changes.ts";
import { starting } from "../../words/en/starting.ts";
import { undoing } from "../../words/en/undoing.ts";
import type { Composition } from "../composition.ts";
import { play, type RunState } from "../headless.ts";
import { askLine, atTerminal } from "../io.ts";
import { CliProblem } from "../problem.ts";
import { sessionServices } from "../services/open-services.ts";
import { cleanText } from "../terminal/sanitise.ts";
import { printerOf } from "./run.ts";

export interface UndoFlags {
  /** `--turn`: a number from 1, or "last". */
  turn: string | undefined;
  /** Approves what is printed. */
  yes: boolean;
  /** Leaves out calls against which something stands. */
  rest: boolean;
}

/**
 * `agent undo`: takes back calls, or a turn, by default the last one that changed files; an undo that waits or was cut off is
 * gone on with first. What it would do is printed; at a
 * terminal it asks, with `--yes` it goes on, else it stops, saved, for `agent resume ID --approve all`.
 * @returns the exit code.
 */
export async function undo(
  composition: Composition,
  id: string | undefined,
  calls: readonly string[],
  flags: UndoFlags,
): Promise<number> {
  const target = targetOf(calls, flags.turn);
  const { sessions } = sessionServices(composition);
  const { session } = await sessions.open(id, { toDo: starting().toUndo });
  const asks = !flags.yes && atTerminal(composition.io) && composition.flags.json !== true;
  const say = (text: string): unknown => composition.io.stderr.write(cleanText(`${text}\n`));
  let without = false;
  const begin = async (): Promise<void> => {
    // At a terminal the rest is offered: the question comes with what it would do.
    const rest = flags.rest || asks ? { rest: true as const } : {};
    const begun = await session.undo({ ...target, ...rest });
    if (!begun.ok) throw new CliProblem("failed", begun.message, { hint: nextStep(session.id, begun.rest) });
    without = begun.left !== undefined;
    for (const why of begun.left ?? []) say(undoing().leftOut({ why }));
  };
  const answer = async ({ waiting }: RunState): Promise<boolean> => {
    const [call] = waiting;
    if (call === undefined || !(flags.yes || asks)) return false;
    if (call.partial !== undefined && flags.yes) {
      // Said beforehand, a yes does not mean what is not shown.
      say(waitsText(call));
      return false;
    }
    const agreed = flags.yes || (await confirmed(composition, call.partial !== undefined, without));
    if (agreed === undefined) return false;
    const decision = agreed ? { decision: "approve" as const, digest: call.digest } : { decision: "deny" as const };
    return (await session.answer(refOf(call), { ...decision, by: flags.yes ? "flag" : "person" })).ok;
  };
  return play(session, composition, await printerOf(composition), begin, answer);
}

function nextStep(id: string, rest: readonly string[] | undefined): string {
  if (rest === undefined) return undoing().showsCalls({ id });
  return undoing().rest({ id, calls: rest });
}

function targetOf(calls: readonly string[], turn: string | undefined): UndoTarget {
  if (calls.length > 0) {
    if (turn === undefined) return { calls: [...calls] };
    throw new CliProblem("usage", undoing().callsOrTurn);
  }
  if (turn === undefined || turn === "last") return { turn: "last" };
  if (/^[1-9]\d{0,8}$/.test(turn)) return { turn: Number(turn) };
  throw new CliProblem("usage", undoing().badTurn({ text: turn }));
}

/** undefined where the person left without an answer. */
async function confirmed({ io }: Composition, partial: boolean, without: boolean): Promise<boolean | undefined> {
  const question = undoing().question({ without, partial });
  const answer = await askLine(io.stdin, io.stderr, question);
  return answer === undefined ? undefined : (partial ? /^yes$/i : /^y(es)?$/i).test(answer.trim());
}
