import type { AnswerOutcome, CallDecision } from "../graph/decisions.ts";
import type { Journal } from "../store/types.ts";

type Reading = Pick<Journal, "call" | "openCalls" | "publishedDigest">;

// Keeps session 1.
/**
 * Which digest an approval means that names none: in a session that was opened again only what an earlier process showed, or
 * what the person's own edit made of it.
 */
export class ShownDigests {
  readonly #restored: boolean;
  /** null for a call that was never shown. */
  readonly #digests = new Map<string, string | null>();

  constructor(restored: boolean) {
    this.#restored = restored;
  }

  /** As an earlier process showed the calls that wait. */
  noteRestored(journal: Reading): void {
    for (const { callId, status } of journal.openCalls())
      if (status === "awaiting_approval") this.#digests.set(callId, journal.publishedDigest(callId) ?? null);
  }

  /** The flag that edits may be followed by one that approves the edited call. */
  noteEdited(journal: Reading, callId: string): void {
    const edited = journal.call(callId);
    if (edited?.status === "awaiting_approval") this.#digests.set(callId, edited.digest);
  }

  of(callId: string): string | undefined {
    return this.#digests.get(callId) ?? undefined;
  }

  /** The refusal of a decision that means a digest which was never shown. */
  refusalOf(journal: Reading, callId: string, decision: CallDecision): AnswerOutcome | undefined {
    if (!this.#restored || decision.decision !== "approve" || decision.digest !== undefined) return undefined;
    if (this.of(callId) !== undefined || journal.call(callId)?.status !== "awaiting_approval") return undefined;
    return { ok: false, code: "stale", message: `call ${callId} was never shown: read it first, then approve it` };
  }
}
