/** Returns the result of the work, as long as the signal does not say to stop. @throws the signal's reason, as soon as it does */
export async function untilStopped<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
  });
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
