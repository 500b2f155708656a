import { namedIn, nameIn } from "../../core/call-ref.ts";
import { answerElsewhere, type OutsideAnswer, stopElsewhere } from "../../records/ask-driver.ts";
import { treeOf } from "../../records/session-tree.ts";
import { exitCodes } from "../../session/exit-codes.ts";
import type { SessionRow, Store } from "../../store/types.ts";
import { answering } from "../../words/en/answering.ts";
import { saidAgain } from "../../words/said-again.ts";
import type { Composition } from "../composition.ts";
import { type FlagDecision, refuseContradictions } from "../decisions.ts";
import { findRoot, findSession } from "../find-session.ts";
import { CliProblem } from "../problem.ts";
import { cleanText } from "../terminal/sanitise.ts";

type Named = Exclude<FlagDecision["of"], "all">;

/** An answer to one call, bound to a digest where it approves. */
type Answer = { of: Named } & ({ decision: "approve"; digest: string } | { decision: "deny"; reason?: string });

const exits: Record<OutsideAnswer["became"], number> = {
  ...{ taken: exitCodes.done, waits: exitCodes.waiting, unheard: exitCodes.busy, refused: exitCodes.failed },
};
/** The worst first. */
const worse = [exitCodes.busy, exitCodes.failed, exitCodes.waiting];

/** `agent answer ID`: to the process that drives it, or to whoever resumes it. @returns the exit code. @throws CliProblem */
export async function answerSession(
  composition: Composition,
  id: string,
  decisions: readonly FlagDecision[],
): Promise<number> {
  const answers = decisions.map(answerOf);
  if (answers.length === 0)
    throw new CliProblem("usage", answering().nothingSaid, { hint: answering().nothingSaidHint });
  refuseContradictions(decisions);
  const row = await findRoot(composition, id);
  const store = await composition.store();
  const codes: number[] = [];
  for (const answer of answers) {
    const { told, code } = await give(store, row, answer);
    composition.io.stderr.write(`${cleanText(told)}\n`);
    codes.push(code);
  }
  return worse.find((code) => codes.includes(code)) ?? exitCodes.done;
}

async function give(store: Store, row: SessionRow, { of, ...answer }: Answer): Promise<{ told: string; code: number }> {
  const ref = namedIn(row.id, of);
  const name = nameIn(row.id, ref);
  if (!treeOf(store, row).includes(ref.session))
    throw new CliProblem("usage", answering().noCall({ name, id: row.id }));
  const outcome = await answerElsewhere(store, ref, answer);
  const told =
    outcome.became === "taken"
      ? answering().taken[answer.decision]({ name })
      : `${name}: ${saidAgain(outcome.message)}`;
  return { told, code: exits[outcome.became] };
}

/** @throws CliProblem usage where it could mean something that the person has not read */
function answerOf(decision: FlagDecision): Answer {
  if (decision.of === "all") throw new CliProblem("usage", answering().nameEach({ flag: decision.kind }));
  if (decision.kind === "deny")
    return { of: decision.of, decision: "deny", ...(decision.reason === undefined ? {} : { reason: decision.reason }) };
  if (decision.kind === "approve" && decision.digest !== undefined)
    return { of: decision.of, decision: "approve", digest: decision.digest };
  throw new CliProblem("usage", answering().needsDigest({ call: decision.of.call }), { hint: answering().digestHint });
}

/** `agent stop ID`: what runs ends, as with Esc where it is driven; of a helper's id that helper alone. @returns the exit code. */
export async function stopSession(composition: Composition, id: string): Promise<number> {
  const row = await findSession(composition, id);
  const { became, message } = await stopElsewhere(await composition.store(), row.id);
  composition.io.stderr.write(`${cleanText(saidAgain(message))}\n`);
  return became === "unheard" ? exitCodes.busy : exitCodes.done;
}
