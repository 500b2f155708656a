import type { Session } from "../../../session/session.ts";
import type { TypedLine } from "./line-reader.ts";

/** The chat whose lines are read. */
interface Place {
  session(): Session;
  /** The number of the question that was printed last. */
  question(): number;
  isAsked(): boolean;
  /** The person has left: nothing is begun any more. */
  isLeft(): boolean;
  line(line: TypedLine): void;
  notSent(texts: readonly string[]): void;
  prompt(): void;
  failed(error: unknown): void;
}

/** Lines in the order in which they were typed: each is read once it is known what it is for. */
export class LineOrder {
  readonly #chat: Place;
  /** The command under way: lines behind it are read when it is done, in the session that it leads to. */
  #commanded: Promise<void> | undefined;
  /** The last that may lead to another session. */
  #leading: Promise<void> | undefined;
  #behind: TypedLine[] = [];
  /** For what comes of an answer that is on its way. */
  #held: TypedLine[] = [];
  /** For the session that a rewind leads to once its undo has ended; undefined where none is due. */
  #forFork: TypedLine[] | undefined;
  /** That fork is being made. */
  #forks = false;

  constructor(chat: Place) {
    this.#chat = chat;
  }

  get isCommanded(): boolean {
    return this.#commanded !== undefined;
  }

  readonly read = (line: TypedLine): void => {
    if (this.#commanded !== undefined) this.#behind.push(line);
    else if (this.#forFork !== undefined && !this.#chat.isAsked()) this.#forFork.push(line);
    else this.#chat.line(line);
  };

  hold(line: TypedLine): void {
    this.#held.push(line);
  }

  /** It is known what came of the answer: lines from before answer nothing. */
  readHeld(): void {
    for (const { text } of this.#held.splice(0)) this.read({ text, begunAt: -1, isText: false });
  }

  /** All that wait, which wait no longer. */
  taken(): string[] {
    const lines = [...this.#held.splice(0), ...(this.#forFork?.splice(0) ?? []), ...this.#behind.splice(0)];
    return lines.map(({ text }) => text);
  }

  /** After the commands that were typed before. @param leads whether it leads to another session, where it succeeds */
  async run(work: () => Promise<void>, leads = false): Promise<void> {
    while (this.#commanded !== undefined) await this.#commanded.catch(() => undefined);
    if (this.#chat.isLeft()) return;
    const before = this.#chat.session();
    this.#commanded = work();
    if (leads) this.#leading = this.#commanded;
    await this.#commanded.catch(this.#chat.failed);
    this.#commanded = undefined;
    this.#goOn(before === this.#chat.session() && leads && this.#forFork === undefined);
  }

  /** The undo of a rewind is under way; false: no fork follows it, and what waited for that is not sent. */
  forkDue(isDue: boolean): void {
    const lines = this.#forFork ?? [];
    this.#forFork = isDue ? lines : undefined;
    if (!isDue) this.#chat.notSent(lines.map(({ text }) => text));
  }

  /** @param work makes the fork that is due, if one is */
  async fork(work: () => Promise<void>): Promise<void> {
    this.#leading = this.run(async () => {
      this.#forks = true;
      await work().finally(() => {
        this.#forks = false;
      });
    });
    await this.#leading;
    this.forkDue(false);
  }

  /** Another session is on the screen: the fork gets what waited for it, before what was typed while it was made; any other gets nothing of that. */
  wentOver(): void {
    if (this.#forks) this.#behind.unshift(...(this.#forFork?.splice(0) ?? []));
    this.forkDue(false);
  }

  /** Resolves when nothing leads to another session any more. */
  async arrived(): Promise<void> {
    await this.#leading?.catch(() => undefined);
  }

  /** With the lines behind a command. @param stayed they were meant for another session than this */
  #goOn(stayed: boolean): void {
    const lines = this.#behind.splice(0);
    if (stayed) this.#chat.notSent(lines.map(({ text }) => text));
    this.#chat.prompt();
    // One of them may be a command too.
    if (!stayed) for (const line of lines) this.#readBehind(line);
  }

  /** One from before the question of a rewind's undo answers nothing, and is meant for what comes after. */
  #readBehind(line: TypedLine): void {
    if (this.#forFork !== undefined && line.begunAt !== this.#chat.question()) this.#forFork.push(line);
    else this.read(line);
  }
}
