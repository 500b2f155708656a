import type { AgentEvent } from "../../graph/events.ts";
import type { Session } from "../../session/session.ts";
import type { Key } from "../terminal/key.ts";
import { setText } from "../terminal/text-buffer.ts";
import { type Chat, type Effect, newChat, press, refused, synced, withEvents } from "./chat-state.ts";
import { draftOf, withFiles } from "./composer-state.ts";
import type { ControllerPorts } from "./controller-ports.ts";
import { submitEdit } from "./dialog-keys.ts";
import { dialogPainted, requestOf } from "./dialog-state.ts";
import { Drawing } from "./drawing.ts";
import { EventFeed } from "./feed.ts";
import { lostCode } from "./leaving.ts";
import type { BegunMessage } from "./options.ts";
import { recoveryPainted } from "./recovery-state.ts";
import { type CommandResult, errorText, refusalOf, runCommand } from "./session-actions.ts";
import { asksUnseen, disarmed } from "./unseen.ts";
import { type Item, initialView, type View } from "./view.ts";
import { leftBehind, withItems } from "./view-state.ts";

/** Binds the pure state to one session after the other: events and keys in, effects out, one snapshot to draw. */
export class ChatController {
  readonly #ports: ControllerPorts;
  readonly #now: () => number;
  readonly #drawing: Drawing;
  readonly #feed: EventFeed;
  #session: Session;
  #chat: Chat;
  /** The command under way: what is typed behind it is meant for the session that it leads to. */
  #commanded: Promise<void> | undefined;
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
    const { size, failed } = ports;
    this.#drawing = new Drawing({ size, failed, now: this.#now }, this.#chat);
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
  }

  /** One key of the person. */
  readonly key = (key: Key): void => {
    if (this.#over) return;
    if (asksUnseen(this.#chat, this.#drawing.frame) && !(key.ctrl && key.text === "c")) return;
    this.#guard(() => {
      const step = press(this.#chat, key, this.#drawing.frame.screen, this.#now());
      this.#set(step.chat);
      for (const effect of step.effects) this.#perform(effect);
    });
  };

  /** A frame was written to the terminal: from now on its question can be seen. */
  readonly painted = (): void => {
    if (asksUnseen(this.#chat, this.#drawing.frame)) {
      const unseen = disarmed(this.#chat, this.#now());
      if (unseen !== this.#chat) this.#set(unseen);
      return;
    }
    const { dialog, menu } = this.#chat;
    const { geometry } = this.#drawing.frame.screen;
    const now = this.#now();
    const next: Chat = {
      ...this.#chat,
      dialog: dialog === undefined || this.#chat.aside ? dialog : dialogPainted(dialog, geometry, now),
      menu: menu === undefined || this.#chat.aside ? menu : recoveryPainted(menu, now),
    };
    const same = next.dialog?.paintedAt === dialog?.paintedAt && next.dialog?.seen === dialog?.seen;
    if (same && next.menu?.paintedAt === menu?.paintedAt) return;
    this.#set(next);
  };

  /** The terminal has another size, or the screen must be drawn again. */
  readonly refresh = (): void => this.#set(this.#chat);

  /** Says something of the program's own in the transcript. */
  say(item: Item): void {
    this.#set({ ...this.#chat, view: withItems(this.#chat.view, [item]) });
  }

  /** A message that was sent before there was a screen: its turn can be stopped from the first key on. */
  begin({ text, submitted }: BegunMessage): void {
    const show = (running: boolean): void => this.#set({ ...this.#chat, view: { ...this.#chat.view, running } });
    show(true);
    const taken = submitted.catch((error: unknown) => {
      show(false);
      throw error;
    });
    this.send(text, taken);
  }

  /** A message of the person; one that the session does not take goes back into the input. */
  send(text: string, submitted = this.#session.submit(text)): void {
    this.#async(submitted, (error) => {
      const empty = draftOf(this.#chat.composer) === "";
      const composer = { ...this.#chat.composer, buffer: setText(this.#chat.composer.buffer, text) };
      if (empty) this.#set({ ...this.#chat, composer });
      this.say({ kind: "notice", level: "error", text: errorText(error) });
    });
  }

  /** Nothing is taken any more; what was on the screen of this turn stays in the transcript. */
  stop(): void {
    this.#feed.stop();
    this.#over = true;
    this.#drawing.end(leftBehind(this.#chat.view));
  }

  #viewOf(session: Session, banner: string[]): View {
    const { model, mode } = this.#ports.options;
    return initialView({ session: session.id, workspace: session.workspace, model, mode, banner });
  }

  #take(events: AgentEvent[]): void {
    this.#set(withEvents(this.#chat, events, this.#now()));
    this.#drawing.wantHighlight(events);
    const lost = lostCode(events);
    if (lost !== undefined) this.#ports.left(lost);
  }

  #set(chat: Chat): void {
    if (this.#over) return;
    this.#chat = chat;
    this.#drawing.show(chat);
  }

  #perform(effect: Effect): void {
    switch (effect.do) {
      case "submit":
        this.#ports.remember(effect.text);
        if (this.#commanded === undefined) this.send(effect.text);
        else this.#inOrder(() => this.send(effect.text));
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
        this.#inOrder(() => this.#command(effect.name, effect.argument));
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

  /** After the commands that were typed before it. */
  #inOrder(work: () => unknown): void {
    const before = this.#commanded;
    const done = (async () => {
      await before?.catch(() => undefined);
      await work();
    })();
    this.#commanded = done;
    const over = (): void => {
      if (this.#commanded === done) this.#commanded = undefined;
    };
    this.#async(done.finally(over));
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
    const { items, model, mode } = leftBehind(this.#chat.view);
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
