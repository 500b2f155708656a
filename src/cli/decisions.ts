import { inexactWords } from "../core/exact-number.ts";
import { isJsonObject, type JsonObject } from "../core/json.ts";
import { tooDeepWords } from "../core/json-depth.ts";
import { wholePrefix } from "../graph/calls/partial.ts";
import type { Session } from "../session/session.ts";
import { eventsHeard, type RunState } from "./headless.ts";
import { CliProblem } from "./problem.ts";

/** One decision as a flag says it; `all` stands for every call that waits for this kind of answer. */
export type FlagDecision =
  | { kind: "approve"; id: string; digest?: string }
  | { kind: "deny"; id: string; reason?: string }
  | { kind: "edit"; id: string; arguments: JsonObject }
  | { kind: "retry" | "done" | "cancel"; id: string };

export function parseApprove(text: string): FlagDecision {
  const [id = "", digest, ...rest] = text.split("@");
  if (id === "" || rest.length > 0 || digest === "") {
    throw new CliProblem("usage", `--approve takes ID, ID@DIGEST or all, not ${JSON.stringify(text)}`);
  }
  if (digest === undefined) return { kind: "approve", id };
  return { kind: "approve", id, digest: digestPrefix(id, digest) };
}

/** A shorter prefix could be met by a change that was made for it. @throws CliProblem usage, for what is no digest either. */
function digestPrefix(id: string, text: string): string {
  const told = JSON.stringify(`${id}@${text}`);
  if (id === "all") throw new CliProblem("usage", `--approve ${told}: a digest belongs to one call, name it`);
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
  return { kind: "edit", id: text.slice(0, at), arguments: value };
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

/** Two flags that want different things of one call end the command before it looks at the session. */
export function refuseContradictions(decisions: readonly FlagDecision[]): void {
  for (const { id, kind } of decisions) {
    const rivals = opposed.find((kinds) => kinds.includes(kind)) ?? [];
    const other = decisions.find((one) => one.id === id && one.kind !== kind && rivals.includes(one.kind));
    if (other !== undefined)
      throw new CliProblem(
        "usage",
        `--${kind} ${id} and --${other.kind} ${id} contradict each other: nothing was decided`,
      );
  }
}

const forRecovery = (decision: FlagDecision) =>
  decision.kind === "retry" || decision.kind === "done" || decision.kind === "cancel";

/**
 * Names that fit nothing end the command before anything is decided. Where the session `goesOn` with what was cut off, or has calls
 * to be recovered first, a call of the session is name enough: it may have been settled meanwhile, or be asked about yet.
 */
function checkNames(decisions: readonly FlagDecision[], heard: RunState, goesOn: boolean): void {
  const lenient = goesOn && (heard.waiting.length === 0 || heard.unsettled.length > 0);
  for (const decision of decisions) {
    if (decision.id === "all" && decision.kind !== "edit" && decision.kind !== "done") continue;
    if (lenient && heard.known.has(decision.id)) continue;
    const waiting: { callId: string }[] = forRecovery(decision) ? heard.unsettled : heard.waiting;
    if (waiting.some((call) => call.callId === decision.id)) continue;
    const known = waiting.map((call) => call.callId).join(", ") || "none";
    throw new CliProblem(
      "usage",
      `--${decision.kind} ${decision.id}: no call with this id waits for that (waiting: ${known})`,
    );
  }
}

const order = (decision: FlagDecision): number => (forRecovery(decision) ? 0 : decision.kind === "edit" ? 1 : 2);

/**
 * Applies the flags to what waits: recovery first, then edits, then the others in their order. An approval that names a digest
 * holds for that one only. A partial call takes one; without it it goes on waiting, which the session says in a notice. A call whose edit was refused is not approved as it was,
 * and `all` leaves out what another flag names.
 * @returns whether a decision was refused while its call still waits.
 */
export async function applyDecisions(
  session: Session,
  decisions: readonly FlagDecision[],
  heard: RunState,
  goesOn: boolean,
  warn: (text: string) => void,
): Promise<boolean> {
  await eventsHeard();
  checkNames(decisions, heard, goesOn);
  const named = new Set(decisions.map((decision) => decision.id));
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
    const ids = idsOf(decision, heard, named).filter((id) => decision.kind !== "approve" || !held.has(id));
    for (const id of ids) {
      const outcome = await applyOne(session, decision, id, heard);
      if (!outcome.ok && outcome.code !== "partial") warn(outcome.message);
      if (!outcome.ok && outcome.code !== "not_waiting") held.add(id);
    }
    await eventsHeard();
  }
  return held.size > 0;
}

function idsOf(decision: FlagDecision, heard: RunState, named: ReadonlySet<string>): string[] {
  if (decision.id !== "all") return [decision.id];
  const calls: { callId: string }[] = forRecovery(decision)
    ? // All never repeats what may happen only once.
      heard.unsettled.filter((call) => decision.kind !== "retry" || call.effect !== "once")
    : heard.waiting;
  return calls.map((call) => call.callId).filter((id) => !named.has(id));
}

function applyOne(session: Session, decision: FlagDecision, id: string, heard: RunState) {
  switch (decision.kind) {
    case "approve":
      return session.answer(id, { decision: "approve", ...fullDigest(decision.digest, id, heard) });
    case "deny":
      return session.answer(id, {
        decision: "deny",
        ...(decision.reason === undefined ? {} : { reason: decision.reason }),
      });
    case "edit":
      return session.answer(id, { decision: "edit", arguments: decision.arguments });
    case "retry":
    case "done":
    case "cancel":
      return session.recover(id, decision.kind);
  }
}

function fullDigest(digest: string | undefined, id: string, heard: RunState): { digest?: string } {
  if (digest === undefined) return {};
  const call = heard.waiting.find(({ callId }) => callId === id);
  return { digest: call?.digest.startsWith(digest) === true ? call.digest : digest };
}
