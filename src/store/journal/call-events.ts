import { createHash } from "node:crypto";
import type { CallEnd, Decider, ToolCallInfo } from "../../core/call.ts";
import { canonicalJson } from "../../core/json.ts";
import type { StoredEvent } from "../engine.ts";
import { fromText, toText, wellFormed } from "../plain-codec.ts";
import type { CallEvent } from "../rows.ts";
import type { EventColumns } from "../tables.ts";
import { packDigest, unpackDigest } from "./call-row.ts";

/** The first link: it binds the chain to its session. */
const genesis = (session: string): Uint8Array => createHash("sha256").update(session).digest();

const link = (before: Uint8Array, event: Omit<CallEvent, "hash">): Uint8Array =>
  createHash("sha256").update(before).update(canonicalJson(event)).digest();

/** Fields of a call that only some of its states have. */
type Telling = { by?: Decider; digest?: string; reason?: string; ended?: CallEnd };

/**
 * Makes the event of a transition: decider, digest and reason are named only where the move set them anew. `judge` is who asks
 * the question that the move publishes. A start that policy allowed names its rule always: a noted verdict has no event.
 */
export function eventOf(
  before: ToolCallInfo | undefined,
  after: ToolCallInfo,
  at: number,
  judge?: Decider,
): Omit<CallEvent, "seq" | "hash"> {
  const old = (before ?? {}) as Telling;
  const now = after as Telling;
  const noted = after.status === "executing" && now.by?.actor === "policy";
  const decided = now.by !== undefined && (noted || now.by.actor !== old.by?.actor || now.by.rule !== old.by?.rule);
  const by = decided ? now.by : judge;
  return {
    callId: after.callId,
    from: before?.status ?? null,
    to: after.status,
    attempt: after.attempt,
    at,
    ...(by === undefined ? {} : { by: by.actor }),
    ...(by?.rule === undefined ? {} : { rule: wellFormed(by.rule) }),
    ...(now.digest !== undefined && now.digest !== old.digest ? { digest: wellFormed(now.digest) } : {}),
    ...(now.reason !== undefined && now.reason !== old.reason ? { reason: wellFormed(now.reason) } : {}),
    ...(now.ended === undefined ? {} : { ended: fromText(toText(now.ended)) as unknown as CallEnd }),
  };
}

/** The columns of an event that comes after `last`: a link of the session's chain. */
export function linked(
  session: string,
  last: Pick<EventColumns, "seq" | "hash"> | undefined,
  event: Omit<CallEvent, "seq" | "hash">,
): Omit<EventColumns, "call"> {
  const numbered = { seq: (last?.seq ?? 0) + 1, ...event };
  return {
    seq: numbered.seq,
    was: event.from,
    became: event.to,
    attempt: event.attempt,
    at: event.at,
    actor: event.by ?? null,
    rule: event.rule ?? null,
    digest: event.digest === undefined ? null : packDigest(event.digest),
    reason: event.reason ?? null,
    ended: event.ended === undefined ? null : toText(event.ended),
    hash: link(last?.hash ?? genesis(session), numbered),
  };
}

/** Reads back the event that `linked` was given. */
export const eventIn = (row: StoredEvent): CallEvent => ({
  seq: row.seq,
  callId: row.call_id,
  from: row.was,
  to: row.became,
  attempt: row.attempt,
  at: row.at,
  ...(row.actor === null ? {} : { by: row.actor }),
  ...(row.rule === null ? {} : { rule: row.rule }),
  ...(row.digest === null ? {} : { digest: unpackDigest(row.digest) }),
  ...(row.reason === null ? {} : { reason: row.reason }),
  ...(row.ended === null ? {} : { ended: fromText(row.ended) as unknown as CallEnd }),
  hash: Buffer.from(row.hash).toString("hex"),
});

/** Pure. The number of the first event that does not follow from those before it, or undefined where all do. */
export function brokenLink(session: string, events: CallEvent[]): number | undefined {
  let before = genesis(session);
  for (const [index, { hash, ...event }] of events.entries()) {
    before = link(before, event);
    if (event.seq !== index + 1 || Buffer.from(before).toString("hex") !== hash) return index + 1;
  }
  return undefined;
}
