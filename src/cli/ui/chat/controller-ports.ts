import type { StyledLine } from "../../terminal/span.ts";
import type { ThemeChoice } from "../../terminal/theme.ts";
import type { ScreenTheme } from "../surface/commanded-chat.ts";
import type { Banner } from "./banner.ts";
import type { ChatOptions } from "./chat-options.ts";

/** The parts of the program around it that the controller needs. */
export interface ControllerPorts {
  options: ChatOptions;
  history: readonly string[];
  banner: Banner;
  size(): { columns: number; rows: number };
  /** Writes finished rows above the live part, at once, and what draws a picture below them; false where the terminal is not ours now. */
  write(rows: StyledLine[], picture?: string): boolean;
  /** Another program or a full view has the terminal: nothing may be given to ink. */
  isLent(): boolean;
  /** Changed words stand in brackets: the terminal shows no colours. */
  brackets: boolean;
  /** Colours the screen so from now on. @returns the brackets of it */
  paintIn(theme: ThemeChoice): boolean;
  /** Returns the theme that the screen is coloured by. */
  theme(): ScreenTheme;
  /** Lets the person's editor have the terminal, on a file of this name; undefined when it failed. */
  edit(text: string, name: string): Promise<string | undefined>;
  /** Stops the program until the shell continues it. */
  suspend(): Promise<void>;
  remember(input: string): void;
  /** To the terminal itself, not to what is drawn. */
  tell(sequence: string): void;
  /** The window's title. */
  entitle(title: string): void;
  /** Calls the person back to a window that has no focus. */
  call(text: string): void;
  /** A line behind the last frame. @returns whether it could be written */
  lastWord(text: string): Promise<boolean>;
  /** The chat is over, with this exit code. */
  left(exitCode: number): void;
  /** A defect: nothing more can be drawn. */
  failed(error: unknown): void;
}
