import type { Decider } from "../../core/call.ts";
import type { JsonObject, Sha } from "../../core/json.ts";
import type { ChangedFile, ChangedInTree, HeardColumns } from "../engine.ts";
import { fromText } from "../plain-codec.ts";
import { type AnswerRow, answerGivers, type FileChangeRow, type HeardCall } from "../rows.ts";
import type { AnswerColumns } from "../tables.ts";
import { planFromText, unpackDigest } from "./call-row.ts";

export const answerIn = (callId: string, row: AnswerColumns): AnswerRow => ({
  callId,
  digest: unpackDigest(row.digest),
  decision: row.decision,
  ...(row.reason === null ? {} : { reason: row.reason }),
  ...(row.arguments === null ? {} : { arguments: fromText(row.arguments) as JsonObject }),
  ...(row.grant_text === null ? {} : { grant: fromText(row.grant_text) as JsonObject }),
  at: row.at,
  ...(row.grant_kept === null ? {} : { grantKept: row.grant_kept }),
  ...giverIn(row),
});

/** A word that this program does not know is nobody's. */
function giverIn({ given_by }: AnswerColumns): Pick<AnswerRow, "by"> {
  const by = answerGivers.find((giver) => giver === given_by);
  return by === undefined ? {} : { by };
}

export const heardCallIn = ({ tool, actor, plan, verdict, decided, settled }: HeardColumns): HeardCall => ({
  toolName: tool,
  settled,
  ...(actor === null ? {} : { by: { actor: actor as Decider["actor"] } }),
  ...(plan === null ? {} : { plan: planFromText(plan) }),
  ...(verdict === null ? {} : { verdict: fromText(verdict) as JsonObject }),
  ...(decided === null ? {} : { decided }),
});

/** Each change once, as it was first noted. */
export function changedOnce(rows: readonly ChangedFile[]): FileChangeRow[] {
  const seen = new Set<string>();
  return rows.flatMap(({ id, real, before, after }) => {
    const known = JSON.stringify([id, real, before, after]);
    if (seen.has(known)) return [];
    seen.add(known);
    return [{ callId: id, real, before: before as Sha | null, after: after as Sha | null }];
  });
}

/** Those of several sessions as their calls began; a clock may go back, and those of one session stay in their order. */
export function changedInTree(rows: readonly ChangedInTree[]): Omit<FileChangeRow, "callId">[] {
  const latest = new Map<number, number>();
  const timed = rows.map((row) => {
    const at = Math.max(latest.get(row.thread) ?? 0, row.started ?? 0);
    latest.set(row.thread, at);
    return { at, row: { ...row, id: `${row.thread}:${row.id}` } };
  });
  const ordered = timed.toSorted((one, other) => one.at - other.at).map(({ row }) => row);
  return changedOnce(ordered).map(({ callId: _, ...change }) => change);
}
