/** How long the writes of a process that was asked to end wait, all together: what they would say is known without them. */
const leavingMs = 1_000;

/** Whether a locked store is to be tried again, by one who has waited for so many milliseconds. */
export type Patience = (waitedMs: number) => boolean;

/** @param leaving aborted when the process was asked to end: from then on nobody waits for more than a second */
export function patienceOf(mostMs: number, leaving?: AbortSignal): Patience {
  let until = Number.POSITIVE_INFINITY;
  const hurry = (): void => {
    until = performance.now() + leavingMs;
  };
  if (leaving?.aborted === true) hurry();
  leaving?.addEventListener("abort", hurry, { once: true });
  return (waitedMs) => waitedMs < mostMs && performance.now() < until;
}
