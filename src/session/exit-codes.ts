import { FolderLost } from "../core/folder-lost.ts";
import { tooManyFilesText } from "../core/too-many-files.ts";
import type { TurnReason } from "../graph/events.ts";
import { ModelFailure, type ModelFailureKind } from "../model/port.ts";
import { DriverMissing, SessionBusy, StoreFailure } from "../store/types.ts";
import { failures } from "../words/contract/failures.ts";

/** Exit codes of the command; other programs rely on them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  denied: 10,
  waiting: 11,
  credentials: 41,
  configuration: 52,
  /** Steps, cost, or no progress. */
  turnLimit: 53,
  internal: 70,
  /** The store, a folder that the session works in, or no file more may be opened. */
  store: 74,
  busy: 75,
} as const;

const { credentials, configuration, busy, store, internal, failed, turnLimit, waiting, denied, done } = exitCodes;

/** The order of the exit codes that counts where several apply; others come last. */
export const precedence: readonly number[] = [
  ...[130, 143, 129, 141],
  ...[credentials, configuration, busy, store, internal, failed, turnLimit, waiting, denied, done],
];

/** Code of the `error` event after which this process can do nothing more for the session: another one took it over, or removed it. */
export const sessionTaken = "SESSION_TAKEN";

/** Code of the `error` event where a folder that the session works in is gone or another: this process does nothing more in it. */
export const folderLost = "FOLDER_LOST";

/** Code of the `error` event where the process, or the system, may have no more files open. */
export const tooManyFiles = "TOO_MANY_FILES";

export interface Failure {
  reason: TurnReason;
  exitCode: number;
  code: string;
  message: string;
  hint?: string;
  /** The store can still be written. */
  writable: boolean;
  /** The person can mend it outside of the session: what it stopped is gone on with then. */
  mendable: boolean;
}

const modelCodes: Record<ModelFailureKind, string> = {
  credentials: "CREDENTIALS",
  context_full: "CONTEXT_FULL",
  unavailable: "MODEL_UNAVAILABLE",
  cut: "REPLY_CUT",
  refused: "MODEL_REFUSED",
  script: "SCRIPT",
};

const busyCodes: Record<SessionBusy["why"], string> = {
  driven: "SESSION_BUSY",
  taken: sessionTaken,
  removed: sessionTaken,
  locked: "STORE_BUSY",
};

/** Finds the meaning of a throw out of the graph for the person and for the exit code. */
export const failureOf = (error: unknown): Failure => lackOfFiles(error) ?? ownFailure(error);

/** Wherever it came up, and whatever that made of it. */
function lackOfFiles(error: unknown): Failure | undefined {
  const message = tooManyFilesText(error);
  if (message === undefined) return undefined;
  const writable = !(error instanceof StoreFailure);
  return { reason: "failed", exitCode: exitCodes.store, code: tooManyFiles, message, writable, mendable: true };
}

/** A model that cannot be opened as it is set. The failure is its cause's. */
export class ModelUnopened extends Error {
  constructor(cause: unknown) {
    super(failures.modelUnopened, { cause });
  }
}

function ownFailure(error: unknown): Failure {
  if (error instanceof ModelUnopened) return ownFailure(error.cause);
  if (error instanceof ModelFailure) {
    return {
      reason: error.kind === "context_full" ? "context_full" : "failed",
      exitCode: error.kind === "credentials" ? exitCodes.credentials : exitCodes.failed,
      code: modelCodes[error.kind],
      message: error.message,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      writable: true,
      mendable: isMendable(error),
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof SessionBusy) {
    const hint = error.why === "removed" ? { hint: failures.removed } : {};
    return {
      reason: "failed",
      exitCode: exitCodes.busy,
      code: busyCodes[error.why],
      message,
      ...hint,
      writable: false,
      mendable: true,
    };
  }
  if (error instanceof FolderLost) {
    const { message, hint } = error;
    const more = { message, hint, writable: true, mendable: true };
    return { reason: "failed", exitCode: exitCodes.store, code: folderLost, ...more };
  }
  if (error instanceof StoreFailure)
    return { reason: "failed", exitCode: exitCodes.store, code: "STORE", message, writable: false, mendable: true };
  if (isConfiguration(error)) {
    const writable = !(error instanceof DriverMissing);
    const more = { message, ...hintOf(error), writable, mendable: true };
    return { reason: "failed", exitCode: exitCodes.configuration, code: "CONFIGURATION", ...more };
  }
  return {
    reason: "failed",
    exitCode: exitCodes.internal,
    code: "INTERNAL",
    message,
    hint: failures.defect,
    writable: true,
    mendable: false,
  };
}

/** A refusal that names nothing to be set is of what was asked: the same request is refused again. */
const isMendable = ({ kind, hint }: ModelFailure): boolean =>
  kind === "credentials" || kind === "unavailable" || (kind === "refused" && hint !== undefined);

/** Tells whether the person mends it in their settings, in the things that they began with, or where the program is installed. */
const isConfiguration = (error: unknown): boolean =>
  error instanceof DriverMissing || (error instanceof Error && /^(?:Policy|Cli)Problem$/u.test(error.name));

const hintOf = (error: unknown): { hint?: string } =>
  error instanceof Error && "hint" in error && typeof error.hint === "string" ? { hint: error.hint } : {};
