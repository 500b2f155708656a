import { closeSync, linkSync, openSync, rmSync } from "node:fs";

/**
 * Makes an empty file that only its owner may read, where there is none. It gets its name when it is closed already: under its name
 * another thread may have a connection to it, whose locks a close would drop.
 * @throws errors of the file system as they come
 */
export function makeEmpty(file: string): void {
  const nameless = `${file}.new-${process.pid}-${process.hrtime.bigint()}`;
  try {
    closeSync(openSync(nameless, "wx", 0o600));
    linkSync(nameless, file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    // A file system without second names makes it under its own; another process may have made it first.
    if (code === "EPERM" || code === "ENOTSUP" || code === "EOPNOTSUPP" || code === "ENOSYS") makeNamed(file);
    else if (code !== "EEXIST") throw error;
  } finally {
    rmSync(nameless, { force: true });
  }
}

function makeNamed(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}
