import type { AgentEvent } from "../../../graph/events.ts";
import type { Session } from "../../../session/session.ts";
import { givenPrompt } from "../../given-prompt.ts";
import type { Key } from "../../terminal/key.ts";
import { commands, helpText, runCommand } from "../composer/slash-commands.ts";
import { followUndo } from "../rewind/rewind-surface.ts";
import { cleanLine, errorText } from "../safe-text.ts";
import { callFor, titleOf } from "../status/attention.ts";
import { stopped, workedUntil } from "../status/turn-clock.ts";
import type { CommandedChat } from "../surface/commanded-chat.ts";
import type { ChatHands, LookUp, Message } from "../surface/hands.ts";
import type { Opening } from "../surface/surface.ts";
import type { Item, View } from "../view/view.ts";
import { leftBehind, withItems, withLabels } from "../view/view-state.ts";
import { firstView } from "./banner.ts";
import { type Chat, type ChatStep, type Effect, leaveWithinMs, newChat } from "./chat.ts";
import { type ChatHolder, errand, openedOn, written } from "./chat-effects.ts";
import { lastWordOf, lostCode } from "./chat-end.ts";
import type { BegunMessage } from "./chat-options.ts";
import { press, pressHeld, pressUnseen, refused, returned, synced, withEvents, withoutLeaving } from "./chat-state.ts";
import { CommandOrder } from "./command-order.ts";
import type { ControllerPorts } from "./controller-ports.ts";
import { Drawing } from "./drawing.ts";
import { EventFeed } from "./feed.ts";
import { isFree } from "./is-free.ts";
import { JobsWatch } from "./jobs-watch.ts";
import { disarmed, isOutOfSight, withPainted } from "./out-of-sight.ts";
import { Outbox } from "./outbox.ts";
import { RuleHint } from "./rule-hint.ts";
import { searchedOn } from "./search-on.ts";
import { notSentWords, unsentWords } from "./sending.ts";
import { showPicture, showPreviews } from "./show-previews.ts";
import { firstOf, takenBack } from "./surfaces.ts";

/** Binds the pure state to one session after the other: events and keys in, effects out, one snapshot to draw. */
export class ChatController {
  readonly #ports: ControllerPorts;
  readonly #now: () => number;
  readonly #drawing: Drawing;
  readonly #feed: EventFeed;
  readonly #commands: CommandedChat;
  readonly #held: ChatHolder;
  readonly #outbox: Outbox;
  readonly #order = new CommandOrder(
    () => this.#over,
    (work) => this.#async(work),
  );
  readonly #ruleHint: RuleHint;
  readonly #jobsWatch: JobsWatch;
  #session: Session;
  #chat: Chat;
  #searching: NodeJS.Immediate | undefined;
  #over = false;

  constructor(ports: ControllerPorts) {
    this.#ports = ports;
    this.#now = ports.options.now ?? Date.now;
    this.#feed = new EventFeed(
      (events) => this.#take(events),
      (error) => ports.failed(error),
      (event) => this.#leftSays(event),
    );
    this.#session = ports.options.session;
    const { session, draft } = ports.options;
    this.#chat = newChat(firstView(ports.options, session, ports.banner), ports.history, draft);
    const { size, write, isLent, failed, brackets } = ports;
    const { env, statusLine, sideColumn } = ports.options;
    const look = { brackets, now: this.#now, home: env["HOME"], statusLine, sideColumn };
    this.#drawing = new Drawing({ size, write, isLent, failed, ...look }, this.#chat);
    this.#commands = this.#commandable();
    this.#held = { chat: () => this.#chat, set: (chat) => this.#set(chat), hands: this.#handsOf(ports) };
    this.#ruleHint = new RuleHint({
      session: () => this.#session,
      about: ports.options.services.about,
      isFree: () => isFree(this.#chat),
      say: (item) => this.say(item),
    });
    this.#jobsWatch = new JobsWatch({
      session: () => this.#session,
      about: ports.options.services.about,
      show: (jobs) => jobs === this.#chat.jobs || this.#set({ ...this.#chat, jobs }),
    });
    this.#outbox = new Outbox(this.#held, (work) => this.#afterEvents(work));
  }

  get session(): Session {
    return this.#session;
  }

  get view(): View {
    return this.#chat.view;
  }

  get drawing(): Drawing {
    return this.#drawing;
  }

  /** Begins to listen to the session. */
  start(): void {
    this.#feed.follow(this.#session);
    this.#findBranch();
  }

  /** One key of the person. */
  readonly key = (key: Key): void => {
    if (this.#over) return;
    const { screen } = this.#drawing.frame;
    this.#guard(() => {
      if (isOutOfSight(this.#chat, this.#drawing.frame) && !(key.ctrl && key.text === "c"))
        return void this.#set(pressUnseen(this.#chat, key, screen));
      const step = this.#do(press(this.#chat, key, screen, this.#now()));
      if (Number.isFinite(step.chat.lastStopAt)) this.#forgetLeaving();
    });
  };

  #do(step: ChatStep): ChatStep {
    this.#set(step.chat);
    for (const effect of step.effects) this.#perform(effect);
    return step;
  }

  #typeHeld(): void {
    const step = pressHeld(this.#chat, this.#drawing.frame.screen, this.#now());
    if (step.chat !== this.#chat) this.#do(step);
  }

  /** A frame was written to the terminal: from now on what is in front in it can be seen. */
  readonly painted = (): void => {
    const { tooSmall, screen } = this.#drawing.frame;
    const now = this.#now();
    const next = tooSmall ? disarmed(this.#chat, now) : withPainted(this.#chat, screen.geometry, now);
    if (next !== this.#chat) this.#set(next);
  };

  /** The terminal has another size, or the screen must be drawn again. */
  readonly refresh = (): void => this.#set(this.#chat);

  /** The terminal was away: all must be seen anew before a key decides. */
  readonly returned = (): void => this.#set(disarmed(this.#chat, this.#now()));

  /** Says something of the program's own in the transcript. */
  say(item: Item): void {
    this.#set({ ...this.#chat, view: withItems(this.#chat.view, [item]) });
  }

  /** A message that was sent before there was a screen: its turn can be stopped from the first key on. */
  begin(begun: BegunMessage): void {
    this.#outbox.begin(begun);
  }

  /** The prompt that the chat was begun with; one that the session does not take goes back into the input. */
  sendFirst(prompt: string): void {
    this.#outbox.send(givenPrompt(prompt));
  }

  /** Once the events that are out by now are on the screen. */
  #afterEvents(work: () => void): void {
    setImmediate(() => {
      if (this.#over) return;
      this.#guard(() => {
        this.#feed.flush();
        work();
      });
    });
  }

  #submit(message: Message, lookUp?: LookUp): void {
    // From here on a digit is a message.
    this.#chat = { ...this.#chat, view: { ...this.#chat.view, offered: [] } };
    if (lookUp === undefined) this.#ports.remember(message.text);
    if (lookUp === undefined && this.#order.isFree) this.#outbox.submit(message);
    else {
      const found = (): Promise<Message | undefined> =>
        lookUp === undefined ? Promise.resolve(message) : this.#lookedUp(lookUp);
      this.#order.send(this.#outbox.submitBehind(message, found), message.instead === true);
    }
  }

  async #lookedUp(lookUp: LookUp): Promise<Message | undefined> {
    const message = await lookUp();
    if (message !== undefined) this.#ports.remember(message.text);
    return message;
  }

  #forgetLeaving(): void {
    const forget = (): void => this.#set(withoutLeaving(this.#chat, this.#now()));
    setTimeout(() => this.#guard(forget), leaveWithinMs + 1).unref();
  }

  /** Nothing is taken any more; what was on the screen of this turn stays in the transcript. */
  stop(): void {
    this.#feed.stop();
    const chat = returned(this.#chat, this.#drawing.frame.screen);
    this.#over = true;
    const unsent = unsentWords(chat).map((text): Item => ({ kind: "notice", level: "warn", text }));
    this.#drawing.end(withItems(leftBehind(chat.view), unsent));
  }

  /** Closes the session on the screen, the one that a command under way leads to, and those that were left before and are not closed yet. */
  async close(): Promise<void> {
    const session = this.#session;
    await this.#feed.close(session);
    await this.#order.arrived();
    if (this.#session !== session) await this.#feed.close(this.#session);
  }

  async #leftSays(event: AgentEvent): Promise<boolean> {
    const text = lastWordOf(event);
    if (text !== undefined && this.#over) return this.#ports.lastWord(text);
    if (text !== undefined) this.say({ kind: "notice", level: "info", text });
    return true;
  }

  #take(events: AgentEvent[]): void {
    const view = withLabels(this.#chat.view, this.#ports.options.services.folder);
    this.#set(withEvents({ ...this.#chat, view }, events, this.#now()));
    this.#drawing.wantHighlight(events);
    showPreviews(events, { previews: this.#ports.options.previews, session: () => this.#session }, this.#drawing);
    this.#ruleHint.heard(events);
    this.#jobsWatch.heard(events);
    followUndo(events, this.#held.hands, {
      looks: (look) => this.#async(look),
      forks: (work) => this.#order.fork(work),
    });
    const lost = lostCode(events);
    if (lost !== undefined) this.#ports.left(lost);
  }

  #set(chat: Chat): void {
    if (this.#over) return;
    const before = this.#chat.view;
    this.#chat = chat;
    this.#drawing.show(chat);
    if (chat.view !== before) this.#attend(before);
    if (chat.held.length > 0) this.#typeHeld();
    this.#searching ??= setImmediate(this.#searchOn);
  }

  /** A long search takes a turn of the event loop after the other, so that keys come in between. */
  readonly #searchOn = (): void => {
    this.#searching = undefined;
    this.#guard(() => {
      const next = searchedOn(this.#chat, this.#drawing.frame.screen);
      if (next !== this.#chat) this.#set(next);
    });
  };

  /** Tells the person of this window while they look at another: by its title, and by a call. */
  #attend(before: View): void {
    const { view, clock } = this.#chat;
    const title = titleOf(view);
    if (title !== titleOf(before)) this.#ports.entitle(title);
    const now = this.#now();
    const call = callFor(before, { ...this.#chat, worked: workedUntil(clock, now) }, now);
    if (call !== undefined) this.#ports.call(call);
    const turnEnded = before.running && !view.running;
    if (turnEnded || view.workspace !== before.workspace) this.#findBranch();
  }

  /** A branch that cannot be found is not shown. */
  #findBranch(): void {
    const { workspace } = this.#session;
    this.#ports.options.services.folder.branch(workspace).then(
      (branch) => {
        const shown = branch === undefined ? undefined : cleanLine(branch);
        if (shown !== this.#chat.branch && workspace === this.#session.workspace)
          this.#set({ ...this.#chat, branch: shown });
      },
      () => undefined,
    );
  }

  #perform(effect: Effect): void {
    const work = errand(effect, this.#held);
    if (work === undefined) this.#decide(effect);
    else this.#async(effect.do === "compose" || effect.do === "editor" ? this.#lending(work) : work);
  }

  /** Keys are held while the terminal is another program's, and until what came of it is on the screen. */
  #lending(work: Promise<void>): Promise<void> {
    return work.finally(() => this.#set(returned(this.#chat, this.#drawing.frame.screen)));
  }

  #decide(effect: Effect): void {
    switch (effect.do) {
      case "stop":
        this.#async(this.#session.stop());
        break;
      case "suspend":
        this.#async(this.#lending(this.#ports.suspend()));
        break;
      case "leave":
        this.#ports.left(0);
        break;
    }
  }

  #handsOf({ options: { services }, edit, paintIn }: ControllerPorts): ChatHands {
    return {
      services,
      edit,
      paintIn: (theme) => this.#drawing.lookAnew({ brackets: paintIn(theme) }),
      session: () => this.#session,
      view: () => this.#chat.view,
      say: (item) => this.say(item),
      flash: (flash) => this.#set({ ...this.#chat, flash }),
      command: (name, argument) => runCommand(name, argument, this.#commands),
      inOrder: (work, leads) => this.#order.run(work, leads),
      submit: (message, lookUp) => this.#submit(message, lookUp),
      forkDue: this.#order.forkDue,
      takeBack: (texts) => this.#takenBack(texts),
      write: (text) => this.#set(written(this.#chat, text)),
      show: (mode) => this.#set({ ...this.#chat, view: { ...this.#chat.view, mode } }),
      refused: (ref, message) => this.#set(refused(this.#chat, ref, message)),
    };
  }

  /** With the screen gone they are told: a session's end refuses what it does not have yet. */
  #takenBack(texts: readonly string[]): void {
    if (this.#over) for (const words of notSentWords(texts)) void this.#ports.lastWord(words);
    else this.#set({ ...this.#chat, open: takenBack(this.#chat.open, texts) });
  }

  /** This chat as a command sees it. */
  #commandable(): CommandedChat {
    const open = (view: Opening): void => {
      for (const item of view.beside) this.say(item);
      const first = firstOf(view, { present: this.#session.id, now: this.#now() });
      if (first !== undefined) this.#do({ chat: openedOn(this.#chat, first.open), effects: first.effects });
    };
    return {
      env: this.#ports.options.env,
      services: this.#ports.options.services,
      present: () => ({ ...this.#chat.view, session: this.#session, view: this.#chat.view }),
      tell: (sequence) => this.#ports.tell(sequence),
      commands,
      help: helpText,
      theme: () => this.#ports.theme(),
      hands: () => this.#held.hands,
      say: (item) => this.say(item),
      picture: (name, bytes) => showPicture({ name, bytes }, this.#ports.options.previews, this.#drawing),
      printed: new Map(),
      open,
      openUnread: async (view) => open(await view.read()),
      show: (change) => {
        // What was told of the session before would stand over it.
        this.#feed.flush();
        this.#set({ ...this.#chat, view: { ...this.#chat.view, ...change } });
      },
      follow: (session) => this.#follow(session),
      loadColors: () => this.#drawing.loadColors(),
      leave: () => this.#ports.left(0),
    };
  }

  /** From one session to another: the transcript on the screen stays, the state is the new session's. */
  #follow(session: Session): void {
    this.#feed.flush();
    this.#session = session;
    const { items, model, mode } = leftBehind(this.#chat.view);
    const view = { ...firstView(this.#ports.options, session), model, mode, items };
    this.#set(synced({ ...this.#chat, aside: false, clock: stopped, jobs: 0 }, view, this.#now()));
    this.#feed.follow(session);
    this.#order.forkDue(false);
  }

  /** Runs work beside the screen that may fail: its error is said in the transcript. */
  #async(work: Promise<unknown>): void {
    void work.catch((error: unknown) =>
      this.#guard(() => this.say({ kind: "notice", level: "error", text: errorText(error) })),
    );
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#ports.failed(error);
    }
  }
}
