import type { Highlight } from "../terminal/markdown-theme.ts";
import type { Frame } from "./live-frame.ts";
import type { ChatOptions } from "./options.ts";
import type { Item } from "./view.ts";

/** What there is to draw. */
export interface Snapshot {
  items: Item[];
  frame: Frame;
  highlight: Highlight | undefined;
}

/** What the controller needs of the program around it. */
export interface ControllerPorts {
  options: ChatOptions;
  history: readonly string[];
  banner: string[];
  size(): { columns: number; rows: number };
  /** Lets the person's editor have the terminal; undefined when there is no editor or it failed. */
  edit(json: string): Promise<string | undefined>;
  /** Stops the program until the shell continues it. */
  suspend(): Promise<void>;
  remember(input: string): void;
  /** The chat is over, with this exit code. */
  left(exitCode: number): void;
  /** A defect: nothing more can be drawn. */
  failed(error: unknown): void;
}
