import { addressOf, type CallRef } from "../core/call-ref.ts";
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
  /** By the call's address; null for a call that was never shown. */
  readonly #digests = new Map<string, string | null>();

  constructor(restored: boolean) {
    this.#restored = restored;
  }

  /** As an earlier process showed the calls that wait. */
  noteRestored(sessions: readonly { id: string; journal: Reading }[]): void {
    for (const { id, journal } of sessions)
      for (const { callId: call, status } of journal.openCalls())
        if (status === "awaiting_approval")
          this.#digests.set(addressOf({ session: id, call }), journal.publishedDigest(call) ?? null);
  }

  /** The flag that edits may be followed by one that approves the edited call. */
  noteEdited(journal: Reading, ref: CallRef): void {
    const edited = journal.call(ref.call);
    if (edited?.status === "awaiting_approval") this.#digests.set(addressOf(ref), edited.digest);
  }

  of(ref: CallRef): string | undefined {
    return this.#digests.get(addressOf(ref)) ?? undefined;
  }

  /** The refusal of a decision that means a digest which was never shown. */
  refusalOf(journal: Reading, ref: CallRef, decision: CallDecision): AnswerOutcome | undefined {
    if (!this.#restored || decision.decision !== "approve" || decision.digest !== undefined) return undefined;
    if (this.of(ref) !== undefined || journal.call(ref.call)?.status !== "awaiting_approval") return undefined;
    return { ok: false, code: "stale", message: `call ${ref.call} was never shown: read it first, then approve it` };
  }
}
