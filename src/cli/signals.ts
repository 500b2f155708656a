import { lostCode } from "./defects.ts";

/** Exit codes of the signals that end the command. */
export const signalCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export interface Signals {
  /** The exit code of the signal that came first, or undefined. */
  came(): number | undefined;
  /**
   * The command's exit code is decided, and told. Where it has the process to itself, a signal that comes later ends it at once with
   * that code.
   */
  release(code?: number): void;
}

/**
 * The first signal asks `stop` to end what runs, saved; after it a second SIGINT or SIGTERM leaves at once. A closed reader of
 * stdout counts as a signal of its own: nobody reads the answer any more. It has the code `goneCode`: 141 of a pipe, 129 of a
 * terminal; 1 where what is behind it is full.
 */
export function catchSignals(stdout: NodeJS.WriteStream, stop: () => void, goneCode = 141): Signals {
  let code: number | undefined;
  const note = (found: number, again: boolean) => {
    if (code === undefined) {
      code = found;
      stop();
    } else if (again) process.exit(code);
  };
  const listeners = Object.entries(signalCodes).map(([signal, found]) => ({
    signal,
    // A closing terminal hangs up more than once.
    listen: () => note(found, signal !== "SIGHUP"),
  }));
  for (const { signal, listen } of listeners) process.on(signal, listen);
  const broken = (error: NodeJS.ErrnoException) => note(lostCode(error, goneCode), false);
  stdout.on("error", broken);
  return {
    came: () => code,
    release(said) {
      for (const { signal, listen } of listeners) {
        if (said !== undefined && stdout === process.stdout) process.on(signal, () => process.exit(said));
        process.off(signal, listen);
      }
      stdout.off("error", broken);
    },
  };
}
