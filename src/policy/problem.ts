import type { PolicyFileProblem } from "./types.ts";

/** The problems of the person's policy, grants or trust files: a configuration error (exit 52), never guessed around. */
export class PolicyProblem extends Error {
  override readonly name = "PolicyProblem";
  readonly problems: PolicyFileProblem[];

  /** `problems` has at least one entry; the message is one line for each: `file:line: message`. */
  constructor(problems: PolicyFileProblem[], options?: ErrorOptions) {
    super(problems.map(({ file, line, message }) => `${file}:${line}: ${message}`).join("\n"), options);
    this.problems = problems;
  }
}
