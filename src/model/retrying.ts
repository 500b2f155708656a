import { limits } from "../core/limits.ts";
import { cutReply, Passing } from "./failures.ts";
import { type ModelEvent, ModelFailure } from "./port.ts";

/** The parts of the world that retrying needs; tests bring their own, so that they never wait. */
export interface Clock {
  /** Resolves after `ms`, rejects at once when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 up to 1. */
  random(): number;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Requests in all, the first one included. */
const maxTries = limits.requestTries.most;
const firstWaitMs = 1000;
const longestWaitMs = limits.requestWait.most;

/** Milliseconds before try `attempt` + 1: doubled each time, half of it by chance, unless the server said how long. */
export function waitBefore(attempt: number, retryAfterMs: number | undefined, random: number): number {
  if (retryAfterMs !== undefined) return Math.max(0, Math.ceil(retryAfterMs));
  const whole = Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1));
  return Math.round(whole / 2 + (whole / 2) * random);
}

/**
 * Milliseconds that a `retry-after-ms` or `retry-after` header asks for (seconds, or an HTTP date seen from `now`);
 * undefined for none or one that cannot be read.
 */
export function retryAfterMs(
  headers: { get(name: string): string | null } | undefined,
  now: number,
): number | undefined {
  const millis = headers?.get("retry-after-ms")?.trim();
  if (millis !== undefined && /^\d+(\.\d+)?$/.test(millis)) return Number(millis);
  const value = headers?.get("retry-after")?.trim();
  if (value === undefined || value === "") return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = /^[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN; // Date.parse takes "-4" for a year
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * Plays `open()` until it ends whole, again for a Passing failure as long as nothing was shown, at most five times, each
 * announced by a `retry` event. After something was shown a Passing failure is a cut reply. A wait of more than a minute
 * that a server asks for is told, and not waited for.
 * @throws ModelFailure; the signal's reason when it aborts, also in the middle of a wait.
 */
export async function* withRetries(
  open: () => AsyncIterable<ModelEvent>,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    let shown = false;
    let passing: Passing;
    try {
      for await (const event of open()) {
        shown = true;
        yield event;
      }
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Passing)) throw error;
      const last = failureAfter(error, attempt, shown);
      if (last !== undefined) throw last;
      passing = error;
    }
    const waitMs = waitBefore(attempt, passing.retryAfterMs, clock.random());
    yield { type: "retry", attempt: attempt + 1, waitMs, why: passing.failure.message };
    await clock.sleep(waitMs, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
  }
}

/** Returns the failure that there is no other try after; undefined where there is one. */
function failureAfter(error: Passing, attempt: number, shown: boolean): ModelFailure | undefined {
  if (shown) return cutAfterShown(error);
  if (attempt >= maxTries) return error.failure;
  return (error.retryAfterMs ?? 0) > longestWaitMs ? muchLater(error) : undefined;
}

function muchLater({ failure, retryAfterMs = 0 }: Passing): ModelFailure {
  const { kind, message, status, cause } = failure;
  const wait = durationText(retryAfterMs);
  return new ModelFailure(kind, `${message}; it asks to be left alone for ${wait}`, {
    ...{ cause, hint: `The session is saved: go on in ${wait}, or continue with another model (-m).` },
    ...(status === undefined ? {} : { status }),
  });
}

/** Rounded up: "90 s", "3 h 20 min". */
function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours >= 24 * 365) return "more than a year";
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

const cutAfterShown = ({ failure }: Passing): ModelFailure =>
  failure.kind === "cut" ? failure : cutReply(`The reply was cut off: ${failure.message}`, failure);
