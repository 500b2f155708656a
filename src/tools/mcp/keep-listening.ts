import { setTimeout as wait } from "node:timers/promises";

/** Before what a server says unasked is listened to again, in milliseconds; after a time that lasted so long anew from the first. */
const pauses = [1_000, 2_000, 5_000, 10_000, 30_000];
const steady = 30_000;

/**
 * Listens to what a server says unasked, and again where that ends, until the signal.
 * @param listen resolves when it has ended, with whether it is worth another try
 * @param again what was said meanwhile was not heard
 */
export async function keepListening(
  listen: () => Promise<boolean>,
  again: () => void,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    const began = performance.now();
    if (failures > 0) again();
    if (!(await listen())) return;
    if (performance.now() - began > steady) failures = 0;
    await wait(pauses[Math.min(failures, pauses.length - 1)], undefined, { signal, ref: false }).catch(() => undefined);
  }
}
