import { exitCodes } from "../session/exit-codes.ts";

export type ProblemKind = "usage" | "configuration" | "credentials" | "busy" | "store" | "failed";

/** Ends the command: one message that names the thing and says what to do, and the exit code of its kind. */
export class CliProblem extends Error {
  override readonly name = "CliProblem";
  readonly exitCode: number;
  readonly hint: string | undefined;
  constructor(kind: ProblemKind, message: string, more: { hint?: string; cause?: unknown } = {}) {
    super(message, { cause: more.cause });
    this.exitCode = exitCodes[kind];
    this.hint = more.hint;
  }
}
