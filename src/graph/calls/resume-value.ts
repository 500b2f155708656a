import { z } from "zod";
import { answeredCall } from "./answered-call.ts";

const answer = z.union([
  z.strictObject({ decision: z.literal("approve"), digest: z.string().min(1) }),
  z.strictObject({ decision: z.literal("deny"), reason: z.string().optional() }),
  z.strictObject({ decision: z.literal("edit"), arguments: z.record(z.string(), z.json()) }),
  z.strictObject({ choice: z.enum(["retry", "done", "cancel"]) }),
]);
const resumeValue = z.strictObject({ answers: z.record(z.string(), answer) });

/** What the person says of one call, in the value that a graph is resumed with. */
export type ResumeAnswer = z.infer<typeof answer>;
export type ResumeValue = z.infer<typeof resumeValue>;

/** A graph was resumed with something that is no answer: nothing was decided, and the question stays. */
export class MalformedAnswer extends Error {
  override readonly name = "MalformedAnswer";
}

const shape =
  '{answers: {[callId]: {decision: "approve", digest} | {decision: "deny", reason?} | {decision: "edit", arguments} | {choice: "retry" | "done" | "cancel"}}}';

/**
 * For `interrupt`, which checks the value before it counts as given: after a refusal the same question can be answered
 * again. (What a node throws after its interrupt has returned would leave the malformed value with the task for good.)
 */
export const resumeSchema = (session: Parameters<typeof answeredCall>[0]) =>
  z.preprocess((given): ResumeValue => {
    const parsed = resumeValue.safeParse(given);
    if (!parsed.success)
      throw new MalformedAnswer(
        `a resumed graph needs ${shape}; nothing was decided\n${z.prettifyError(parsed.error)}`,
      );
    const unknown = Object.keys(parsed.data.answers).filter((name) => answeredCall(session, name) === undefined);
    if (unknown.length > 0)
      throw new MalformedAnswer(`this session has no call ${unknown.join(", ")}; nothing was decided`);
    return parsed.data;
  }, resumeValue);
