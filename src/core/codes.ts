/** Stable codes of refused or failed calls (`metadata.code`, `errorCode`): a contract with other programs. */
export type EditCode =
  | "NOT_FOUND"
  | "NOT_UNIQUE"
  | "EMPTY_OLD"
  | "NO_CHANGE"
  | "INVALID_REGEX"
  | "REGEX_TIMEOUT"
  | "EMPTY_MATCH"
  | "BINARY"
  | "ENCODING"
  | "STALE";

export type FileCode =
  | "OUTSIDE_WORKSPACE"
  | "PROTECTED"
  | "NOT_FOUND"
  | "NOT_A_FILE"
  | "IS_DIRECTORY"
  | "TOO_LARGE"
  | "READ_ONLY"
  | "EACCES"
  | "ENOSPC"
  | "EIO";

export type CallCode =
  | "INVALID_ARGUMENT"
  | "UNKNOWN_TOOL"
  | "TIMEOUT"
  | "CANCELLED"
  | "DENIED"
  | "OUTCOME_UNKNOWN"
  /** The tool threw: a defect of the tool, told to the model as an error. */
  | "FAILED";

export type WebCode =
  /** No answer came: the name is unknown, nobody listens, the connection or its certificate is bad. */
  | "UNREACHABLE"
  /** The server answered with an error. */
  | "HTTP_ERROR";

export type ErrorCode = EditCode | FileCode | CallCode | WebCode;

// Keeps core 3.
/**
 * An error that the model can mend, thrown by a tool's `plan`, which has no result to return it in.
 * The caller turns it into a settled call whose observation is `message`. Tools' `execute` may throw it too.
 */
export class ToolRefusal extends Error {
  override readonly name: string = "ToolRefusal";
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
