import type { Change } from "../../../files/diff-text.ts";
import type { GrantOffer } from "../../../policy/types.ts";
import type { Pictures } from "../../../session/said.ts";
import type { Session } from "../../../session/session.ts";
import type { ThemeChoice } from "../../terminal/theme.ts";
import type { Tty } from "../../terminal/tty.ts";
import type { JobLine } from "../jobs/jobs-state.ts";
import type { SessionShelf } from "../picker/session-shelf.ts";
import type { RewindShelf } from "../rewind/rewind-shelf.ts";
import type { Notify } from "../status/attention.ts";
import type { Previews } from "../transcript/previews.ts";
import type { ToolLabels } from "../view/labels.ts";
import type { Mode } from "../view/view.ts";

/** A long conversation takes seconds to draw, and scrolls out of most terminals' memory. Messages and calls. */
export const redrawnEntries = 40;

export interface BegunMessage {
  text: string;
  /** What the session says of it. */
  submitted: Promise<void>;
}

/** A project's files that count only once the person trusts them, just as they are shown. */
export interface TrustOffer {
  /** The files themselves and what would come into force, or why nothing can be trusted; as it is, not yet safe to draw. */
  text: string;
  /**
   * Takes into force what `text` shows; false where the files are no longer what it shows: nothing was trusted then. Absent where
   * there is nothing that can be trusted.
   */
  take?: () => Promise<boolean>;
  /** Takes back the trust that `text` tells of. @returns what that means, in words. Absent where there is none. */
  revoke?: () => Promise<string>;
}

/** What is known of a session beside its talk, and what can be done with it; all texts as they are, not yet safe to draw. */
export interface SessionAbout {
  /** @returns what is said of it. @throws where nothing of the session is stored, or of the title nothing is left. */
  rename(id: string, title: string): Promise<string>;
  fork(id: string): Promise<{ id: string; text: string }>;
  /** To a new file; by default one with the session's name. @returns what is said of it. @throws where it is there already. */
  exportTo(id: string, file: string | undefined): Promise<string>;
  permissions(session: Session, mode: Mode): Promise<string>;
  /** Facts by their names. */
  status(session: Session): Promise<[string, string][]>;
  /** What each request has beside the talk. */
  context(session: Session): Promise<{ name: string; tokens: number; what: string }[]>;
  tools(session: Session): Promise<string>;
  /** The background jobs of a session, in the order of their calls. */
  jobs(session: Session): Promise<JobLine[]>;
  /** The models of the settings and of the servers, a line each; the servers are asked. @param inUse its spec */
  models(inUse: string): Promise<string[]>;
}

/** What the chat is given. Everything that reaches outside comes in here. */
export interface ChatOptions {
  session: Session;
  tty: Tty;
  stdout: NodeJS.WriteStream;
  env: Readonly<Record<string, string | undefined>>;
  version: string;
  model: string;
  workspace: string;
  mode: Mode;
  /** Why a mode cannot be had in a workspace, in words; undefined where it can. */
  refusesMode?: (mode: Mode, workspace: string) => string | undefined;
  /** Colours of the screen. Default: by the terminal's background. */
  theme?: ThemeChoice;
  /** File of the input history. */
  historyFile: string;
  firstPrompt?: string;
  /** What stands in the input at first. */
  draft?: string;
  /** Who finds the pictures that a message names; undefined where it names none. */
  picturesOf?: (text: string, workspace: string) => Pictures | undefined;
  /** Small pictures in the transcript; undefined where none are shown. */
  previews?: Previews | undefined;
  /** A message that was typed before the screen was there and is on its way already. */
  begun?: BegunMessage;
  /** Takes over another session. @throws when it is in use or unknown; the present one then goes on. */
  openSession?: (id: string) => Promise<Session>;
  /** Begins a session with this model. */
  newSession?: (model: string) => Promise<Session>;
  /** Whether anything of a session is stored: only then can it be gone on with. */
  isStored?: (id: string) => Promise<boolean>;
  /** The sessions of a workspace, and of all. */
  sessions?: (workspace: string) => Promise<SessionShelf>;
  /** Going on from earlier messages. */
  rewind?: RewindShelf;
  /** Paths that fit these letters, relative to the workspace, best first; folders end in `/`. */
  listFiles?: (letters: string) => Promise<string[]>;
  /** The branch that is checked out in a workspace, as it is; not yet safe to draw. */
  branchOf?: (workspace: string) => Promise<string | undefined>;
  /** How the person is called back to a window without focus. Default: by the bell. */
  notify?: Notify;
  /** What the person said in earlier sessions of this folder, newest first. */
  earlierMessages?: () => Promise<string[]>;
  /** Takes a saved memory back; false where it is not there any more. */
  forgetMemory?: (line: string) => Promise<boolean>;
  /** What the project of this workspace brings that waits for trust, as it is now. */
  trust?: (workspace: string) => Promise<TrustOffer>;
  /** What a grant would have decided over the recorded calls of a workspace, in words; undefined where it cannot be told. */
  grantHistory?: (workspace: string, offer: GrantOffer) => Promise<string | undefined>;
  about?: SessionAbout;
  /** All that a session changed, file by file. */
  sessionDiff?: (id: string) => Promise<Change[]>;
  /** The line with name and version is on the screen already. */
  bannerPainted?: boolean;
  /** Said first of all, such as that the model is scripted. */
  announce?: string;
  /** What people read in the place of the names of a workspace's tools, as far as those were opened. */
  labels?: (workspace: string) => ToolLabels;
  /** Aborted when the process is told to end: the chat is left at once, the session stays saved. */
  leaving?: AbortSignal;
  /** Keeps what is known of a defect of the screen. @returns the file it was written to. */
  reportDefect?: (error: unknown) => string | undefined;
  /** Milliseconds of one clock. Default: the machine's. */
  now?: () => number;
}
