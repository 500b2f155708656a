import { CommanderError } from "commander";
import { exitCodes, failureOf } from "../graph/turn-end.ts";
import { logDefect } from "./defects.ts";
import type { Io } from "./io.ts";
import { CliProblem } from "./problem.ts";
import { placesOf } from "./settings/places.ts";
import { sanitise } from "./terminal/sanitise.ts";

/** Says a problem in people's words on stderr; with --json also as an `error` line. @returns the exit code. */
export function reportProblem(error: unknown, io: Io, json: boolean): number {
  io.beforeReport?.();
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
  const { exitCode, code, message, hint: advice } = problemOf(error);
  const log = exitCode === exitCodes.internal ? logDefect(placesOf(io.env).logs, error) : undefined;
  const hint = log === undefined ? advice : `${advice ?? "this is a defect"}; details are in ${log}`;
  const clean = (text: string) => sanitise(text, { keepNewlines: true });
  io.stderr.write(`agent: ${clean(message)}\n${hint === undefined ? "" : `${clean(hint)}\n`}`);
  if (json)
    io.stdout.write(
      `${JSON.stringify({ v: 1, type: "error", code, message, ...(hint === undefined ? {} : { hint }) })}\n`,
    );
  return exitCode;
}

export interface Problem {
  exitCode: number;
  code: string;
  message: string;
  hint?: string | undefined;
}

/** What a throw means to the person and to the exit code. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof CliProblem)) return failureOf(error);
  return { exitCode: error.exitCode, code: "COMMAND", message: error.message, hint: error.hint };
}
