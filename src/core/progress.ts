export interface Progress {
  tip?: string;
  text?: string;
  /** Free figure, e.g. a fraction done or a count. */
  figure?: number;
  /** It can go on in the background, where the person wants it to; told by the agent, not by the tool. */
  mayGoAside?: true;
}

/** Characters of what a running call tells of itself: of a text the last ones. */
const longestTip = 1_000;
const longestText = 4_000;

/**
 * Returns the progress that a tool told of itself, whatever it gave: fields of other names or kinds are left out, and none is longer than is shown.
 */
export function progressOf(given: unknown): Progress {
  if (typeof given !== "object" || given === null) return {};
  const { tip, text, figure } = given as Record<string, unknown>;
  return {
    ...(typeof tip === "string" ? { tip: tip.slice(0, longestTip) } : {}),
    ...(typeof text === "string" ? { text: lastOf(text) } : {}),
    ...(typeof figure === "number" && Number.isFinite(figure) ? { figure } : {}),
  };
}

/** A copy, so that what it is the end of may go. */
const lastOf = (text: string): string =>
  text.length <= longestText ? text : Buffer.from(text.slice(-longestText), "utf16le").toString("utf16le");

/** Milliseconds between two tellings of what one call does. */
export const progressPauseMs = 80;

export interface Paced {
  /** There is something to tell. */
  due(): void;
  /** Tells at once whatever is due. */
  flush(): void;
}

/** Calls `tell`, which must not throw, at once where the last time is `progressPauseMs` ago, else when it is. */
export function paced(tell: () => void): Paced {
  let isDue = false;
  let pause: NodeJS.Timeout | undefined;
  const now = (): void => {
    clearTimeout(pause);
    pause = undefined;
    if (!isDue) return;
    isDue = false;
    tell();
    pause = setTimeout(now, progressPauseMs);
    pause.unref();
  };
  return {
    due() {
      isDue = true;
      if (pause === undefined) now();
    },
    flush: now,
  };
}
