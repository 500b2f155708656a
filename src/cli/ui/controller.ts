import type { AgentEvent } from "../../graph/events.ts";
import type { Session } from "../../graph/session.ts";
import { loadHighlighter } from "../terminal/highlight.ts";
import type { Key } from "../terminal/keys.ts";
import type { Highlight } from "../terminal/markdown-theme.ts";
import { setText } from "../terminal/text-buffer.ts";
import { createLayouts } from "./body-lines.ts";
import { type Chat, type Effect, modalOf, newChat, press, refused, synced, withEvents } from "./chat-state.ts";
import { draftOf, withFiles } from "./composer-state.ts";
import type { ControllerPorts, Snapshot } from "./controller-ports.ts";
import { dialogPainted, requestOf, submitEdit } from "./dialog-state.ts";
import { EventFeed } from "./feed.ts";
import { lostCode } from "./leaving.ts";
import { liveFrame } from "./live-frame.ts";
import { recoveryPainted } from "./recovery-state.ts";
import { type CommandResult, errorText, refusalOf, runCommand } from "./session-actions.ts";
import { asksUnseen, disarmed } from "./unseen.ts";
import { type Item, initialView, type View } from "./view.ts";
import { withItems } from "./view-state.ts";

const spinMs = 100;

/** Binds the pure state to one session after the other: events and keys in, effects out, one snapshot to draw. */
export class ChatController {
  readonly #ports: ControllerPorts;
  readonly #layouts = createLayouts();
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  readonly #feed: EventFeed;
  #session: Session;
  #chat: Chat;
  #spin: NodeJS.Timeout | undefined;
  #redraw: NodeJS.Immediate | undefined;
  #tick = 0;
  #since = 0;
  #highlight: Highlight | undefined;
  #highlightAsked = false;
  #snapshot: Snapshot;
  #over = false;

  constructor(ports: ControllerPorts) {
    this.#ports = ports;
    this.#now = ports.options.now ?? Date.now;
    this.#feed = new EventFeed(
      (events) => this.#take(events),
      (error) => ports.failed(error),
    );
    this.#session = ports.options.session;
    this.#chat = newChat(this.#viewOf(ports.options.session, ports.banner), ports.history);
    this.#snapshot = this.#draw();
  }

  get session(): Session {
    return this.#session;
  }

  get view(): View {
    return this.#chat.view;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): Snapshot => this.#snapshot;

  /** Begins to listen to the session. */
  start(): void {
    this.#feed.follow(this.#session);
  }

  /** One key of the person. */
  readonly key = (key: Key): void => {
    if (this.#over) return;
    if (asksUnseen(this.#chat, this.#snapshot.frame) && !(key.ctrl && key.text === "c")) return;
    this.#guard(() => {
      const step = press(this.#chat, key, this.#snapshot.frame.screen, this.#now());
      this.#set(step.chat);
      for (const effect of step.effects) this.#perform(effect);
    });
  };

  /** A frame was written to the terminal: from now on its question can be seen. */
  readonly painted = (): void => {
    if (asksUnseen(this.#chat, this.#snapshot.frame)) {
      const unseen = disarmed(this.#chat, this.#now());
      if (unseen !== this.#chat) this.#set(unseen);
      return;
    }
    const { dialog, menu } = this.#chat;
    const { geometry } = this.#snapshot.frame.screen;
    const now = this.#now();
    const next: Chat = {
      ...this.#chat,
      dialog: dialog === undefined || this.#chat.aside ? dialog : dialogPainted(dialog, geometry, now),
      menu: menu === undefined || this.#chat.aside ? menu : recoveryPainted(menu, now),
    };
    const same = next.dialog?.paintedAt === dialog?.paintedAt && seenOf(next) === seenOf(this.#chat);
    if (same && next.menu?.paintedAt === menu?.paintedAt) return;
    this.#set(next);
  };

  /** The terminal has another size, or the screen must be drawn again. */
  readonly refresh = (): void => this.#set(this.#chat);

  /** Says something of the program's own in the transcript. */
  say(item: Item): void {
    this.#set({ ...this.#chat, view: withItems(this.#chat.view, [item]) });
  }

  /** A message of the person; one that the session does not take goes back into the input. */
  send(text: string): void {
    this.#async(this.#session.submit(text), (error) => {
      const empty = draftOf(this.#chat.composer) === "";
      const composer = { ...this.#chat.composer, buffer: setText(this.#chat.composer.buffer, text) };
      if (empty) this.#set({ ...this.#chat, composer });
      this.say({ kind: "notice", level: "error", text: errorText(error) });
    });
  }

  /** Ends all timers; what was gathered is shown once more. */
  stop(): void {
    this.#feed.stop();
    this.#over = true;
    clearInterval(this.#spin);
    clearImmediate(this.#redraw);
    this.#listeners.clear();
  }

  #viewOf(session: Session, banner: string[]): View {
    const { model, mode } = this.#ports.options;
    return initialView({ session: session.id, workspace: session.workspace, model, mode, banner });
  }

  #take(events: AgentEvent[]): void {
    this.#set(withEvents(this.#chat, events, this.#now()));
    this.#wantHighlight(events);
    const lost = lostCode(events);
    if (lost !== undefined) this.#ports.left(lost);
  }

  /** The highlighter is heavy: it is loaded with the first code that comes. */
  #wantHighlight(events: readonly AgentEvent[]): void {
    if (this.#highlightAsked || !events.some((event) => "text" in event && event.text?.includes("```"))) return;
    this.#highlightAsked = true;
    const loaded = loadHighlighter().then((highlight) => {
      this.#highlight = highlight;
      this.refresh();
    });
    // Code without colours is still code.
    this.#async(loaded, () => undefined);
  }

  #set(chat: Chat): void {
    if (this.#over) return;
    const wasRunning = this.#chat.view.running;
    this.#chat = chat;
    if (chat.view.running && !wasRunning) this.#since = this.#now();
    this.#spinning(chat.view.running);
    this.#snapshot = this.#draw();
    this.#redraw ??= setImmediate(() => {
      this.#redraw = undefined;
      for (const listener of this.#listeners) listener();
    });
  }

  #spinning(on: boolean): void {
    if (on === (this.#spin !== undefined)) return;
    clearInterval(this.#spin);
    this.#spin = on ? setInterval(() => this.#turn(), spinMs) : undefined;
  }

  #turn(): void {
    this.#tick += 1;
    // Nothing spins in a question: it is not drawn again for nothing.
    if (modalOf(this.#chat) === undefined) this.#guard(() => this.#set(this.#chat));
  }

  #draw(): Snapshot {
    const seconds = Math.floor((this.#now() - this.#since) / 1000);
    const context = { ...this.#ports.size(), tick: this.#tick, seconds, layouts: this.#layouts };
    return { items: this.#chat.view.items, frame: liveFrame(this.#chat, context), highlight: this.#highlight };
  }

  #perform(effect: Effect): void {
    switch (effect.do) {
      case "submit":
        this.#ports.remember(effect.text);
        this.send(effect.text);
        break;
      case "answer":
        this.#answered(effect.callId, this.#session.answer(effect.callId, effect.decision));
        break;
      case "recover":
        this.#answered(effect.callId, this.#session.recover(effect.callId, effect.choice));
        break;
      case "editor":
        this.#async(this.#editor(effect.callId, effect.json));
        break;
      case "complete":
        this.#async(this.#complete(effect.prefix));
        break;
      case "command":
        this.#async(this.#command(effect.name, effect.argument));
        break;
      case "mode":
        this.#session.setMode(effect.mode);
        break;
      case "stop":
        this.#async(this.#session.stop());
        break;
      case "suspend":
        this.#async(this.#ports.suspend());
        break;
      case "leave":
        this.#ports.left(0);
        break;
    }
  }

  #answered(callId: string, outcome: ReturnType<Session["answer"]>): void {
    const settled = outcome.then((result) => {
      const message = refusalOf(result);
      if (message !== undefined) this.#set(refused(this.#chat, callId, message));
    });
    this.#async(settled, (error) => this.#set(refused(this.#chat, callId, errorText(error))));
  }

  async #complete(prefix: string): Promise<void> {
    const files = (await this.#ports.options.listFiles?.(prefix)) ?? [];
    this.#set({ ...this.#chat, composer: withFiles(this.#chat.composer, prefix, files) });
  }

  async #editor(callId: string, json: string): Promise<void> {
    const text = await this.#ports.edit(json);
    const { dialog, view } = this.#chat;
    const request = requestOf(view.ask, dialog);
    if (dialog === undefined || request === undefined || dialog.callId !== callId) return;
    if (text === undefined) return this.#set(refused(this.#chat, callId, "no editor: set VISUAL or EDITOR, or use e"));
    const step = submitEdit(dialog, request, text);
    this.#set({ ...this.#chat, dialog: step.dialog });
    if (step.effect !== undefined) this.#perform(step.effect);
  }

  async #command(name: string, argument: string): Promise<void> {
    const { model, mode } = this.#chat.view;
    const result = await runCommand(name, argument, { session: this.#session, model, mode }, this.#ports.options);
    if (result.leave === true) return this.#ports.left(0);
    if (result.session !== undefined) await this.#goOver(result.session);
    this.#apply(result);
  }

  #apply({ items, mode, model }: CommandResult): void {
    const view = withItems(this.#chat.view, items);
    const next = { ...view, ...(mode === undefined ? {} : { mode }), ...(model === undefined ? {} : { model }) };
    this.#set({ ...this.#chat, view: next });
  }

  /** From one session to another: the transcript on the screen stays, the state is the new session's. */
  async #goOver(session: Session): Promise<void> {
    const old = this.#session;
    this.#feed.flush();
    this.#session = session;
    const { items, model, mode } = this.#chat.view;
    const fresh = { ...this.#viewOf(session, []), model, mode };
    const line: Item = {
      kind: "notice",
      level: "info",
      text: `session ${session.id}; the one before is saved as ${old.id}`,
    };
    session.setMode(mode);
    this.#set(synced({ ...this.#chat, aside: false }, withItems({ ...fresh, items }, [line]), this.#now()));
    this.#feed.follow(session);
    await old.close();
  }

  /** What is done beside the screen and may fail: by default its error is said in the transcript. */
  #async(work: Promise<unknown>, onError?: (error: unknown) => void): void {
    void work.catch((error: unknown) =>
      this.#guard(() =>
        (onError ?? ((one) => this.say({ kind: "notice", level: "error", text: errorText(one) })))(error),
      ),
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

const seenOf = (chat: Chat): number | undefined => chat.dialog?.seen[chat.dialog.digest];
