import "./polyfill.ts";
import { PassThrough } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Instance, render } from "ink";
import { chat as words } from "../../../words/en/chat.ts";
import { wantsLines } from "../../io.ts";
import type { Rgb } from "../../terminal/background.ts";
import { colorSupport, toAnsi } from "../../terminal/colors.ts";
import { FullScreen } from "../../terminal/full-screen.ts";
import { type HistoryFile, openHistoryFile } from "../../terminal/history-file.ts";
import type { StyledLine } from "../../terminal/span.ts";
import { type Theme, type ThemeChoice, themeOf } from "../../terminal/theme.ts";
import { bell, notification, titleSet } from "../../terminal/window.ts";
import { editExternally, editorOf } from "../dialog/external-editor.ts";
import type { Paint } from "../draw/rows.tsx";
import { runLineMode } from "../plain/line-mode.ts";
import { cleanLine, errorText } from "../safe-text.ts";
import { titleOf } from "../status/attention.ts";
import { App, restingPlace, type Suspend } from "./app.tsx";
import { type Banner, bannerOf } from "./banner.ts";
import type { ChatEnd } from "./chat-end.ts";
import { hungUp, whenAborted, written } from "./chat-end.ts";
import type { ChatOptions } from "./chat-options.ts";
import { ChatController } from "./controller.ts";
import type { Frame } from "./live-frame.ts";
import { eraseReflowed, keptOnScreen } from "./reflow.ts";

export type { ChatEnd } from "./chat-end.ts";
export type { ChatOptions } from "./chat-options.ts";

const internalFailure = 70;

/**
 * The chat at a terminal, until the person leaves. Closes the session and restores the terminal whatever happens. Never throws: a
 * defect of the screen ends it with code 70 and says how to go on. Prints the command that resumes, where there is something to resume.
 */
export async function runChat(options: ChatOptions): Promise<ChatEnd> {
  const banner = bannerOf(options);
  const run = wantsLines(options.env) ? runLineMode : runScreen;
  const end = await run(options, banner).catch((error: unknown) => brokenEnd(options, error));
  options.tty.restore();
  const stored = end.session === undefined || (await options.services.sessions.isStored(end.session));
  if (end.resume !== undefined && stored) options.stdout.write(`\n${end.lead ?? ""}${end.resume}\n`);
  return end;
}

/** A defect: the terminal comes back first, then the person is told that nothing is lost of what was stored. */
async function brokenEnd({ session, tty, stdout, reportDefect }: ChatOptions, error: unknown): Promise<ChatEnd> {
  tty.restore();
  const log = reportDefect?.(error);
  const why = errorText(error);
  const said =
    log === undefined ? words().screenFailed({ why }) : words().screenFailedSee({ why, log: cleanLine(log) });
  stdout.write(`\n${said}\n`);
  await session.close().catch(() => undefined);
  const { id } = session;
  return {
    exitCode: internalFailure,
    session: id,
    lead: `${words().saved}\n`,
    resume: `agent resume ${id}`,
  };
}

async function runScreen(options: ChatOptions, banner: Banner): Promise<ChatEnd> {
  const file = openHistoryFile(options.historyFile);
  const history = await file.load();
  if (options.begun !== undefined) {
    history.push(options.begun.text);
    void file.add(options.begun.text).catch(() => undefined);
  }
  const screen = new ChatScreen(options, banner, file, history);
  let exitCode: number;
  try {
    exitCode = await screen.run();
  } catch (error) {
    return await brokenEnd({ ...options, session: screen.controller.session }, error);
  }
  await screen.controller.close();
  return { exitCode, session: screen.controller.session.id, resume: screen.resume };
}

function painter({ env }: ChatOptions, theme: Theme): Paint {
  const support = colorSupport(env, true);
  return (lines) => lines.map((line) => toAnsi(line, support, theme)).join("\n");
}

const cursorHidden = "\x1b[?25l";
const afterInkMs = 60;

const withRest = (frame: Frame) => ({ lines: frame.lines, ...withCursor(restingPlace(frame)) });
const withCursor = (cursor: Frame["cursor"]) => (cursor === undefined ? {} : { cursor });

/** ink on one side, the terminal's keys on the other, the controller between them. */
class ChatScreen {
  readonly controller: ChatController;
  readonly #options: ChatOptions;
  #paint: Paint;
  #choice: ThemeChoice;
  /** As the terminal told it. */
  #background: Rgb | undefined;
  #isAsked = false;
  readonly #ended: Promise<number>;
  #leave: (exitCode: number) => void = () => undefined;
  #fail: (error: unknown) => void = () => undefined;
  #ink: Instance | undefined;
  #painted: Frame | undefined;
  #columns: number;
  #rows: number;
  #pushesCursor = false;
  #suspend: Suspend | undefined;
  #write: ((text: string) => void) | undefined;
  /** The full view that is open, and how it is closed. */
  #full: { screen: FullScreen; close: () => void } | undefined;
  #opening = false;
  /** The last time that the terminal was lent. */
  #lent: Promise<void> = Promise.resolve();

  constructor(options: ChatOptions, banner: Banner, file: HistoryFile, history: readonly string[]) {
    this.#options = options;
    this.#ended = new Promise((resolve, reject) => {
      this.#leave = resolve;
      this.#fail = reject;
    });
    ({ columns: this.#columns, rows: this.#rows } = this.#size());
    this.#choice = options.theme ?? "auto";
    const theme = this.#themeOn();
    this.#paint = painter(options, theme);
    this.controller = new ChatController({
      options,
      history,
      banner,
      size: () => this.#size(),
      brackets: theme.name === "none",
      paintIn: (choice) => this.#paintIn(choice),
      theme: () => ({ choice: this.#choice, hasColors: colorSupport(options.env, true).color }),
      write: (rows, picture) => this.#writeRows(rows, picture),
      isLent: () => this.#write === undefined && this.#suspend !== undefined,
      edit: (text, name) => this.#edit(text, name),
      suspend: () => this.#lend(async () => options.tty.suspend()),
      // A history that cannot be kept is no reason to stop anyone.
      remember: (input) => void file.add(input).catch(() => undefined),
      tell: (sequence) => this.#say(sequence),
      entitle: (title) => this.#say(titleSet(title, options.env)),
      call: (text) => this.#call(text),
      lastWord: (text) => written(options.stdout, `\n${text}\n`),
      left: (exitCode) => this.#leave(exitCode),
      failed: (error) => this.#fail(error),
    });
  }

  get resume(): string {
    return this.controller.view.resume ?? `agent resume ${this.controller.session.id}`;
  }

  /** @returns the exit code. */
  async run(): Promise<number> {
    const { stdout, tty, firstPrompt, begun, leaving } = this.#options;
    stdout.prependListener("resize", this.#resized);
    this.#askBackground();
    tty.onXtermJs(() => {
      this.#pushesCursor = true;
    });
    const ink = render(this.#tree(), {
      stdout: keptOnScreen(stdout),
      stdin: new PassThrough(),
      patchConsole: false,
      exitOnCtrlC: false,
      interactive: true,
      isScreenReaderEnabled: false,
      onRender: this.#onRender,
    });
    this.#ink = ink;
    ink.waitUntilExit().then(
      () => this.#leave(0),
      (error: unknown) => this.#fail(error),
    );
    if (begun !== undefined) this.controller.begin(begun);
    const subscriptions = [
      this.controller.drawing.subscribe(this.#showFull),
      tty.onKey(this.controller.key),
      tty.onResume(() => {
        this.#entitle();
        this.controller.returned();
        this.#redraw();
      }),
      tty.onClose(() => this.#leave(hungUp)),
      whenAborted(leaving, () => this.#leave(0)),
    ];
    this.controller.start();
    if (firstPrompt !== undefined && firstPrompt.trim() !== "") this.controller.sendFirst(firstPrompt);
    try {
      return await this.#ended;
    } finally {
      for (const unsubscribe of subscriptions) unsubscribe();
      stdout.off("resize", this.#resized);
      await this.#end(ink);
    }
  }

  /** The last of the transcript is written before the live part goes. */
  async #end(ink: Instance): Promise<void> {
    this.#full?.close();
    await this.#lent.catch(() => undefined);
    // What was written in an editor meanwhile is in the draft then, which is told of.
    await nextTurn();
    try {
      this.controller.stop();
      await ink.waitUntilRenderFlush();
    } finally {
      ink.clear();
      ink.unmount();
    }
  }

  #tree() {
    return <App drawing={this.controller.drawing} paint={this.#paint} onReady={this.#ready} />;
  }

  #size(): { columns: number; rows: number } {
    const { columns, rows } = this.#options.stdout;
    return { columns: columns || 80, rows: rows || 24 };
  }

  readonly #ready = (suspend: Suspend, write: (text: string) => void): void => {
    this.#suspend = suspend;
    this.#write = write;
    this.#entitle();
    this.controller.refresh();
  };

  #entitle(): void {
    this.#say(titleSet(titleOf(this.controller.view), this.#options.env));
  }

  #writeRows(rows: StyledLine[], picture = ""): boolean {
    if (this.#write === undefined) return false;
    if (rows.length > 0) this.#write(`${this.#paint(rows)}\n${picture}`);
    return true;
  }

  #call(text: string): void {
    const { notify = "bell", env } = this.#options;
    if (notify !== "off") this.#say(notify === "osc" ? notification(text, env) : bell);
  }

  /** To the terminal itself, not to what is drawn; nothing while another program has it. */
  #say(sequence: string): void {
    const isOurs = this.#write !== undefined || this.#full !== undefined;
    if (isOurs && sequence !== "") this.#options.stdout.write(sequence);
  }

  /** Lets another program have the terminal for the time of `work`; nothing is written meanwhile. From the full view too. */
  #lend(work: () => Promise<void>): Promise<void> {
    // Left by the very key that asks for this: then it is the first screen that is lent, and nothing is drawn on it meanwhile.
    const isFull = this.controller.drawing.frame.full !== undefined;
    if (!isFull) this.#full?.close();
    // One that is just being opened has the first screen lent already: behind it this would wait until it is closed.
    return this.#full === undefined && !(isFull && this.#opening) ? this.#lendInk(work) : work();
  }

  #lendInk(work: () => Promise<void>): Promise<void> {
    const before = this.#lent;
    this.#lent = (async () => {
      await before.catch(() => undefined);
      const write = this.#write;
      this.#write = undefined;
      try {
        await this.#suspend?.(work);
      } finally {
        this.#write = write;
        this.#entitle();
        this.controller.refresh();
      }
    })();
    return this.#lent;
  }

  /** Opens, draws or closes the full view, as the chat has one or not. */
  readonly #showFull = (): void => {
    const { full } = this.controller.drawing.frame;
    if (full === undefined) {
      this.#full?.close();
      return;
    }
    if (this.#full === undefined) {
      this.#openFull();
      return;
    }
    const { cursor } = full;
    const rows = full.lines.map((line) => this.#paint([line]));
    this.#full.screen.paint({ rows, ...(cursor && { cursor }) });
    this.controller.painted();
  };

  /** Ink takes its frame off the first screen before the other one is shown. */
  #openFull(): void {
    if (this.#opening || this.#suspend === undefined || this.#write === undefined) return;
    this.#opening = true;
    const opened = this.#lendInk(
      () =>
        new Promise<void>((resolve) => {
          this.#opening = false;
          const screen = new FullScreen(this.#options.tty, (text) => this.#options.stdout.write(text));
          const close = (): void => {
            this.#full = undefined;
            screen.close();
            resolve();
          };
          this.#full = { screen, close };
          this.#showFull();
        }),
    );
    opened.catch((error: unknown) => this.#fail(error));
  }

  /** The terminal was away, or has another size. */
  readonly #redraw = (): void => {
    this.#full?.screen.forget();
    this.controller.refresh();
  };

  #themeOn(): Theme {
    const { env } = this.#options;
    return themeOf(this.#choice, env, colorSupport(env, true).color, this.#background);
  }

  /** Once, where the theme goes by it. What is drawn before it answers, if it ever does, is drawn for a dark one. */
  #askBackground(): void {
    const { name } = this.#themeOn();
    if (this.#isAsked || this.#choice !== "auto" || (name !== "dark" && name !== "light")) return;
    this.#isAsked = true;
    this.#options.tty.onBackground(this.#onBackground);
  }

  readonly #onBackground = (color: Rgb): void => {
    this.#background = color;
    if (this.#choice !== "auto") return;
    this.#paintIn("auto");
    this.controller.refresh();
  };

  /** @returns whether changed words stand in brackets then. */
  #paintIn(choice: ThemeChoice): boolean {
    this.#choice = choice;
    this.#askBackground();
    const theme = this.#themeOn();
    this.#paint = painter(this.#options, theme);
    this.#full?.screen.forget();
    this.#ink?.rerender(this.#tree());
    return theme.name === "none";
  }

  readonly #onRender = (): void => {
    this.#painted = this.controller.drawing.frame;
    this.#hideResting();
    // Ink may write the frame some milliseconds later.
    setTimeout(this.#hideResting, afterInkMs).unref();
    // A full view is on the screen only once it was painted there.
    if (this.#painted.full === undefined) this.controller.painted();
  };

  /** Ink shows a cursor wherever it is put. */
  readonly #hideResting = (): void => {
    const { cursor, lines } = this.controller.drawing.frame;
    if (cursor === undefined && lines.length > 0) this.#say(cursorHidden);
  };

  /** Comes before ink's own listener: the old frame is gone and the new one laid out when ink draws again. */
  readonly #resized = (): void => {
    const { columns, rows } = this.#size();
    const isInk = this.#write !== undefined;
    if (isInk && columns < this.#columns && this.#painted !== undefined) {
      const reflow = { columns, rows, pushesCursor: this.#pushesCursor, lower: rows < this.#rows };
      this.#options.stdout.write(eraseReflowed(withRest(this.#painted), reflow));
    }
    this.#columns = columns;
    this.#rows = rows;
    this.#redraw();
    this.#ink?.rerender(this.#tree());
  };

  async #edit(before: string, name: string): Promise<string | undefined> {
    const { env, tty } = this.#options;
    if (this.#suspend === undefined) return undefined;
    let text: string | undefined;
    await this.#lend(async () => {
      tty.pause();
      try {
        text = await editExternally(before, name, editorOf(env), env);
      } finally {
        tty.resume();
      }
    });
    return text;
  }
}
