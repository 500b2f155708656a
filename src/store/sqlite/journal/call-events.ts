import { createHash } from "node:crypto";
import type { CallEnd, Decider, ToolCallInfo } from "../../../core/call.ts";
import { canonicalJson } from "../../../core/json.ts";
import { packDigest, type StoredDigest, unpackDigest } from "../../journal/call-row.ts";
import { fromText, toText, wellFormed } from "../../plain-codec.ts";
import type { CallEvent } from "../../types.ts";
import type { Database } from "../database.ts";

type Row = {
  seq: number;
  call_id: string;
  was: string | null;
  became: string;
  attempt: number;
  at: number;
  actor: string | null;
  rule: string | null;
  digest: StoredDigest | null;
  reason: string | null;
  /** CallEnd as JSON. */
  ended: string | null;
  hash: Uint8Array;
};

/** The first link: it binds the chain to its session. */
const genesis = (session: string): Uint8Array => createHash("sha256").update(session).digest();

const link = (before: Uint8Array, event: Omit<CallEvent, "hash">): Uint8Array =>
  createHash("sha256").update(before).update(canonicalJson(event)).digest();

/** Fields of a call that only some of its states have. */
type Telling = { by?: Decider; digest?: string; reason?: string; ended?: CallEnd };

/**
 * What a transition brought: decider, digest and reason are named only where the move set them anew. `judge` is who asks
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

/** Adds a link to the session's chain. Inside `write` only. */
export function appendEvent(
  db: Database,
  at: { session: string; thread: number; call: number },
  event: Omit<CallEvent, "seq" | "hash">,
): void {
  const last = db.get<{ seq: number; hash: Uint8Array }>(
    "SELECT seq, hash FROM tool_call_event WHERE thread = ? ORDER BY seq DESC LIMIT 1",
    at.thread,
  );
  const numbered = { seq: (last?.seq ?? 0) + 1, ...event };
  const hash = link(last?.hash ?? genesis(at.session), numbered);
  db.run(
    `INSERT INTO tool_call_event (thread, seq, call, was, became, attempt, at, actor, rule, digest, reason, ended, hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[at.thread, numbered.seq, at.call, event.from, event.to, event.attempt, event.at],
    ...[event.by ?? null, event.rule ?? null, event.digest === undefined ? null : packDigest(event.digest)],
    ...[event.reason ?? null, event.ended === undefined ? null : toText(event.ended), hash],
  );
}

export function readEvents(db: Database, thread: number): CallEvent[] {
  const rows = db.all<Row>(
    // An event whose call is lost stays in the list, or the chain would look whole without it.
    `SELECT e.*, coalesce(c.id, '') AS call_id FROM tool_call_event e LEFT JOIN tool_call c ON c.key = e.call
     WHERE e.thread = ? ORDER BY e.seq`,
    thread,
  );
  return rows.map((row) => ({
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
  }));
}

/** Pure. The number of the first event that does not follow from those before it, or undefined where all do. */
export function brokenLink(session: string, events: CallEvent[]): number | undefined {
  let before = genesis(session);
  for (const [index, { hash, ...event }] of events.entries()) {
    before = link(before, event);
    if (event.seq !== index + 1 || Buffer.from(before).toString("hex") !== hash) return index + 1;
  }
  return undefined;
}
