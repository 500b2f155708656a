import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isatty } from "node:tty";
import type { Masking } from "../core/secrets/masking.ts";
import { tooManyFilesText } from "../core/too-many-files.ts";
import { makeFolder } from "../files/make-folder.ts";
import { exitCodes } from "../session/exit-codes.ts";
import { defects as defectWords } from "../words/en/defects.ts";
import type { Io } from "./io.ts";
import { sanitise } from "./terminal/sanitise.ts";

let masked = (text: string): string => text;

/** From now on no value of these secrets stands in what is kept or said of a defect: an error may tell what a call was given. */
export const maskDefects = (masking: Pick<Masking, "text">): void => {
  masked = (text) => masking.text(text);
};

/** Returns the text of a defect, without values of secrets. */
export const maskedDefect = (text: string): string => masked(text);

/**
 * Keeps what is known of a defect in a file of its own below `folder`, readable by this user only: times, the error and where
 * it was thrown, nothing that was said or typed.
 * @returns the file, or undefined where it could not be written.
 */
export function logDefect(folder: string | undefined, error: unknown): string | undefined {
  if (folder === undefined) return undefined;
  const at = new Date().toISOString();
  const file = join(folder, `defect-${at.replaceAll(/[:.]/g, "-")}-${randomBytes(3).toString("hex")}.log`);
  try {
    makeFolder(folder);
    writeFileSync(file, `${at}\nnode ${process.version} ${process.platform}\n${masked(traceOf(error))}\n`, {
      mode: 0o600,
      flag: "wx",
    });
    return file;
  } catch {
    return undefined; // a full disk must not hide the defect itself
  }
}

function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${String(error)}`;
  const trace = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause === undefined ? trace : `${trace}\ncaused by ${traceOf(error.cause)}`;
}

/** One line of what happened and one of what to do. */
export function defectText(error: unknown, log: string | undefined): string {
  const message = sanitise(masked(error instanceof Error ? error.message : String(error)));
  const where = log === undefined ? "" : defectWords().details({ log: sanitise(log) });
  return `${defectWords().internal({ message, where })}\n`;
}

/**
 * From now on what nobody catches ends the command with 70: the terminal is given back, the defect kept in `logs`, one line says what
 * to do. A reader that goes away is no defect, the command then ends with 141; nor is a full disk behind stdout, which ends it with 1:
 * the store is whole. For the rest of the process's life.
 */
export function catchDefects(io: Io, logs: string | undefined): void {
  const onDefect = (error: unknown): void => {
    io.beforeReport?.();
    const tooMany = tooManyFilesText(error);
    io.stderr.write(tooMany === undefined ? defectText(error, logDefect(logs, error)) : `agent: ${tooMany}\n`);
    process.exit(tooMany === undefined ? exitCodes.internal : exitCodes.store);
  };
  // Whoever plays a session listens too, and ends it in order.
  const onLost = (error: NodeJS.ErrnoException): void => {
    if (!isGone(error)) io.stderr.write(`${defectWords().lost({ why: error.message })}\n`);
    if (io.stdout.listenerCount("error") === 1) process.exit(lostCode(error));
  };
  const onSilent = (): void => undefined;
  process.on("uncaughtException", onDefect);
  surviveHangUp();
  io.stdout.on("error", onLost);
  io.stderr.on("error", onSilent);
}

/**
 * At its exit Node resets the terminals that it was started at, and aborts with a dump where one is gone. Then the process ends
 * as the hang-up would have ended it: to whoever waits for it that is 129.
 */
function surviveHangUp(): void {
  const terminals = [0, 1, 2].filter((fd) => isatty(fd));
  process.on("exit", () => {
    if (terminals.every((fd) => isatty(fd))) return;
    process.removeAllListeners("SIGHUP");
    process.kill(process.pid, "SIGHUP");
  });
}

/** Returns the exit code of a command whose output did not arrive. */
export const lostCode = (error: NodeJS.ErrnoException, goneCode = 141): number =>
  isGone(error) ? goneCode : exitCodes.failed;

/** Nobody reads any more: a closed pipe, or a terminal that was hung up. */
const isGone = (error: NodeJS.ErrnoException): boolean => error.code === "EPIPE" || error.code === "EIO";
