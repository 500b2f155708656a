import { isFinal } from "../core/call.ts";
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
import { type Decided, decidedWords, isDecidedSo } from "./decided.ts";
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
  if (read === undefined)
    throw new CliProblem("usage", `--approve takes ID, ID@DIGEST or all, not ${JSON.stringify(text)}`);
  const { digest, ...name } = read;
  const of = name.session === undefined && name.call === "all" ? "all" : name;
  return { kind: "approve", of, ...(digest === undefined ? {} : { digest: digestPrefix(text, of, digest) }) };
}

/** Of a flag that takes a call without a digest. @throws CliProblem usage */
function parseName(flag: string, text: string): FlagDecision["of"] {
  if (text === "all") return text;
  const read = readCallName(text);
  if (read !== undefined && read.digest === undefined) return read;
  throw new CliProblem("usage", `--${flag} takes ID or SESSION:ID, not ${JSON.stringify(text)}`);
}

export const parseNamed =
  (kind: "deny" | "retry" | "done" | "cancel") =>
  (text: string): FlagDecision => ({ kind, of: parseName(kind, text) });

/** A shorter prefix could be met by a change that was made for it. @throws CliProblem usage, for what is no digest either. */
function digestPrefix(flag: string, of: FlagDecision["of"], text: string): string {
  const told = JSON.stringify(flag);
  if (of === "all") throw new CliProblem("usage", `--approve ${told}: a digest belongs to one call, name it`);
  const digest = text.toLowerCase();
  if (new RegExp(`^[0-9a-f]{${wholePrefix},64}$`).test(digest)) return digest;
  throw new CliProblem("usage", `--approve ${told}: a digest takes ${wholePrefix} to 64 characters, 0-9 and a-f`, {
    hint: "it is printed with the call that waits: copy it from there",
  });
}

export function parseEdit(text: string): FlagDecision {
  const at = text.indexOf("=");
  const deep = tooDeepWords(text.slice(at + 1));
  if (deep !== undefined) throw new CliProblem("usage", `--edit ${text.slice(0, at)}: the arguments are ${deep}`);
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
  if (last?.kind !== "deny") throw new CliProblem("usage", "--reason must follow the --deny that it explains");
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
        `--${one.kind} ${typed(one.of)} and --${other.kind} ${typed(other.of)} contradict each other: nothing was decided`,
      );
  }
}

const forRecovery = (decision: FlagDecision) =>
  decision.kind === "retry" || decision.kind === "done" || decision.kind === "cancel";

/** The calls of a session and of those that it drives, as they are stored. */
export interface CallsOfTree {
  has(ref: CallRef): boolean;
  /** How one was decided that does not wait. */
  decided(ref: CallRef): Decided | undefined;
}

/** Names of no call end the command before anything is set to work. @throws CliProblem usage */
export function checkCalls(decisions: readonly FlagDecision[], home: string, { has }: Pick<CallsOfTree, "has">): void {
  refuseContradictions(decisions, home);
  for (const decision of decisions)
    if (decision.of !== "all" && !has(namedIn(home, decision.of))) throw namesNothing(decision, "none");
}

const namesNothing = ({ kind, of }: FlagDecision, known: string, decided?: Decided): CliProblem => {
  const how = decided === undefined ? "" : `: ${decidedWords(decided)}`;
  return new CliProblem(
    "usage",
    `--${kind} ${typed(of)}: no call with this id waits for that (waiting: ${known})${how}`,
  );
};

const isSaidAgain = (decision: FlagDecision, decided: Decided): boolean =>
  isDecidedSo(decided, { decision: decision.kind, digest: decision.kind === "approve" ? decision.digest : undefined });

/**
 * Names that fit nothing end the command before anything is decided. Where the session `goesOn` with what was cut off, or has calls
 * to be recovered first, a call of the session is name enough: it may have been settled meanwhile, or be asked about yet. So it is
 * where one was decided and has come to no end, and where it was decided just so.
 */
function checkNames(decisions: readonly FlagDecision[], heard: RunState, home: string, given: Applied): void {
  const named = decisions.filter(({ of, kind }) => of !== "all" || kind === "edit" || kind === "done");
  const wrong = named.find((decision) => !fits(decision, heard, home, given));
  if (wrong === undefined) return;
  const known = waitingFor(wrong, heard).map((call) => nameIn(home, refOf(call)));
  const before = wrong.of === "all" ? undefined : given.decided(namedIn(home, wrong.of));
  throw namesNothing(wrong, known.join(", ") || "none", before);
}

function fits(decision: FlagDecision, heard: RunState, home: string, { goesOn, has, decided }: Applied): boolean {
  if (decision.of === "all") return false;
  const ref = namedIn(home, decision.of);
  const isLenient = goesOn && (heard.waiting.length === 0 || heard.unsettled.length > 0);
  if (isLenient && has(ref)) return true;
  if (waitingFor(decision, heard).some((call) => sameCall(refOf(call), ref))) return true;
  const before = decided(ref);
  return before !== undefined && (!isFinal(before) || isSaidAgain(decision, before));
}

const waitingFor = (decision: FlagDecision, heard: RunState): readonly (WaitingCall | UnsettledCall)[] =>
  forRecovery(decision) ? heard.unsettled : heard.waiting;

const order = (decision: FlagDecision): number => (forRecovery(decision) ? 0 : decision.kind === "edit" ? 1 : 2);

interface Applied extends CallsOfTree {
  goesOn: boolean;
  warn(text: string): void;
}

/**
 * Applies the flags to what waits: recovery first, then edits, then the others in their order. An approval that names a digest
 * holds for that one only. A partial call takes one; without it it goes on waiting, which the session says in a notice. A call whose edit was refused is not approved as it was,
 * and `all` leaves out what another flag names. One that was decided just so before is told as that.
 * @returns whether a decision was refused while its call still waits.
 * @throws CliProblem usage; behind all that holds, where one named a call that was decided otherwise
 */
export async function applyDecisions(
  session: Pick<Session, "id" | "settled" | "answer" | "recover">,
  decisions: readonly FlagDecision[],
  heard: RunState,
  given: Applied,
): Promise<boolean> {
  await eventsHeard();
  refuseContradictions(decisions, session.id);
  checkNames(decisions, heard, session.id, given);
  const named = new Set(decisions.flatMap(({ of }) => (of === "all" ? [] : [addressOf(namedIn(session.id, of))])));
  const held = new Set<string>();
  const otherwise: string[] = [];
  const applyTo = async (decision: FlagDecision, ref: CallRef): Promise<void> => {
    const outcome = await applyOrTell(session, decision, ref, heard, given.decided);
    if (outcome.ok) return;
    if (outcome.isOtherwise === true) otherwise.push(outcome.message);
    else if (outcome.code !== "partial") given.warn(outcome.message);
    if (outcome.code !== "not_waiting") held.add(addressOf(ref));
  };
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
    for (const ref of refs) await applyTo(decision, ref);
    await eventsHeard();
  }
  if (otherwise.length > 0) {
    await session.settled();
    throw new CliProblem("usage", otherwise.join("; "));
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

type Answered = AnswerOutcome & { isOtherwise?: true };

/**
 * What does not wait may be asked about yet, under another digest: what became of it is judged once nothing runs.
 * @returns `isOtherwise` of one that was decided in another way
 */
async function applyOrTell(
  session: Pick<Session, "id" | "settled" | "answer" | "recover">,
  decision: FlagDecision,
  ref: CallRef,
  heard: RunState,
  decided: CallsOfTree["decided"],
): Promise<Answered> {
  const first = await applyOne(session, decision, ref, heard);
  const isJudged = decision.of !== "all" && (decision.kind === "approve" || decision.kind === "deny");
  if (first.ok || first.code !== "not_waiting" || !isJudged) return first;
  let now = first as AnswerOutcome;
  if (decision.kind === "approve" && decision.digest !== undefined) {
    await session.settled();
    await eventsHeard();
    now = await applyOne(session, decision, ref, heard);
  }
  const before = now.ok || now.code !== "not_waiting" ? undefined : decided(ref);
  if (before === undefined) return now;
  const told = `call ${nameIn(session.id, ref)}`;
  const how = decidedWords(before);
  if (isSaidAgain(decision, before)) return { ...first, message: `${told} is decided already: ${how}` };
  return {
    ...first,
    message: `--${decision.kind} ${typed(decision.of)}: ${told} was decided otherwise: ${how}`,
    isOtherwise: true,
  };
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
