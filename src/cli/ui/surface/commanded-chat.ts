import type { Session } from "../../../session/session.ts";
import { chatCommands as words } from "../../../words/en/chat-commands.ts";
import type { SessionServices, TrustOffer } from "../../services/session-services.ts";
import type { ThemeChoice } from "../../terminal/theme.ts";
import type { CommandName } from "../../typed.ts";
import { redrawnEntries } from "../chat/chat-options.ts";
import { cleanLine } from "../safe-text.ts";
import type { Item, Mode, View } from "../view/view.ts";
import type { ChatHands } from "./hands.ts";
import type { Opening, Surface, SurfaceRequest, UnreadOpening } from "./surface.ts";

/** The person's choice of a theme, and whether the terminal shows any colours. */
export interface ScreenTheme {
  choice: ThemeChoice;
  hasColors: boolean;
}

/** The chat that a command was typed in, drawn or in plain lines, with all that the command may ask of it. */
export interface CommandedChat {
  /** Returns the session on the screen now, with its model, mode and view. */
  present(): { session: Session; model: string; mode: Mode; view: View };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly services: SessionServices;
  /** The offer that `/trust` showed last, and its workspace. */
  offered?: { workspace: string; offer: TrustOffer } | undefined;
  /** The state of each surface that commands typed behind it go by, as it was said in lines last. Of what is drawn it has nothing. */
  readonly printed: Map<object, unknown>;
  /** Returns the hands by which a surface would have acted for it. */
  hands(): ChatHands;
  /** All commands, in the order of /help. */
  readonly commands: readonly Command[];
  /** The text of `/help`: its keys are those of this chat. */
  help(): string;
  say(item: Item): void;
  /** To the terminal itself, such as what is to come into its clipboard. */
  tell(sequence: string): void;
  /** Shows a picture, small; false where this terminal shows none, or not this one. Undefined where lines are all there is. */
  picture?: (name: string, bytes: Uint8Array) => Promise<boolean>;
  /** Returns the theme of the screen; undefined where lines are all there is. */
  theme?: () => ScreenTheme;
  /** Opens a part of the screen, or says it in lines where these are all there is. */
  open(view: Opening): void;
  /** The same of one for which something is read where it is drawn, and nothing in lines. */
  openUnread(view: UnreadOpening): Promise<void>;
  /** The session has another model or mode now: the screen shows it. */
  show(change: { model?: string; mode?: Mode }): void;
  /** From here on this session is the one on the screen. The one before is closed by the command. */
  follow(session: Session): void;
  /** Resolves once code that is said has its colours, or will have none. */
  loadColors(): Promise<void>;
  leave(): void;
}

/** A command of the chat. Its other names stand in `typed.ts`, for those who only read them. */
export interface Command {
  name: CommandName;
  /** Returns its line of /help: the words that follow its name, empty where it takes none, and its effect. */
  help(): { argument: string; text: string };
  /** Its effect without its argument is mostly wanted: it shows something to choose from, or begins with a question. */
  opensAlone?: true;
  /** The key by which one comes to the same, some of them on an empty line alone. */
  key?: string;
  /** Tells whether it leads to another session where it succeeds: all that is typed behind it is meant for that one. */
  leads?(argument: string): boolean;
  /** It shows by itself that it was given: it begins a turn, or leaves. */
  showsItself?: true;
  run(argument: string, chat: CommandedChat): Promise<void>;
}

/** A surface with the command that opens it. */
export interface CommandedSurface<State, Effect extends SurfaceRequest> extends Surface<State, Effect> {
  readonly command: Command;
}

/** Tells whether what was typed leads to another session where it succeeds. */
export const leadsElsewhere = (
  commands: readonly Command[],
  { name, argument }: { name: string; argument: string },
): boolean => commands.find((one) => one.name === name)?.leads?.(argument) === true;

export const say = (chat: CommandedChat, text: string, level: "info" | "warn" | "error" = "info"): void =>
  chat.say({ kind: "notice", level, text });

/** Returns the surface as it was said in lines last; undefined where it never was. */
export const printedOf = <State, Effect extends SurfaceRequest>(
  chat: Pick<CommandedChat, "printed">,
  surface: Surface<State, Effect>,
): State | undefined => chat.printed.get(surface) as State | undefined;

/** To a stored session, where what was left goes on by itself. */
export async function goOverTo(id: string, chat: CommandedChat): Promise<void> {
  const { session } = await chat.services.sessions.open(id, { mostEntries: redrawnEntries, goesOn: true });
  return goOver(session, chat);
}

/** From one session to another, in the mode that is on the screen; where a plan waits there, in that of planning. */
export async function goOver(session: Session, chat: CommandedChat): Promise<void> {
  const { session: before, mode: shown } = chat.present();
  const mode = session.mode === "plan" ? session.mode : shown;
  const refused = chat.services.folder.refusesMode(mode, session.workspace);
  session.setMode(refused === undefined ? mode : "ask");
  chat.follow(session);
  if (refused !== undefined) {
    say(chat, cleanLine(refused), "warn");
    chat.show({ mode: "ask" });
  } else if (mode !== shown) chat.show({ mode });
  say(chat, words().wentOver({ session: session.id, before: before.id }));
  await before.close();
}
