import process from "node:process";

const DEADLY = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"] as const;

/**
 * Runs `cleanUp` before this process ends: at exit, at an error that nobody catches (before it is printed), and at a deadly
 * signal that nobody else handles, which then ends the process as it would have done. Where somebody handles the signal, what
 * happens is theirs to say. Returns how to take it back.
 */
export function onProcessEnd(cleanUp: () => void): () => void {
  const onSignal = (signal: NodeJS.Signals): void => {
    if (process.listenerCount(signal) > 1) return;
    takeBack();
    cleanUp();
    process.kill(process.pid, signal);
  };
  const takeBack = (): void => {
    process.off("exit", cleanUp);
    process.off("uncaughtExceptionMonitor", cleanUp);
    for (const signal of DEADLY) process.off(signal, onSignal);
  };
  process.on("exit", cleanUp);
  process.on("uncaughtExceptionMonitor", cleanUp);
  for (const signal of DEADLY) process.on(signal, onSignal);
  return takeBack;
}
