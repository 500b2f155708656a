import type { CallRef } from "../../../core/call-ref.ts";
import type { Session } from "../../../session/session.ts";
import type { SessionServices } from "../../services/session-services.ts";
import type { ThemeChoice } from "../../terminal/theme.ts";
import type { Item, Mode, View } from "../view/view.ts";

/** A message of the person. `steer`: for the turn under way. `instead`: of the calls that the screen says to wait. `isCommand`: it names one of a file. */
export interface Message {
  text: string;
  /** It without what was pasted, where that differs: only there something of a server is named. */
  written?: string;
  steer: boolean;
  instead?: true;
  isCommand?: true;
}

/** The part of a message that the session gets. */
export type MessageText = Pick<Message, "text" | "written"> & { isCommand?: boolean };

export type LookUp = () => Promise<Message | undefined>;

/** The chat in the hands of whoever does something for it. */
export interface ChatHands {
  readonly services: SessionServices;
  session(): Session;
  view(): View;
  say(item: Item): void;
  /** Said about the last key, until the next one. */
  flash(text: string): void;
  /** Runs a command of the input, such as `sessions`. */
  command(name: string, argument: string): Promise<void>;
  /** After the commands that were typed before. @param leads whether it leads to another session, where it succeeds */
  inOrder(work: () => Promise<void>, leads?: boolean): Promise<void>;
  /**
   * Says this to the session, or to the one that a command before leads to.
   * @param lookUp what it is, known only later; undefined where it is no message. Those that are typed behind it are sent after it
   */
  submit(message: Message, lookUp?: LookUp): void;
  /** The undo of a rewind is under way, and a fork is to follow it: but for what its question is answered with, what is typed waits for that. False: none follows. */
  forkDue(isDue: boolean): void;
  /** Texts come back into the input. */
  takeBack(texts: readonly string[]): void;
  /** Comes into the input, to be written on; not where something is written there, which would be taken for the rest of it. */
  write(text: string): void;
  /** The screen shows this mode. */
  show(mode: Mode): void;
  /** An answer about this call did not count: its question says why. */
  refused(ref: CallRef, message: string): void;
  /** Lets the person's editor have the terminal, on a file of this name; undefined when it failed. */
  edit(text: string, name: string): Promise<string | undefined>;
  /** Colours the screen so from now on; undefined where lines are all there is. */
  paintIn?: (theme: ThemeChoice) => void;
}

/** The same for one surface. */
export interface Hands<State> extends ChatHands {
  /** The surface as it is now: keys may have changed it meanwhile. Undefined where it is not open any more. */
  state(): State | undefined;
  /** Changes it, where it is open still. */
  set(change: (state: State) => State): void;
}
