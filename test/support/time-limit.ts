import { onTestFinished, vi } from "vitest";

/** Time passes only when the test says so, until it goes on as ever: for a look that is taken after a moment. */
export function stoppedTime(): { pass(ms: number): void; goOn(): void } {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  return { pass: (ms) => void vi.advanceTimersByTime(ms), goOn: () => void vi.useRealTimers() };
}

/**
 * From here to the test's end time passes when the test says so, beside what passes by itself: a limit of a minute comes just when what it
 * is to end has begun, however slow the machine is. Only for what uses `setTimeout` in this process.
 */
export function timeOfTheTest(): { pass(ms: number): void } {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  return { pass: (ms) => void vi.advanceTimersByTime(ms) };
}
