import { holdsUnseen } from "../../core/unseen.ts";

/** Returns the fault of a text as one line that is sent to the model again, for the model; undefined where there is none. */
export function lineProblem(name: string, given: string, most: number): string | undefined {
  const line = given.trim();
  if (line === "") return `the ${name} is empty`;
  if (/[\x00-\x1f\x7f-\x9f\u2028\u2029]/.test(line)) return `the ${name} must be one line without control characters`;
  if (/\p{Surrogate}/u.test(line)) return `the ${name} holds half of a surrogate pair, which is no character`;
  if (holdsUnseen(line)) return `the ${name} holds characters that nobody can see`;
  if ([...line].length > most) return `the ${name} is longer than ${most} characters: say it shorter`;
  return undefined;
}
