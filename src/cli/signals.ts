/** Exit codes of the signals that end the command. */
const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export interface Signals {
  /** The exit code of the signal that came first, or undefined. */
  came(): number | undefined;
  release(): void;
}

/**
 * The first signal asks `stop` to end what runs, saved; a second SIGINT leaves at once. A closed reader of stdout counts as a
 * signal of its own (141): nobody reads the answer any more.
 */
export function catchSignals(stdout: NodeJS.WriteStream, stop: () => void): Signals {
  let code: number | undefined;
  const note = (found: number) => {
    if (code !== undefined) {
      if (found === codes.SIGINT) process.exit(code);
      return;
    }
    code = found;
    stop();
  };
  const listeners = Object.entries(codes).map(([signal, found]) => ({ signal, listen: () => note(found) }));
  for (const { signal, listen } of listeners) process.on(signal, listen);
  const broken = (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" || error.code === "EIO") note(141);
  };
  stdout.on("error", broken);
  return {
    came: () => code,
    release() {
      for (const { signal, listen } of listeners) process.off(signal, listen);
      stdout.off("error", broken);
    },
  };
}
