/**
 * Stops a session: a folder that it works in is gone or moved, or something else has its name. Thrown before anything is done, never in
 * the middle of it. `hint` says what the person can do.
 */
export class FolderLost extends Error {
  override readonly name = "FolderLost";
  /** The name by which the session knows it, absolute. */
  readonly folder: string;
  readonly hint: string;
  constructor(folder: string, message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.folder = folder;
    this.hint = hint;
  }
}
