import type { Decider } from "../../core/call.ts";
import { addressOf } from "../../core/call-ref.ts";
import type { JsonObject, Sha } from "../../core/json.ts";
import type { ChangedFile, ChangedInTree, HeardColumns } from "../engine.ts";
import { fromText } from "../plain-codec.ts";
import { type AnswerRow, answerGivers, type ChangeInTree, type FileChangeRow, type HeardCall } from "../rows.ts";
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
export const changedOnce = (rows: readonly ChangedFile[]): FileChangeRow[] =>
  once(rows, ({ id }) => id).map((row) => ({ callId: row.id, ...changeIn(row) }));

/** Those of several sessions as their calls began; a clock may go back, and those of one session stay in their order. */
export function changedInTree(rows: readonly ChangedInTree[]): ChangeInTree[] {
  const latest = new Map<string, number>();
  const timed = rows.map((row) => {
    const at = Math.max(latest.get(row.session) ?? 0, row.started ?? 0);
    latest.set(row.session, at);
    return { at, row };
  });
  const ordered = timed.toSorted((one, other) => one.at - other.at).map(({ row }) => row);
  return once(ordered, ({ session, id: call }) => addressOf({ session, call })).map((row) => ({
    session: row.session,
    ...changeIn(row),
  }));
}

const changeIn = ({ real, before, after }: ChangedFile): Omit<FileChangeRow, "callId"> => ({
  real,
  before: before as Sha | null,
  after: after as Sha | null,
});

function once<Row extends ChangedFile>(rows: readonly Row[], whose: (row: Row) => string): Row[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const known = JSON.stringify([whose(row), row.real, row.before, row.after]);
    return seen.size < seen.add(known).size;
  });
}
