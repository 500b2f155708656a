import { chat as words } from "../../../words/en/chat.ts";
import { errorText } from "../safe-text.ts";
import type { LookUp, Message, MessageText } from "../surface/hands.ts";
import type { ChatHolder } from "./chat-effects.ts";
import type { BegunMessage } from "./chat-options.ts";
import { grownLate, handedOver, lateMs, withoutSending, withSending } from "./sending.ts";

/** Brings the person's messages to the session; one that it does not take, or that is not meant for it, comes back into the input. */
export class Outbox {
  readonly #held: ChatHolder;
  /** Does its work once the events that are out by now are on the screen. */
  readonly #afterEvents: (work: () => void) => void;
  #sent = 0;

  constructor(held: ChatHolder, afterEvents: (work: () => void) => void) {
    this.#held = held;
    this.#afterEvents = afterEvents;
  }

  /** A message that was sent before there was a screen. */
  begin({ text, submitted }: BegunMessage): void {
    this.#running(true);
    const isBegun = (): boolean => this.#held.chat().view.items.some(({ kind }) => kind === "user");
    // Taken back, or refused: no event will say that it does not run.
    const told = submitted.finally(() => this.#afterEvents(() => isBegun() || this.#running(false)));
    this.#send(text, () => told);
  }

  /** @param unasked nothing was asked on the screen */
  send(message: MessageText, unasked = false): void {
    const { text } = message;
    this.#send(text, () => this.#held.hands.session().submit(text, this.#broughtBy(message), unasked));
  }

  submit(message: Message): void {
    const { text, steer, instead } = message;
    if (steer) this.#send(text, () => this.#held.hands.session().steer(text, this.#broughtBy(message)));
    else this.send(message, instead !== true);
  }

  /**
   * Behind a command, or where it is to be looked up what the message is. @returns what sends it; it is told whether the command was to
   * lead to another session, and whether that leads nowhere any more
   */
  submitBehind({ text, instead }: Message, lookUp: LookUp): (leads: boolean, comesBack?: boolean) => Promise<void> {
    const id = this.#announce(text, true);
    const before = this.#held.hands.session();
    return async (leads, comesBack = false) => {
      const stayed = this.#held.hands.session() === before;
      const { notSentStayed, notSentElsewhere } = words();
      if (comesBack || (leads && stayed))
        return this.#unsent(id, text, "warn", stayed ? notSentStayed : notSentElsewhere);
      let meant: Message | undefined;
      try {
        meant = await lookUp();
      } catch (error) {
        return this.#unsent(id, text, "error", errorText(error));
      }
      const chat = handedOver(this.#held.chat(), id);
      if (chat === undefined) return;
      if (meant === undefined) return this.#held.set(withoutSending(chat, id));
      this.#held.set(chat);
      const { steer } = meant;
      const session = this.#held.hands.session();
      const brought = this.#broughtBy(meant);
      // What waits where the command led to was not on the screen when this was typed.
      const unasked = instead !== true || session !== before;
      this.#send(text, () => (steer ? session.steer(text, brought) : session.submit(text, brought, unasked)), id);
    };
  }

  #unsent(id: number, text: string, level: "warn" | "error", why: string): void {
    const chat = handedOver(this.#held.chat(), id);
    if (chat === undefined) return;
    this.#held.set(withoutSending(chat, id));
    this.#giveBack(text, level, why);
  }

  #send(text: string, hand: () => Promise<void>, id = this.#announce(text, false)): void {
    void hand()
      .catch((error: unknown) => this.#giveBack(text, "error", errorText(error)))
      .finally(() => this.#afterEvents(() => this.#held.set(withoutSending(this.#held.chat(), id))));
  }

  #giveBack(text: string, level: "warn" | "error", why: string): void {
    this.#held.hands.takeBack([text]);
    this.#held.hands.say({ kind: "notice", level, text: why });
  }

  /** From now on the message is known to be on its way. @returns its number */
  #announce(text: string, behind: boolean): number {
    this.#sent += 1;
    const id = this.#sent;
    this.#held.set(withSending(this.#held.chat(), { id, text, behind, late: false }));
    setTimeout(() => this.#afterEvents(() => this.#held.set(grownLate(this.#held.chat(), id))), lateMs).unref();
    return id;
  }

  #running(running: boolean): void {
    const chat = this.#held.chat();
    this.#held.set({ ...chat, view: { ...chat.view, running } });
  }

  #broughtBy(message: MessageText) {
    return this.#held.hands.services.folder.picturesOf(message, this.#held.hands.session());
  }
}
