/** Sends a message. @param leads what it was typed behind was to lead to another session */
type Send = (leads: boolean) => Promise<void>;

/** The commands of a chat, one after the other, and the messages that are typed behind them: these are meant for the session that they lead to. */
export class CommandOrder {
  readonly #isOver: () => boolean;
  readonly #async: (work: Promise<void>) => void;
  /** The command under way. */
  #commanded: Promise<void> | undefined;
  /** One of the commands under way leads to another session, if it succeeds. */
  #leads = false;
  /** The last that may lead to another session. */
  #leading: Promise<void> | undefined;
  /** Messages for the session that a rewind leads to, once its undo has ended; undefined where none is due. */
  #forFork: Send[] | undefined;

  /** @param isOver nothing is begun any more @param async says what fails */
  constructor(isOver: () => boolean, async: (work: Promise<void>) => void) {
    this.#isOver = isOver;
    this.#async = async;
  }

  /** Nothing is under way that a message may have to wait for. */
  get isFree(): boolean {
    return this.#commanded === undefined && this.#forFork === undefined;
  }

  readonly behind = (work: () => Promise<void>): void => this.#async(this.run(work));

  /** Behind what is under way. @param answers it is meant for the question on the screen, and not for what comes after that */
  send(send: Send, answers: boolean): void {
    this.behind(async () => {
      if (this.#forFork === undefined || answers) return send(this.#leads);
      this.#forFork.push(send);
    });
  }

  /** After the commands that were typed before it. */
  async run(work: () => Promise<void>, leads = false): Promise<void> {
    this.#leads ||= leads;
    const before = this.#commanded;
    const done = (async () => {
      await before?.catch(() => undefined);
      if (!this.#isOver()) await work();
    })();
    this.#commanded = done;
    if (leads) this.#leading = done;
    try {
      await done;
    } finally {
      if (this.#commanded === done) {
        this.#commanded = undefined;
        this.#leads = false;
      }
    }
  }

  /** The undo of a rewind is under way; false: what waited for its fork goes to the session on the screen, or comes back where that is the one before. */
  readonly forkDue = (isDue: boolean): void => {
    const waiting = this.#forFork ?? [];
    this.#forFork = isDue ? waiting : undefined;
    if (isDue || waiting.length === 0) return;
    this.behind(async () => {
      for (const send of waiting) await send(true);
    });
  };

  /** @param work makes the fork that is due, if one is */
  fork(work: () => Promise<void>): void {
    this.#leading = this.run(work).finally(() => this.forkDue(false));
    this.#async(this.#leading);
  }

  /** Resolves when nothing leads to another session any more. */
  async arrived(): Promise<void> {
    await this.#leading?.catch(() => undefined);
  }
}
