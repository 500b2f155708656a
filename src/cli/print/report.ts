import { CommanderError } from "commander";
import { jsonLine } from "../../core/json-line.ts";
import { tooManyFilesText } from "../../core/too-many-files.ts";
import { SeveralFailures } from "../../core/wait-for-all.ts";
import { exitCodes, failureOf, precedence } from "../../session/exit-codes.ts";
import { report as words } from "../../words/en/report.ts";
import { saidAgain } from "../../words/said-again.ts";
import { logDefect, maskedDefect } from "../defects.ts";
import type { Io } from "../io.ts";
import { CliProblem } from "../problem.ts";
import { logsOf } from "../settings/places.ts";
import { cleanText } from "../terminal/sanitise.ts";

/** Says a problem in people's words on stderr; with --json also as an `error` line. @returns the exit code. */
export function reportProblem(error: unknown, io: Io, json: boolean): number {
  io.beforeReport?.();
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
  const { exitCode, code, message: told, hint: advice } = problemOf(error);
  const isDefect = exitCode === exitCodes.internal;
  const message = isDefect ? maskedDefect(told) : told;
  const log = isDefect ? logDefect(logsOf(io.env), error) : undefined;
  const hint = log === undefined ? advice : words().defect({ advice, log });
  io.stderr.write(
    `agent: ${cleanText(saidAgain(message))}\n${hint === undefined ? "" : `${cleanText(saidAgain(hint))}\n`}`,
  );
  if (json) tellBeforeSession(io, { exitCode, code, message, hint });
  return exitCode;
}

/** Returns the lines of an `error` event for a person. */
export const errorLines = ({ message, hint }: Pick<Problem, "message" | "hint">): string[] => [
  words().error({ message: saidAgain(message) }),
  ...(hint === undefined ? [] : [saidAgain(hint)]),
];

/** A stream of its own for what ends before there is a session: it has an error and, last, its `turn_ended`. */
function tellBeforeSession(io: Io, { exitCode, code, message, hint }: Problem): void {
  const head = (seq: number) => ({ v: 1, seq, at: new Date().toISOString(), session: "" });
  const calls = { success: 0, error: 0, cancelled: 0, interrupted: 0 };
  const said = { type: "error", code, message, ...(hint === undefined ? {} : { hint }) };
  io.stdout.write(jsonLine({ ...head(1), ...said }));
  io.stdout.write(jsonLine({ ...head(2), type: "turn_ended", reason: "failed", exitCode, calls }));
}

export interface Problem {
  exitCode: number;
  code: string;
  message: string;
  hint?: string | undefined;
}

/** Translates a throw to a problem: words for the person, and the exit code. */
export function problemOf(error: unknown): Problem {
  if (error instanceof SeveralFailures) return worstOf(error.failures.map(problemOf));
  if (error instanceof CliProblem && tooManyFilesText(error) === undefined)
    return { exitCode: error.exitCode, code: "COMMAND", message: error.message, hint: error.hint };
  const { exitCode, code, message, hint } = failureOf(error);
  // What it says of a session holds inside of one only.
  return { exitCode, code, message, hint: exitCode === exitCodes.internal ? undefined : hint };
}

/** The first by precedence, with what else is wrong behind it. */
function worstOf(problems: readonly Problem[]): Problem {
  const rank = ({ exitCode }: Problem): number => {
    const place = precedence.indexOf(exitCode);
    return place < 0 ? precedence.length : place;
  };
  const [worst, ...others] = problems.toSorted((one, other) => rank(one) - rank(other));
  if (worst === undefined) throw new TypeError("nothing is wrong");
  // Several needs may have failed for one reason.
  const messages = new Set([worst, ...others].map(({ message }) => message));
  return { ...worst, message: [...messages].join("\nagent: ") };
}
