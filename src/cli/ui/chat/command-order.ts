/** Sends a message. @param leads what it was typed behind was to lead to another session @param comesBack that leads nowhere any more: it is not sent */
type Send = (leads: boolean, comesBack?: boolean) => Promise<void>;

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

  /** The undo of a rewind is under way; false: no fork follows it, and what waited for that comes back. */
  readonly forkDue = (isDue: boolean): void => {
    const waiting = this.#forFork ?? [];
    this.#forFork = isDue ? waiting : undefined;
    if (!isDue) for (const send of waiting) this.#async(send(true, true));
  };

  /**
   * Makes the fork: messages that waited for it are sent before anything that is typed while it is made.
   * @param work makes the fork that is due, if one is
   */
  fork(work: () => Promise<void>): void {
    const withWaiting = async (): Promise<void> => {
      const waiting = this.#forFork ?? [];
      this.#forFork = undefined;
      try {
        await work();
      } finally {
        for (const send of waiting) if (!this.#isOver()) await send(true);
      }
    };
    this.#leading = this.run(withWaiting, this.#forFork !== undefined);
    this.#async(this.#leading);
  }

  /** Resolves when nothing leads to another session any more. */
  async arrived(): Promise<void> {
    await this.#leading?.catch(() => undefined);
  }
}
