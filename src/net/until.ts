/**
 * Settles as a promise does, or rejects with the signal's reason as soon as it is aborted: the work behind the promise goes on, and
 * nobody hears of it.
 */
export function until<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const left = (): void => reject(signal.reason);
    if (signal.aborted) left();
    signal.addEventListener("abort", left, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", left));
  });
}
