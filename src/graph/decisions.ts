import type { JsonObject } from "../core/json.ts";
import type { GrantOffer, Mode } from "../policy/types.ts";
import type { AnswerGiver } from "../store/types.ts";

/**
 * The answer of a person (or a flag) to one waiting call. An approval names the digest that was shown; without one it means the digest last
 * shown before this process opened the session or, in the process that began the session, the one it showed. A denial that names a digest holds
 * for that one alone. `mode` is the session's from the next call on; after a plan is approved in mode `plan` it is `ask` where none is named.
 */
export type CallDecision = (
  | { decision: "approve"; digest?: string; grant?: GrantOffer; mode?: Mode }
  | { decision: "deny"; digest?: string; reason?: string }
  | { decision: "edit"; arguments: JsonObject }
) & {
  /**
   * The one who says it, kept with the answer: `person` where one saw the question and answered it. Absent where the caller does not know: it
   * counts as a person's here, and as nobody's where rules are suggested.
   */
  by?: AnswerGiver;
};

/** The origin of a decision: the digest that it means where it names none; the request by which another process gave it. */
export interface AnswerOrigin {
  published?: string | undefined;
  request?: number | undefined;
}

/**
 * `stale`: the digest named is not the one published last. `partial`: the change was not shown whole, and an approval of it
 * must name its digest. `person`: a script answered what a person decides. Nothing was decided. `mode`: the session's from now on, where the answer set it.
 */
export type AnswerOutcome = { ok: true; mode?: Mode } | { ok: false; code: AnswerRefusal; message: string };
export type AnswerRefusal = "stale" | "partial" | "person" | "not_waiting" | "invalid";
