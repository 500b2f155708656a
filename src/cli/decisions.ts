import {
  addressOf,
  type CallName,
  type CallRef,
  namedIn,
  nameIn,
  readCallName,
  refOf,
  sameCall,
} from "../core/call-ref.ts";
import { inexactWords } from "../core/exact-number.ts";
import { isJsonObject, type JsonObject } from "../core/json.ts";
import { tooDeepWords } from "../core/json-depth.ts";
import { wholePrefix } from "../graph/calls/partial.ts";
import type { AnswerOutcome } from "../graph/decisions.ts";
import type { UnsettledCall, WaitingCall } from "../graph/events.ts";
import type { Session } from "../session/session.ts";
import { typed as typedWords } from "../words/en/typed.ts";
import { saidAgain } from "../words/said-again.ts";
import { eventsHeard, type RunState } from "./headless.ts";
import { CliProblem } from "./problem.ts";

/** One decision as a flag says it; `all` stands for every call that waits for this kind of answer. */
export type FlagDecision = { of: CallName | "all" } & (
  | { kind: "approve"; digest?: string }
  | { kind: "deny"; reason?: string }
  | { kind: "edit"; arguments: JsonObject }
  | { kind: "retry" | "done" | "cancel" }
);

export function parseApprove(text: string): FlagDecision {
  const read = readCallName(text);
  if (read === undefined) throw new CliProblem("usage", typedWords().approve({ text }));
  const { digest, ...name } = read;
  const of = name.session === undefined && name.call === "all" ? "all" : name;
  return { kind: "approve", of, ...(digest === undefined ? {} : { digest: digestPrefix(text, of, digest) }) };
}

/** Of a flag that takes a call without a digest. @throws CliProblem usage */
function parseName(flag: string, text: string): FlagDecision["of"] {
  if (text === "all") return text;
  const read = readCallName(text);
  if (read !== undefined && read.digest === undefined) return read;
  throw new CliProblem("usage", typedWords().named({ flag, text }));
}

export const parseNamed =
  (kind: "deny" | "retry" | "done" | "cancel") =>
  (text: string): FlagDecision => ({ kind, of: parseName(kind, text) });

/** A shorter prefix could be met by a change that was made for it. @throws CliProblem usage, for what is no digest either. */
function digestPrefix(flag: string, of: FlagDecision["of"], text: string): string {
  const told = JSON.stringify(flag);
  if (of === "all") throw new CliProblem("usage", typedWords().digestOfAll({ told }));
  const digest = text.toLowerCase();
  if (new RegExp(`^[0-9a-f]{${wholePrefix},64}$`).test(digest)) return digest;
  throw new CliProblem("usage", typedWords().digestShape({ told, least: wholePrefix }), {
    hint: typedWords().digestHint,
  });
}

export function parseEdit(text: string): FlagDecision {
  const at = text.indexOf("=");
  const deep = tooDeepWords(text.slice(at + 1));
  if (deep !== undefined) throw new CliProblem("usage", typedWords().deepEdit({ call: text.slice(0, at), deep }));
  let value: unknown;
  try {
    value = at > 0 ? JSON.parse(text.slice(at + 1)) : undefined;
  } catch (cause) {
    throw new CliProblem("usage", `--edit ${text.slice(0, at)}: ${(cause as Error).message}`, { cause });
  }
  const inexact = value === undefined ? undefined : inexactWords(text.slice(at + 1));
  if (inexact !== undefined) throw new CliProblem("usage", `--edit ${text.slice(0, at)}: ${inexact}`);
  if (!isJsonObject(value))
    throw new CliProblem("usage", '--edit takes ID=JSON, e.g. --edit \'c1={"file_path":"a.txt"}\'');
  return { kind: "edit", of: parseName("edit", text.slice(0, at)), arguments: value };
}

/** `--reason` belongs to the `--deny` before it. */
export function giveReason(decisions: readonly FlagDecision[], reason: string): FlagDecision[] {
  const last = decisions.at(-1);
  if (last?.kind !== "deny") throw new CliProblem("usage", typedWords().reasonPlace);
  return [...decisions.slice(0, -1), { ...last, reason }];
}

const opposed: readonly FlagDecision["kind"][][] = [
  ["approve", "deny"],
  ["retry", "done", "cancel"],
];

/** As it was typed. */
const typed = (of: FlagDecision["of"]): string =>
  of === "all" ? of : of.session === undefined ? of.call : addressOf({ session: of.session, call: of.call });

/**
 * Two flags that want different things of one call end the command before anything is decided.
 * @param home the session that is asked for; without it only names that are typed alike are the same call
 */
export function refuseContradictions(decisions: readonly FlagDecision[], home = ""): void {
  const meant = ({ of }: FlagDecision): string => (of === "all" ? of : addressOf(namedIn(home, of)));
  for (const one of decisions) {
    const rivals = opposed.find((kinds) => kinds.includes(one.kind)) ?? [];
    const isRival = ({ kind }: FlagDecision): boolean => kind !== one.kind && rivals.includes(kind);
    const other = decisions.find((rival) => isRival(rival) && meant(rival) === meant(one));
    if (other !== undefined)
      throw new CliProblem(
        "usage",
        typedWords().contradict({ one: one.kind, of: typed(one.of), other: other.kind, otherOf: typed(other.of) }),
      );
  }
}

const forRecovery = (decision: FlagDecision) =>
  decision.kind === "retry" || decision.kind === "done" || decision.kind === "cancel";

/**
 * Names that fit nothing end the command before anything is decided. Where the session `goesOn` with what was cut off, or has calls
 * to be recovered first, a call of the session is name enough: it may have been settled meanwhile, or be asked about yet.
 */
function checkNames(decisions: readonly FlagDecision[], heard: RunState, home: string, goesOn: boolean): void {
  const lenient = goesOn && (heard.waiting.length === 0 || heard.unsettled.length > 0);
  for (const decision of decisions) {
    const { of } = decision;
    if (of === "all" && decision.kind !== "edit" && decision.kind !== "done") continue;
    const ref = of === "all" ? undefined : namedIn(home, of);
    if (lenient && ref !== undefined && heard.known.has(addressOf(ref))) continue;
    const waiting = waitingFor(decision, heard);
    if (ref !== undefined && waiting.some((call) => sameCall(refOf(call), ref))) continue;
    const known = waiting.map((call) => nameIn(home, refOf(call))).join(", ") || "none";
    throw new CliProblem("usage", typedWords().noneWaits({ kind: decision.kind, of: typed(of), known }));
  }
}

const waitingFor = (decision: FlagDecision, heard: RunState): readonly (WaitingCall | UnsettledCall)[] =>
  forRecovery(decision) ? heard.unsettled : heard.waiting;

const order = (decision: FlagDecision): number => (forRecovery(decision) ? 0 : decision.kind === "edit" ? 1 : 2);

/**
 * Applies the flags to what waits: recovery first, then edits, then the others in their order. An approval that names a digest
 * holds for that one only. A partial call takes one; without it it goes on waiting, which the session says in a notice. A call whose edit was refused is not approved as it was,
 * and `all` leaves out what another flag names.
 * @returns whether a decision was refused while its call still waits.
 */
export async function applyDecisions(
  session: Pick<Session, "id" | "settled" | "answer" | "recover">,
  decisions: readonly FlagDecision[],
  heard: RunState,
  goesOn: boolean,
  warn: (text: string) => void,
): Promise<boolean> {
  await eventsHeard();
  refuseContradictions(decisions, session.id);
  checkNames(decisions, heard, session.id, goesOn);
  const named = new Set(decisions.flatMap(({ of }) => (of === "all" ? [] : [addressOf(namedIn(session.id, of))])));
  const held = new Set<string>();
  const inOrder = decisions.toSorted((one, other) => order(one) - order(other));
  let before: FlagDecision | undefined;
  for (const decision of inOrder) {
    // What waits behind recovered calls is asked about when these are through.
    if (before === undefined || forRecovery(before) !== forRecovery(decision)) {
      await session.settled();
      await eventsHeard();
    }
    before = decision;
    const refs = refsOf(decision, heard, session.id, named).filter(
      (ref) => decision.kind !== "approve" || !held.has(addressOf(ref)),
    );
    for (const ref of refs) {
      const outcome = await applyOne(session, decision, ref, heard);
      if (!outcome.ok && outcome.code !== "partial") warn(saidAgain(outcome.message));
      if (!outcome.ok && outcome.code !== "not_waiting") held.add(addressOf(ref));
    }
    await eventsHeard();
  }
  return held.size > 0;
}

function refsOf(decision: FlagDecision, heard: RunState, home: string, named: ReadonlySet<string>): CallRef[] {
  if (decision.of !== "all") return [namedIn(home, decision.of)];
  const calls = forRecovery(decision)
    ? // All never repeats what may happen only once.
      heard.unsettled.filter((call) => decision.kind !== "retry" || call.effect !== "once")
    : heard.waiting;
  return calls.map(refOf).filter((ref) => !named.has(addressOf(ref)));
}

function applyOne(
  session: Pick<Session, "answer" | "recover">,
  decision: FlagDecision,
  ref: CallRef,
  heard: RunState,
): Promise<AnswerOutcome> {
  const by = "flag";
  switch (decision.kind) {
    case "approve":
      return session.answer(ref, { decision: "approve", ...fullDigest(decision.digest, ref, heard), by });
    case "deny":
      return session.answer(ref, {
        decision: "deny",
        by,
        ...(decision.reason === undefined ? {} : { reason: decision.reason }),
      });
    case "edit":
      return session.answer(ref, { decision: "edit", arguments: decision.arguments, by });
    case "retry":
    case "done":
    case "cancel":
      return session.recover(ref, decision.kind);
  }
}

function fullDigest(digest: string | undefined, ref: CallRef, heard: RunState): { digest?: string } {
  if (digest === undefined) return {};
  const call = heard.waiting.find((one) => sameCall(refOf(one), ref));
  return { digest: call?.digest.startsWith(digest) === true ? call.digest : digest };
}
