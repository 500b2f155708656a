import process from "node:process";
import { askBackground, backgroundOfReply, type Rgb, understandsQuestions } from "./background.ts";
import type { EarlyInput } from "./first-paint.ts";
import type { Key } from "./key.ts";
import { createKeyParser, type KeyParser } from "./keys.ts";
import { titleBack, titleKept } from "./window.ts";

export interface TtyOptions {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  env: Readonly<Record<string, string | undefined>>;
  /** From `firstPaint`: what was typed before comes out as the first keys. */
  early?: EarlyInput | undefined;
}

/** The person's terminal in raw mode. Opened once; whoever opens it restores it. */
export interface Tty {
  readonly columns: number;
  readonly rows: number;
  /** Keys in order. Those that came before the first listener are delivered to it at once. Returns how to stop listening. */
  onKey(listener: (key: Key) => void): () => void;
  /** After the size changed. */
  onResize(listener: () => void): () => void;
  /** After the terminal was away (another program, a stopped process) and is back: what was drawn may be gone. */
  onResume(listener: () => void): () => void;
  /** The terminal is gone (hung up): no key will come any more. */
  onClose(listener: () => void): () => void;
  /** Asks for the colour of the background and goes on. What comes within a second is told, once; many terminals never answer. */
  onBackground(listener: (color: Rgb) => void): void;
  /** Asks what terminal it is, and goes on. Told once, within a second, where it is one of xterm.js: VS Code's and the web's. */
  onXtermJs(listener: () => void): void;
  /** Goes over to the terminal's other screen, where its wheel sends arrow keys, or back to the first one. */
  fullScreen(on: boolean): void;
  /** Gives the terminal to another program (editor, pager): cooked mode, cursor shown, nothing read. May be called twice. */
  pause(): void;
  /** Takes it back, raw and with nothing assumed about what is on the screen. */
  resume(): void;
  /** Stops the process group as Ctrl-Z does in a shell; goes on, with the terminal taken back, when it is continued. */
  suspend(): void;
  /** The terminal as it was found. May be called at any time, also twice; done by itself when the process ends. */
  restore(): void;
}

const ENTER_MODES = "\x1b[?2004h\x1b[?1004h\x1b[>1u";
const LEAVE_MODES = "\x1b[<u\x1b[?1004l\x1b[?2004l\x1b[?25h";
/** Many terminals have their wheel send arrow keys there from the first: that is kept, and given back by those that can (xterm, VTE). */
const ENTER_FULL = "\x1b[?1049h\x1b[?1007s\x1b[?1007h\x1b[?25l\x1b[2J";
const LEAVE_FULL = "\x1b[?1007l\x1b[?1007r\x1b[?1049l";
const ANSWER_MS = 1_000;
const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;

/**
 * Opens the terminal: raw mode, bracketed paste, kitty's keyboard protocol where the terminal has it, focus reports, the title kept.
 * It is restored when the process exits, is ended by a signal that nobody else handles, or throws what nobody catches.
 * The terminal's answers to questions (`reply`) are not delivered. Throws when stdin or stdout is no terminal.
 */
export function openTty(options: TtyOptions): Tty {
  if (!options.stdin.isTTY || !options.stdout.isTTY) throw new TypeError("stdin and stdout must be a terminal");
  return new RawTty(options);
}

class RawTty implements Tty {
  readonly #stdin: NodeJS.ReadStream;
  readonly #stdout: NodeJS.WriteStream;
  readonly #env: TtyOptions["env"];
  readonly #modes: boolean;
  readonly #answers: boolean;
  readonly #parser: KeyParser = createKeyParser();
  readonly #keys = new Set<(key: Key) => void>();
  readonly #resized = new Set<() => void>();
  readonly #resumed = new Set<() => void>();
  readonly #closed = new Set<() => void>();
  readonly #takeBack: () => void;
  #waiting: Key[] = [];
  #state: "open" | "paused" | "restored" = "open";
  #timer: NodeJS.Timeout | undefined;
  #full = false;
  /** Questions to the terminal that are open. Each hears every answer, and says whether it was its own. */
  readonly #asked = new Set<(reply: string) => boolean>();

  constructor({ stdin, stdout, env, early }: TtyOptions) {
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#env = env;
    this.#modes = env["TERM"] !== "dumb";
    this.#answers = understandsQuestions(env);
    for (const chunk of early?.take() ?? []) this.#deliver(this.#parser.push(chunk.bytes, chunk.at));
    stdout.on("resize", this.#onResized);
    stdin.on("end", this.#onClosed);
    stdin.on("error", this.#onClosed);
    process.on("SIGCONT", this.#onContinued);
    process.on("SIGTSTP", this.#onStopAsked);
    this.#takeBack = onProcessEnd(() => this.restore());
    this.#enter();
    this.#arm();
  }

  get columns(): number {
    return this.#stdout.columns || DEFAULT_COLUMNS;
  }

  get rows(): number {
    return this.#stdout.rows || DEFAULT_ROWS;
  }

  onKey(listener: (key: Key) => void): () => void {
    const stop = add(this.#keys, listener);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const key of waiting) listener(key);
    return stop;
  }

  onResize(listener: () => void): () => void {
    return add(this.#resized, listener);
  }

  onResume(listener: () => void): () => void {
    return add(this.#resumed, listener);
  }

  onClose(listener: () => void): () => void {
    return add(this.#closed, listener);
  }

  onBackground(listener: (color: Rgb) => void): void {
    this.#ask(askBackground, backgroundOfReply, listener);
  }

  onXtermJs(listener: () => void): void {
    this.#ask(askKind, (reply) => isXtermJs(reply) || undefined, listener);
  }

  #ask<Answer>(question: string, read: (reply: string) => Answer | undefined, tell: (answer: Answer) => void): void {
    if (!this.#answers || this.#state !== "open") return;
    const until = performance.now() + ANSWER_MS;
    this.#asked.add((reply) => {
      const answer = read(reply);
      if (answer !== undefined && performance.now() <= until) tell(answer);
      return answer !== undefined;
    });
    this.#stdout.write(question);
  }

  fullScreen(on: boolean): void {
    if (on === this.#full || this.#state === "restored") return;
    this.#full = on;
    if (this.#state === "open") this.#stdout.write(on ? ENTER_FULL : LEAVE_FULL);
  }

  pause(): void {
    if (this.#state !== "open") return;
    // The rest of what has begun to come, such as a paste, goes elsewhere: what comes after is not of it.
    this.#deliver(this.#parser.flush(Number.POSITIVE_INFINITY));
    this.#away();
  }

  #away(): void {
    if (this.#state !== "open") return;
    this.#state = "paused";
    this.#leave();
  }

  resume(): void {
    if (this.#state !== "paused") return;
    this.#state = "open";
    this.#enter();
    // An Esc may have come just before the terminal was left for a moment.
    this.#arm();
    for (const listener of this.#resumed) listener();
  }

  suspend(): void {
    if (this.#state !== "open") return;
    this.pause();
    process.off("SIGTSTP", this.#onStopAsked);
    // Returns when the group is continued; at once where no shell could continue it and the kernel therefore ignores it.
    process.kill(0, "SIGTSTP");
    process.on("SIGTSTP", this.#onStopAsked);
    this.resume();
  }

  restore(): void {
    if (this.#state === "restored") return;
    const open = this.#state === "open";
    this.#state = "restored";
    this.#takeBack();
    process.off("SIGCONT", this.#onContinued);
    process.off("SIGTSTP", this.#onStopAsked);
    this.#stdout.off("resize", this.#onResized);
    if (open) this.#leave();
  }

  readonly #onResized = (): void => {
    for (const listener of this.#resized) listener();
  };

  readonly #onClosed = (): void => {
    for (const listener of this.#closed) listener();
  };

  readonly #onStopAsked = (): void => this.suspend();

  /** The shell may have set the terminal's modes anew while the process was stopped. */
  readonly #onContinued = (): void => {
    if (this.#state !== "open") return;
    this.#away();
    this.resume();
  };

  readonly #onBytes = (bytes: Buffer | string): void => {
    this.#deliver(this.#parser.push(bytes, performance.now()));
    this.#arm();
  };

  /** Wakes up when an unfinished key has waited long enough. */
  #arm(): void {
    clearTimeout(this.#timer);
    const due = this.#parser.deadline();
    if (due === undefined || this.#state !== "open") return;
    const wake = (): void => {
      this.#deliver(this.#parser.flush(performance.now()));
      this.#arm();
    };
    this.#timer = setTimeout(wake, Math.max(1, Math.ceil(due - performance.now())));
    this.#timer.unref();
  }

  #deliver(keys: Key[]): void {
    for (const { name, text = "" } of keys) if (name === "reply") this.#heard(text);
    const wanted = keys.filter((key) => key.name !== "reply");
    if (this.#keys.size === 0) {
      this.#waiting.push(...wanted);
      return;
    }
    for (const key of wanted) for (const listener of this.#keys) listener(key);
  }

  /** An answer of the terminal. */
  #heard(reply: string): void {
    for (const isAnswer of this.#asked) if (isAnswer(reply)) this.#asked.delete(isAnswer);
  }

  #enter(): void {
    this.#stdin.setRawMode(true);
    if (this.#modes) this.#stdout.write(`${titleKept(this.#env)}${ENTER_MODES}${this.#full ? ENTER_FULL : ""}`);
    this.#stdin.on("data", this.#onBytes);
    this.#stdin.resume();
  }

  #leave(): void {
    clearTimeout(this.#timer);
    this.#stdin.off("data", this.#onBytes);
    this.#stdin.pause();
    if (this.#modes) this.#stdout.write(`${this.#full ? LEAVE_FULL : ""}${LEAVE_MODES}${titleBack(this.#env)}`);
    try {
      this.#stdin.setRawMode(false);
    } catch {
      // The terminal is gone: there is nothing to give back.
    }
  }
}

function add<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Asks a terminal what it is (DA2). Those that do not know are silent. */
const askKind = "\x1b[>c";

/** Tells whether an answer to `askKind` is the one that xterm.js gives: the terminal of VS Code and of most pages in a browser. */
const isXtermJs = (reply: string): boolean => reply === "\x1b[>0;276;0c";

const DEADLY = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"] as const;

/**
 * Runs `cleanUp` before this process ends: at exit, at an error that nobody catches (before it is printed), and at a deadly
 * signal that nobody else handles, which then ends the process as it would have done. Where somebody handles the signal, what
 * happens is theirs to say. Returns how to take it back.
 */
function onProcessEnd(cleanUp: () => void): () => void {
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
