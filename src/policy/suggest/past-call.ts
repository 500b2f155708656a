import type { CallFacts, Verdict } from "../types.ts";

/** A recorded call as rules are suggested from it: plain data. */
export interface PastCall {
  /** The same for the copies of a call in forks of its session. */
  identity: string;
  session: string;
  callId: string;
  /** The model's message that it came with: what is answered at one look counts once. */
  message: string;
  /** The time when it was answered, else proposed; milliseconds since the epoch. */
  at: number;
  /** One line, as the person saw it. */
  summary: string;
  /** The arguments that the model asked for, as canonical JSON. */
  asked: string;
  /** As its plan was. */
  facts: CallFacts;
  /** The verdict of policy then. */
  verdict?: Pick<Verdict, "decision" | "risk" | "rule" | "parts" | "exposes">;
  answer: "yes" | "no" | "edited" | "none";
  /** The answer came from a person who saw the question, by what the journal knows; never of older rows. */
  byPerson: boolean;
  /** It changed what nobody is let change unasked. */
  overstepped?: true;
}
