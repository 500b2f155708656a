import { type CallStatus, callMoves } from "./call.ts";

/** The steps after which something is durable, and before which it is not: each has a point on either side. */
const boundaries = [
  "session made",
  "child begun",
  "lease taken",
  "lease released",
  "user text saved",
  "steer saved",
  "steers told",
  "messages withdrawn",
  "files told",
  "hook begun",
  "hook ended",
  "reply committed",
  "compaction committed",
  "answer committed",
  "grant kept",
  "grant noted",
  "checkpoint put",
  "pending writes put",
  "turn end written",
  "memory line written",
  "session closed",
  "outside request written",
  "outside request heard",
] as const;

const instants = [
  "migration begun",
  "migration script run",
  "migration committed",
  "transaction begun",
  "transaction written",
  "request made",
  "request answered",
  "first chunk",
  "mid arguments",
  "message complete",
  "mid summary",
  "folder made",
  "lock taken",
  "temporary created",
  "temporary written",
  "temporary synced",
  "file set aside",
  "file renamed",
  "file compared",
  "file linked",
  "file taken away",
  "folder synced",
] as const;

type Side = "before" | "after";
type Move = `${CallStatus} to ${CallStatus}`;

/** An instant of the program at which a fault can be provoked. */
export type FaultName = (typeof instants)[number] | `${Side} ${(typeof boundaries)[number] | Move}`;

const moves = Object.entries(callMoves).flatMap(([from, tos]) => tos.map((to) => `${from} to ${to}` as Move));

/** All of them: the fault tests fail where one of these is never reached. */
export const faultNames: readonly FaultName[] = [
  ...instants,
  ...[...boundaries, ...moves].flatMap((name): FaultName[] => [`before ${name}`, `after ${name}`]),
];

const hook = Symbol.for("holdfast.fault");

/**
 * Does nothing, unless a test has put a function under `Symbol.for("holdfast.fault")`, which may end the process or throw.
 * The build leaves this module and all its calls out of what is shipped.
 */
export function faultPoint(name: FaultName): void {
  (globalThis as { [hook]?: (name: FaultName) => void })[hook]?.(name);
}

/** The points of a transaction of the journal: one for each move in it, and one for the person's answer. */
export function faultAtMoves(
  side: Side,
  moved: readonly { before: { status: CallStatus }; after: { status: CallStatus } }[],
  answer?: object,
): void {
  if (answer !== undefined) faultPoint(`${side} answer committed`);
  for (const { before, after } of moved) faultPoint(`${side} ${before.status} to ${after.status}`);
}
