import type { Masking } from "../../core/secrets/masking.ts";

export interface WindowLimits {
  /** First line shown, from 1. */
  offset: number;
  /** Most lines shown. */
  limit: number;
  /** Most characters shown of one line. */
  longestLine: number;
  /** Most bytes shown in all. */
  mostBytes: number;
  /** Takes values out of a line before it is cut. */
  masking?: Pick<Masking, "text" | "beginning"> | undefined;
}

/** So much more is read of a line that is cut, where values are taken out of it: a long one may stand where the cut is. */
const maskedMore = 16_384;

export interface LineWindow {
  lines: string[];
  /** Numbers of lines that were cut. */
  cut: number[];
  /** Lines of the text so far. */
  total: number;
  /** No later line will be shown. */
  full: boolean;
}

/**
 * Collects a window of lines from a text that comes in pieces. Holds no more than the window, whatever comes: a line of
 * many gigabytes too. Lines end in \n or \r\n.
 */
export function collectLines(limits: WindowLimits): {
  push(piece: string): void;
  end(): LineWindow;
  state: LineWindow;
} {
  const state: LineWindow = { lines: [], cut: [], total: 0, full: false };
  const { masking, longestLine } = limits;
  const mostRead = longestLine + (masking === undefined ? 1 : maskedMore);
  let bytes = 0;
  let head = "";
  let length = 0;

  const wanted = (): boolean => !state.full && state.total + 1 >= limits.offset;
  const extend = (part: string): void => {
    if (wanted() && head.length < mostRead) head += part.slice(0, mostRead - head.length);
    length += part.length;
  };
  const finish = (): void => {
    if (wanted()) show();
    state.total += 1;
    head = "";
    length = 0;
  };
  const show = (): void => {
    const isAll = head.length === length;
    const text = (isAll ? masking?.text(head) : masking?.beginning(head)) ?? head;
    const long = text.length > longestLine || !isAll;
    const line = long ? whole(text.slice(0, longestLine)) : text.replace(/\r$/, "");
    const size = Buffer.byteLength(line, "utf8") + numbered("", 1).length + 1;
    if (state.lines.length > 0 && bytes + size > limits.mostBytes) {
      state.full = true;
      return;
    }
    bytes += size;
    state.lines.push(line);
    if (long) state.cut.push(state.total + 1);
    state.full = state.lines.length >= limits.limit;
  };

  return {
    state,
    push(piece) {
      let start = 0;
      for (let at = piece.indexOf("\n"); at !== -1; at = piece.indexOf("\n", start)) {
        extend(piece.slice(start, at));
        finish();
        start = at + 1;
      }
      extend(piece.slice(start));
    },
    end() {
      if (length > 0) finish();
      return state;
    },
  };
}

/** Without half of a surrogate pair at its end. */
const whole = (text: string): string => text.replace(/[\ud800-\udbff]$/, "");

/** A line as read_file shows it. */
export const numbered = (line: string, number: number): string => `${String(number).padStart(6)}\t${line}`;
