import type { AgentEvent } from "../../../graph/events.ts";
import type { Session } from "../../../session/session.ts";
import { plain as words } from "../../../words/en/plain.ts";
import { givenPrompt } from "../../given-prompt.ts";
import { cleanText } from "../../terminal/sanitise.ts";
import { parseFirst, type Typed } from "../../typed.ts";
import { type Banner, firstView } from "../chat/banner.ts";
import { leaveWithinMs } from "../chat/chat.ts";
import { type ChatEnd, hungUp, lastWordOf, lostCode, whenAborted, written } from "../chat/chat-end.ts";
import type { ChatOptions } from "../chat/chat-options.ts";
import { asideText } from "../chat/chat-state.ts";
import { ReadSessions } from "../chat/read-sessions.ts";
import { RuleHint } from "../chat/rule-hint.ts";
import { meantBy, type UnknownCommand } from "../composer/file-command.ts";
import { commands, runCommand, unknownCommandText } from "../composer/slash-commands.ts";
import { seenMs } from "../question/arming.ts";
import { followUndo } from "../rewind/rewind-surface.ts";
import { errorText } from "../safe-text.ts";
import { type CommandedChat, leadsElsewhere } from "../surface/commanded-chat.ts";
import type { ChatHands, MessageText } from "../surface/hands.ts";
import { helperAsks, type View } from "../view/view.ts";
import { reduce, withLabels } from "../view/view-state.ts";
import { AskedLines } from "./asked-lines.ts";
import { commandedLines } from "./commanded-lines.ts";
import { LineOrder } from "./line-order.ts";
import { createLineReader, type LineReader, type TypedLine } from "./line-reader.ts";
import { plainItem } from "./plain-item.ts";

const neverStopped = Number.NEGATIVE_INFINITY;

/** The chat as plain lines: numbered questions, the full diff, answers as typed words. Same session, same view, no cursor moves. */
export function runLineMode(options: ChatOptions, banner: Banner): Promise<ChatEnd> {
  return new LineChat(options, banner).run();
}

class LineChat {
  readonly #options: ChatOptions;
  /** Goes before the first message. */
  #draft: string | undefined;
  readonly #now: () => number;
  readonly #reader: LineReader;
  readonly #order: LineOrder;
  readonly #commands: CommandedChat;
  readonly #hands: ChatHands;
  readonly #sessions = new ReadSessions();
  readonly #ruleHint: RuleHint;
  #session: Session;
  #view: View;
  #printed = 0;
  /** The question that was asked last: call and digest, so that a changed plan is asked again. */
  #asked = "";
  /** The question that was asked, from its answer on until that has come to count, or was refused. */
  #answered = "";
  /** Messages that the session does not have yet. */
  #sending = 0;
  readonly #questions = new AskedLines();
  /** The time when the question on the screen was printed. */
  #askedAt = neverStopped;
  /** The mark that stands before what is typed is on the screen's last line. */
  #prompted = false;
  /** A message that stands on the screen as it was typed, with nothing after it yet. */
  #echoed: string | undefined;
  /** The person stopped at the question: it waits, and a line is a message, not an answer. */
  #aside = false;
  #lastStopAt = neverStopped;
  #left = false;
  #end: (end: ChatEnd) => void = () => undefined;

  constructor(options: ChatOptions, banner: Banner) {
    this.#options = options;
    this.#draft = options.draft;
    this.#now = options.now ?? Date.now;
    this.#session = options.session;
    this.#view = firstView(options, options.session, banner);
    this.#commands = commandedLines(options, {
      hands: () => this.#hands,
      session: () => this.#session,
      view: () => this.#view,
      show: (view, print) => {
        this.#view = view;
        if (print) this.#print();
      },
      follow: (session) => this.#goOver(session),
      leave: () => this.#leave(),
    });
    this.#hands = this.#handsOf(options);
    this.#ruleHint = new RuleHint({
      session: () => this.#session,
      about: options.services.about,
      isFree: () => this.#isFree(),
      say: (item) => {
        this.#commands.say(item);
        this.#prompt();
      },
    });
    this.#order = new LineOrder({
      session: () => this.#session,
      question: () => this.#reader.question,
      isAsked: () => this.#question() !== undefined,
      isLeft: () => this.#left,
      line: (line) => void this.#line(line).catch(this.#fail),
      notSent: (texts) => this.#notSent(texts),
      prompt: () => this.#prompt(),
      failed: this.#fail,
    });
    this.#reader = createLineReader((text) => void options.stdout.write(text), {
      line: this.#order.read,
      stop: (key) => (key === "escape" ? this.#escape() : this.#stop()),
      cleared: () => this.#cleared(),
      leave: () => this.#leave(),
    });
  }

  async run(): Promise<ChatEnd> {
    const { tty, firstPrompt, leaving } = this.#options;
    const ended = new Promise<ChatEnd>((resolve) => {
      this.#end = resolve;
    });
    this.#print();
    if (firstPrompt === undefined) this.#prompt();
    this.#follow(this.#session);
    const subscriptions = [
      tty.onKey((key) => this.#reader.key(key)),
      tty.onClose(() => this.#leave(hungUp)),
      whenAborted(leaving, () => this.#leave()),
    ];
    if (firstPrompt !== undefined) {
      await this.#submit(givenPrompt(firstPrompt)).catch(this.#fail);
    }
    try {
      return await ended;
    } finally {
      for (const unsubscribe of subscriptions) unsubscribe();
      await this.#close();
    }
  }

  /** With the session that a command under way leads to. */
  async #close(): Promise<void> {
    const session = this.#session;
    await this.#sessions.close(session);
    await this.#order.arrived();
    if (this.#session !== session) await this.#sessions.close(this.#session);
  }

  #follow(session: Session): void {
    void this.#pump(session).catch((error: unknown) => {
      if (session !== this.#session) return;
      this.#write(errorText(error));
      this.#end({ exitCode: 70, resume: this.#resume() });
    });
  }

  async #pump(session: Session): Promise<void> {
    for await (const event of this.#sessions.events(session)) {
      const lastWord = this.#left || session !== this.#session ? lastWordOf(event) : undefined;
      if (lastWord !== undefined && !(await this.#written(lastWord))) return;
      if (lastWord !== undefined) this.#prompt();
      else if (session === this.#session) this.#take(event);
    }
  }

  #take(event: AgentEvent): void {
    this.#view = reduce(withLabels(this.#view, this.#options.services.folder), event);
    this.#print();
    this.#ask();
    if (this.#asked !== this.#answered) this.#settled();
    const forked = followUndo([event], this.#hands, {
      looks: (look) => void look.catch(this.#fail),
      forks: (work) => this.#order.fork(work),
    });
    if (forked === undefined) this.#ruleHint.heard([event]);
    else void forked.then(() => this.#ruleHint.heard([event]));
    const lost = lostCode([event]);
    if (lost !== undefined) this.#leave(lost);
    else if (event.type === "turn_ended" && event.parent === undefined) this.#prompt();
  }

  #isFree(): boolean {
    const isOpen = this.#left || this.#view.running || this.#order.isCommanded || this.#sending > 0;
    return !isOpen && !this.#reader.isTyping && this.#question() === undefined;
  }

  readonly #question = () => this.#questions.in(this.#view);
  readonly #write = (text: string): void => void this.#written(text);

  readonly #fail = (error: unknown): void => this.#write(errorText(error));

  #written(text: string): Promise<boolean> {
    const told = written(this.#options.stdout, `${this.#prompted ? "\n" : ""}${text}\n`);
    this.#prompted = false;
    this.#echoed = undefined;
    return told;
  }

  #prompt(): void {
    if (this.#left) return;
    if (!this.#prompted) this.#options.stdout.write("> ");
    this.#prompted = true;
  }

  #print(): void {
    const width = Math.max(40, this.#options.stdout.columns ?? 80);
    for (const item of this.#view.items.slice(this.#printed)) {
      // What was typed stands there.
      if (item.kind === "command") continue;
      if (item.kind !== "user" || item.text !== this.#echoed) this.#write(plainItem(item, width));
    }
    this.#printed = this.#view.items.length;
  }

  #ask(isPutOff = false): void {
    const asked = this.#question();
    const key = asked?.key ?? "";
    if (key === this.#asked && !isPutOff) return;
    if (asked === undefined && this.#asked !== this.#answered && !this.#aside) this.#reader.gone();
    this.#asked = key;
    this.#aside = false;
    if (asked === undefined) return;
    this.#write(`\n${asked.text()}`);
    this.#askedAt = this.#now();
    this.#reader.asked(asked.isText === true);
    this.#prompt();
  }

  async #line(line: TypedLine): Promise<void> {
    this.#prompted = false;
    this.#lastStopAt = neverStopped;
    const isGone = this.#reader.isForGone(line);
    if (line.isText && !this.#answers(line)) return this.#again(isGone ? words().gone : words().late);
    const typed = parseFirst(line.text, this.#view.offered);
    if (typed.kind === "command" && !line.isText) return this.#command(typed.name, typed.argument);
    if (this.#aside && typed.kind === "nothing") return this.#ask(true);
    if (isGone) return this.#again(words().gone);
    if (this.#aside || this.#question() === undefined) return this.#message(typed, line.written);
    if (this.#answered !== "") return this.#order.hold(line);
    if (line.begunAt !== this.#reader.question) return this.#again(words().late);
    return this.#answer(line.text);
  }

  /** It was begun for the question that is in front now. */
  readonly #answers = ({ begunAt }: TypedLine): boolean => this.#questioned() && begunAt === this.#reader.question;

  /** @param unasked nothing was asked on the screen */
  async #submit(message: MessageText, unasked = false): Promise<void> {
    this.#sending += 1;
    // From here on a digit is a message.
    this.#view = { ...this.#view, offered: [] };
    try {
      const pictures = this.#options.services.folder.picturesOf(message, this.#session);
      await this.#session.submit(message.text, pictures, unasked);
    } catch (error) {
      this.#notSent([message.text]);
      throw error;
    } finally {
      this.#sending -= 1;
    }
  }

  async #message(typed: Typed, written?: string): Promise<void> {
    if (typed.kind === "message") {
      this.#echoed = cleanText(typed.text);
      const text = `${this.#draft ?? ""}${typed.text}`;
      this.#draft = undefined;
      return this.#submit({ text, ...(written !== undefined && { written }) }, this.#asked === "");
    }
    if (typed.kind === "unknown") return this.#order.run(() => this.#sayNamed(typed, this.#asked === ""));
    this.#prompt();
  }

  async #sayNamed(typed: UnknownCommand, unasked: boolean): Promise<void> {
    const meant = await meantBy(typed, this.#options.services.folder, this.#session.workspace);
    if (meant === "nothing") return this.#write(unknownCommandText(typed.name));
    void this.#submit({ text: typed.text, isCommand: meant === "command" }, unasked).catch(this.#fail);
  }

  /** Answers the question. Where it counts, the event that says so settles the question. */
  async #answer(text: string): Promise<void> {
    const said = this.#question()?.said(text);
    if (said === undefined) return;
    if ("say" in said) return this.#again(said.say);
    if ("next" in said) return this.#ask();
    this.#answered = this.#asked;
    try {
      await said.answer(this.#hands);
    } catch (error) {
      this.#again(errorText(error));
      this.#settled();
    }
  }

  #settled(): void {
    this.#answered = "";
    this.#order.readHeld();
  }

  #again(text: string): void {
    this.#write(text);
    this.#prompt();
  }

  readonly #command = (name: string, argument: string): Promise<void> =>
    this.#order.run(() => runCommand(name, argument, this.#commands), leadsElsewhere(commands, { name, argument }));

  #notSent(texts: readonly string[]): void {
    for (const text of texts) if (text.trim() !== "") this.#write(words().notSent({ text: cleanText(text) }));
  }

  /** This chat as a question sees it that was answered. */
  #handsOf({ services }: ChatOptions): ChatHands {
    return {
      services,
      session: () => this.#session,
      view: () => this.#view,
      say: (item) => this.#commands.say(item),
      flash: (text) => this.#write(text),
      command: (name, argument) => runCommand(name, argument, this.#commands),
      inOrder: (work) => work(),
      submit: (message) => void this.#submit(message).catch(this.#fail),
      forkDue: (isDue) => this.#order.forkDue(isDue),
      takeBack: (texts) => this.#notSent(texts),
      write: (text) => this.#write(text),
      show: (mode) => this.#commands.show({ mode }),
      refused: (_, message) => {
        this.#again(message);
        this.#settled();
      },
      edit: () => Promise.resolve(undefined),
    };
  }

  #goOver(session: Session): void {
    const { model, mode, items } = this.#view;
    this.#session = session;
    this.#view = { ...firstView(this.#options, session), model, mode, items };
    this.#asked = "";
    this.#aside = false;
    this.#order.wentOver();
    this.#follow(session);
  }

  #cleared(): void {
    this.#lastStopAt = neverStopped;
    if (!this.#prompted) return;
    this.#prompted = false;
    this.#prompt();
  }

  /** A question is in front of the person: a typed line would answer it. */
  readonly #questioned = (): boolean => !this.#aside && this.#answered === "" && this.#question() !== undefined;

  /** As in the drawn chat: it denies the call that is asked about, else ends the running turn, and never leaves. */
  #escape(): void {
    this.#lastStopAt = neverStopped;
    if (this.#questioned() && this.#now() - this.#askedAt < seenMs) return void this.#again(words().justAsked);
    if (this.#questioned()) {
      const decided = this.#answer(this.#question()?.escaped ?? "");
      void decided.catch((error: unknown) => this.#again(errorText(error)));
    } else if (this.#view.running || this.#sending > 0) {
      this.#write(`\n${words().stopped}`);
      this.#halt();
    }
  }

  /** The second of two leaves; the first stops what is in front of the person: the question, else the turn. */
  #stop(): void {
    const now = this.#now();
    if (now - this.#lastStopAt <= leaveWithinMs) return void this.#leave();
    this.#lastStopAt = now;
    if (this.#questioned() && this.#question()?.endsWithTurn !== true) {
      this.#aside = true;
      this.#again(asideText(this.#view));
    } else if (this.#view.running) this.#write(`\n${words().stoppedOnce}`);
    else this.#again(words().leaves);
    this.#halt();
  }

  /**
   * Stops the turn; waiting messages come back, so that its end does not send them. A question that is put off ends none, but where helpers
   * work beside it.
   */
  #halt(): void {
    const held = this.#order.taken();
    const staysOpen = this.#aside && !helperAsks(this.#view);
    const taken = staysOpen ? Promise.resolve([]) : this.#session.takeBack({ atWork: this.#aside });
    const stopped = this.#session.stop();
    void Promise.all([taken, stopped]).then(
      ([texts]) => {
        this.#notSent([...held, ...texts]);
        this.#prompt();
      },
      (error: unknown) => this.#again(errorText(error)),
    );
  }

  readonly #resume = (): string => this.#view.resume ?? `agent resume ${this.#session.id}`;

  #leave(exitCode = 0): void {
    if (!this.#left) this.#notSent(this.#order.taken());
    this.#left = true;
    this.#end({ exitCode, session: this.#session.id, resume: this.#resume() });
  }
}
