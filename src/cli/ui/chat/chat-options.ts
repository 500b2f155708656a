import type { Session } from "../../../session/session.ts";
import type { SessionServices, Welcome } from "../../services/session-services.ts";
import type { StatusPart } from "../../settings/status-parts.ts";
import type { ThemeChoice } from "../../terminal/theme.ts";
import type { Tty } from "../../terminal/tty.ts";
import type { Notify } from "../status/attention.ts";
import type { Previews } from "../transcript/previews.ts";
import type { Mode } from "../view/view.ts";

/** A long conversation takes seconds to draw, and scrolls out of most terminals' memory. Messages and calls. */
export const redrawnEntries = 40;

export interface BegunMessage {
  text: string;
  /** The session's answer to it. */
  submitted: Promise<void>;
}

/** A chat at a terminal: where it is, how it looks, and with which session it begins. */
export interface ChatOptions {
  session: Session;
  services: SessionServices;
  tty: Tty;
  stdout: NodeJS.WriteStream;
  env: Readonly<Record<string, string | undefined>>;
  version: string;
  model: string;
  mode: Mode;
  /** Colours of the screen. Default: by the terminal's background. */
  theme?: ThemeChoice;
  /** File of the input history. */
  historyFile: string;
  firstPrompt?: string;
  /** The text in the input at first. */
  draft?: string;
  /** Small pictures in the transcript; undefined where none are shown. */
  previews?: Previews | undefined;
  /** A message that was typed before the screen was there and is on its way already. */
  begun?: BegunMessage;
  /** The means of calling the person back to a window without focus. Default: the bell. */
  notify?: Notify;
  /** The parts that the last row of the screen shows behind the mode. Default: all that have room. */
  statusLine?: readonly StatusPart[] | undefined;
  /** Beside the live part, where the terminal is wide enough; by default it is there. */
  sideColumn?: "auto" | "off" | undefined;
  /** The facts of its place that are shown, where nothing was said yet. */
  welcome?: Welcome;
  /** Said first of all, such as that the model is scripted. */
  announce?: string;
  /** Aborted when the process is told to end: the chat is left at once, the session stays saved. */
  leaving?: AbortSignal;
  /** Keeps what is known of a defect of the screen. @returns the file it was written to. */
  reportDefect?: (error: unknown) => string | undefined;
  /** Milliseconds of one clock. Default: the machine's. */
  now?: () => number;
}
