export type StoreFailureKind =
  | "full"
  | "read_only"
  | "corrupt"
  | "gone"
  | "foreign"
  | "newer"
  | "io"
  | "unserialisable";

/** The store cannot be used: exit 74. The message names the file and what to do. */
export class StoreFailure extends Error {
  override readonly name = "StoreFailure";
  readonly kind: StoreFailureKind;
  constructor(kind: StoreFailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** Another process drives the session, took it over or removed it (then nothing more is written here), or keeps the store locked: exit 75. */
export class SessionBusy extends Error {
  override readonly name = "SessionBusy";
  readonly why: "driven" | "taken" | "removed" | "locked";
  constructor(message: string, options: ErrorOptions & { why?: SessionBusy["why"] } = {}) {
    super(message, options);
    this.why = options.why ?? "driven";
  }
}

/** The native part of the database is missing, or made for another Node or machine: exit 52. The message has the command that mends it. */
export class DriverMissing extends Error {
  override readonly name = "DriverMissing";
}

/** A compare-and-set found another state: someone else moved the call. Nothing of the batch was written. */
export class StaleMove extends Error {
  override readonly name = "StaleMove";
}
