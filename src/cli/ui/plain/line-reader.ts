import { graphemes } from "../../terminal/graphemes.ts";
import type { Key } from "../../terminal/key.ts";
import { sanitise } from "../../terminal/sanitise.ts";
import { withoutPasted } from "../../terminal/text-units.ts";

export interface TypedLine {
  text: string;
  /** It without what was pasted, where that differs. */
  written?: string;
  /** Number of the question that was on the screen when its first character came. */
  begunAt: number;
  /** It was begun for a question that takes any line: it is that answer or nothing, whatever it begins with. */
  isText: boolean;
}

export type StopKey = "escape" | "ctrl-c";

export interface LineReader {
  key(key: Key): void;
  /** A question was printed: lines begun before it do not answer it. @param isText any line answers it */
  asked(isText: boolean): void;
  readonly question: number;
  /** The question was answered, and not here. */
  gone(): void;
  /** Tells whether a line was begun to answer such a question: it is no message. */
  isForGone(line: TypedLine): boolean;
  /** A line was begun and not sent. */
  readonly isTyping: boolean;
}

/**
 * Reads lines on a terminal that can only print: echoes what is typed, rubs out with a backspace, never moves the cursor. A
 * paste of several lines becomes one line, so that none of its lines is taken for an answer.
 */
export function createLineReader(
  write: (text: string) => void,
  on: {
    line(line: TypedLine): void;
    /** Esc or Ctrl-C on an empty line. */
    stop(key: StopKey): void;
    /** Esc or Ctrl-C took back what was typed, and did nothing else. */
    cleared(): void;
    leave(): void;
  },
): LineReader {
  let typed: string[] = [];
  let pasted: string[] = [];
  let question = 0;
  let takesText = false;
  let begun = { begunAt: 0, isText: false };
  let goneQuestion = Number.NaN;
  const add = (text: string, isPasted: boolean): void => {
    if (typed.length === 0) {
      begun = { begunAt: question, isText: takesText };
      pasted = [];
    }
    const clean = text.replace(/[\r\n\t]+/g, " ");
    if (isPasted && clean.includes("@")) pasted.push(clean);
    typed.push(...graphemes(clean));
    write(sanitise(clean));
  };
  const enter = (): void => {
    const text = typed.join("");
    typed = [];
    write("\n");
    const written = withoutPasted(text, pasted);
    const from = text === "" ? { begunAt: question, isText: takesText } : begun;
    on.line({ text, ...(written !== text && { written }), ...from });
  };
  const stop = (key: StopKey): void => {
    if (typed.length === 0) on.stop(key);
    else {
      typed = [];
      write("\n");
      on.cleared();
    }
  };
  const control = (letter: string | undefined): void => {
    if (letter === "c") stop("ctrl-c");
    else if (letter === "d" && typed.length === 0) on.leave();
    else if (letter === "u") {
      write("\b \b".repeat(typed.length));
      typed = [];
    }
  };
  return {
    get question() {
      return question;
    },
    get isTyping() {
      return typed.length > 0;
    },
    asked(isText) {
      question += 1;
      takesText = isText;
    },
    gone() {
      goneQuestion = question;
      question += 1;
      takesText = false;
    },
    isForGone: (line) => line.begunAt === goneQuestion,
    key(key) {
      if (key.name === "enter") enter();
      else if (key.name === "backspace" && typed.pop() !== undefined) write("\b \b");
      else if (key.name === "escape") stop("escape");
      else if (key.name === "char" && key.ctrl) control(key.text);
      else if ((key.name === "char" && !key.alt) || key.name === "paste") add(key.text ?? "", key.name === "paste");
    },
  };
}
