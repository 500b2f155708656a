import type { CallRef } from "../../core/call-ref.ts";
import type { Change } from "../../files/diff/diff-text.ts";
import type { GrantOffer, Mode } from "../../policy/types.ts";
import type { HelperInfo } from "../../records/helpers.ts";
import type { History } from "../../records/history.ts";
import type { Rewind } from "../../records/undo/changes.ts";
import type { RewindPoint } from "../../records/undo/rewind.ts";
import type { ResumedSession, StartOptions } from "../../session/open-agent.ts";
import type { FindsBrought } from "../../session/sent-message.ts";
import type { Session } from "../../session/session.ts";
import type { PageLook } from "../../tools/mcp/browser/look-at-page.ts";
import type { ThemeChoice } from "../terminal/theme.ts";

/**
 * The services that whoever drives sessions, or shows them to a person, needs beside their events and operations. Made once from the
 * composition and bound to no session, folder or model: one process may have many of each. Texts are as they are, not yet safe to draw. A
 * failure throws.
 */
export interface SessionServices {
  readonly sessions: SessionDoor;
  readonly about: SessionAbout;
  readonly folder: FolderFacts;
  readonly rewind: RewindShelf;
}

/** The workspace in which a session is begun, with its model and mode. */
export type BegunIn = Pick<StartOptions, "workspace" | "model" | "mode">;

/** The manner in which a stored session is taken over. */
export interface Opening {
  /** The purpose for which the newest one is looked for, as in "to resume". */
  toDo?: string;
  /** Also from a process that drives it. */
  takeOver?: boolean;
  /** So many of its messages and calls are told again; all by default. */
  mostEntries?: number;
  /** True if all that was left in it goes on by itself; by default whoever opens it calls `proceed`. */
  goesOn?: boolean;
}

/** A stored session that this process drives now, and the model it goes on with. */
export interface OpenedSession {
  session: ResumedSession;
  model: string;
}

/** The one way to a session that is driven. */
export interface SessionDoor {
  /** Nothing of it is stored before its first message. @throws where the folder's settings, or the mode in it, cannot be had. */
  begin(at: BegunIn): Promise<Session>;
  /**
   * Takes over a stored one. @param id or the beginning of one; undefined: the newest of the folder that the program works in
   * @throws where it is in use or unknown, or its folder is gone.
   */
  open(id: string | undefined, how?: Opening): Promise<OpenedSession>;
  /** Tells whether anything of it is stored: only then can it be gone on with. */
  isStored(id: string): Promise<boolean>;
  /** Those of a workspace, and of all. */
  shelf(workspace: string): Promise<SessionShelf>;
}

/** The rules and grants that decide about the calls of a session without the person. */
export interface Permissions {
  /** The decision of the mode, and all else that holds for all calls. */
  heads: string[];
  /** Rules and grants in the order in which they are looked at; `grant`: what revokes it. */
  rows: { text: string; grant?: string }[];
}

/** The facts of a session beside its talk, and the operations on it. */
export interface SessionAbout {
  /** @returns what is said of it. @throws where nothing of the session is stored, or of the title nothing is left. */
  rename(id: string, title: string): Promise<string>;
  fork(id: string): Promise<{ id: string; text: string }>;
  /** To a new file; by default one with the session's name. @returns what is said of it. @throws where it is there already. */
  exportTo(id: string, file: string | undefined): Promise<string>;
  permissions(session: Session, mode: Mode): Promise<Permissions>;
  /** @returns false where there is no such grant any more. */
  revokeGrant(id: string): Promise<boolean>;
  /** The theme of the settings. */
  theme(): ThemeChoice;
  /** Writes it into the person's settings, where all else stays as it is. @returns their file. @throws where that is broken */
  keepTheme(theme: ThemeChoice): Promise<string>;
  /** Facts by their names. */
  status(session: Session): Promise<[string, string][]>;
  /** Lists the parts of each request beside the talk. */
  context(session: Session): Promise<{ name: string; tokens: number; what: string }[]>;
  tools(session: Session): Promise<string>;
  /** The background jobs of a session, in the order of their calls. */
  jobs(session: Session): Promise<JobLine[]>;
  /** The sessions that calls of it drive, in the order of their calls. */
  agents(session: Session): Promise<AgentLine[]>;
  /** Reads the messages and calls of a session, at most so many of the last where that is given; of one that is not stored none. */
  talk(id: string, most?: number): Promise<History>;
  /** All that it changed, file by file; none of one that is not stored. */
  diff(id: string): Promise<Change[]>;
  /** The models of the settings and of the servers; the servers are asked. @param inUse its spec */
  models(inUse: string): Promise<ModelList>;
  /** Returns the pages that browsers of the session show, and of its helpers: none where none runs. */
  page(session: string): Promise<PageLook>;
  /** To a new file, from the folder that the program was started in. @returns what is said of it. @throws where it is there already. */
  writePicture(file: string, bytes: Uint8Array): Promise<string>;
  /**
   * A rule for what the person answered alike in the workspace; undefined where there is none. @param session only one whose last answer
   * was given in it. @throws where the person's policy file is broken
   */
  ruleOffer(workspace: string, session?: string): Promise<RuleOffer | undefined>;
  /** Takes a saved memory back; false where it is not there any more. */
  forgetMemory(line: string): Promise<boolean>;
}

/** Something to be told beside a session's own events, once, behind the first of them. */
export interface Notice {
  code: string;
  text: string;
}

/** The facts of a workspace beside its sessions. */
export interface FolderFacts {
  /**
   * Lists the notices that are due before work begins in it. @param model that of the session
   * @param trusting the command by which the person reads what waits for their trust and trusts it, here; by default `agent trust`
   */
  notices(at: Pick<Session, "id" | "workspace">, model: string, trusting?: string): Promise<Notice[]>;
  /** Tells why a mode cannot be had in it, in words; undefined where it can. */
  refusesMode(mode: Mode, workspace: string): string | undefined;
  /**
   * Returns the finder of the pictures and resources that a message names; undefined where it names none.
   * @param message `written`: it without what was pasted, where that differs: only there a resource is named. `isCommand`: it begins with
   * the name of a file's command or a server's prompt, and stands for the text of that
   */
  picturesOf(
    message: { text: string; written?: string; isCommand?: boolean },
    at: Pick<Session, "id" | "workspace">,
  ): FindsBrought | undefined;
  /** Tells whether a file has the command, or a server of that name may have the prompt. */
  hasCommand(name: string, workspace: string): Promise<boolean>;
  /** Commands that files bring, as they are now, and prompts of servers that the person trusts; `waits`: for trust. */
  commands(workspace: string): Promise<{ name: string; text: string; waits?: true }[]>;
  /**
   * Paths that fit these letters, relative to the workspace, best first; folders end in `/`. Behind `server:` the resources that this
   * server lists, each as `server:address`.
   */
  files(at: Pick<Session, "id" | "workspace" | "mode">, letters: string): Promise<string[]>;
  /** The branch that is checked out. */
  branch(workspace: string): Promise<string | undefined>;
  /** Lists the person's messages in earlier sessions of it, newest first. */
  earlierMessages(workspace: string): Promise<string[]>;
  /** Returns the names that people read in the place of those of its tools, as far as those were opened. */
  labels(workspace: string): ToolLabels;
  /** Returns the project's files that wait for trust, as they are now. */
  trust(workspace: string): Promise<TrustOffer>;
  /** Tells how a grant would have decided over its recorded calls, in words; undefined where it cannot be told. */
  grantHistory(workspace: string, offer: GrantOffer): Promise<string | undefined>;
}

/** A project's files that count only once the person trusts them, just as they are shown. */
export interface TrustOffer {
  /** The files themselves and what would come into force, or why nothing can be trusted. */
  text: string;
  /**
   * Takes into force what `text` shows; false where the files are no longer what it shows: nothing was trusted then. Absent where
   * there is nothing that can be trusted.
   */
  take?: () => Promise<boolean>;
  /** Takes back the trust that `text` tells of. @returns what that means, in words. Absent where there is none. */
  revoke?: () => Promise<string>;
}

/** A rule that is written just as it is shown. */
export interface RuleOffer {
  /** Its meaning, in one line. */
  line: string;
  /** The number of times that the person answered so. */
  times: number;
  /** The decisions that it would have made, the place where it would hold, and the change of the file. */
  text: string;
  file: string;
  /** @throws where the file was changed since: it is left as it is. */
  write(): Promise<void>;
}

/** Earlier messages of stored sessions, and going on from them. */
export interface RewindShelf {
  /** The person's messages, newest first; none of a session that is not stored. */
  points(session: string): Promise<RewindPoint[]>;
  /** Looks at the outcome of an undo for the message, as the files are now. */
  look(session: string, point: RewindPoint): Promise<TakeBack>;
  /** Returns the point where the talk is to go on once the undo that bears this is done. */
  to(point: RewindPoint): Promise<Rewind>;
  /** Tells whether such an undo is under way, perhaps since an earlier process. */
  isUnderWay(session: string): Promise<boolean>;
  /**
   * Forks the talk before a message, or where an undo that was made for it is done and the fork is left to do. Done again it finds the
   * fork. @param turn of the message; absent: only what is left to do
   * @returns the message, and the new session, where anything was said before it; undefined where nothing is left to do.
   */
  finish(session: string, turn?: number): Promise<{ draft: string; id?: string } | undefined>;
}

/** Models to go over to; not yet safe to draw. */
export interface ModelList {
  /** All, the one in use too. */
  models: { spec: string; text: string }[];
  /** The first of them as lines of a table. */
  lines: string[];
  /** Servers that gave no list, and why. */
  unlisted: string[];
}

/** A session in a list, as it is stored; not yet safe to draw. */
export interface SessionLine {
  id: string;
  title: string;
  workspace: string;
  state: string;
  /** Milliseconds since the epoch. */
  updatedAt: number;
}

/** The facts of a session once it is looked at; not yet safe to draw. */
export interface SessionLook {
  /** Its state, in words. */
  words: string;
  /** It waits for the person. */
  waits: boolean;
  filesChanged: number;
}

/** Sessions as they are now. */
export interface Listed {
  /** Newest first. */
  rows: readonly SessionLine[];
  look: (id: string) => SessionLook;
}

/** The facts that a chat in which nothing was said yet shows of its place. */
export interface Welcome {
  branch?: string;
  /** The newest sessions of the folder, few enough for one digit each. */
  offered: readonly (SessionLine & { look: SessionLook })[];
}

/** The stored sessions, as a list needs them. */
export interface SessionShelf {
  /** @param all those of other folders too */
  list(all: boolean): Promise<Listed>;
  /** @returns the title as it was kept; undefined where nothing is left of it. */
  rename(id: string, title: string): Promise<string | undefined>;
  /** @returns what is to be said of it. @throws where it is in use. */
  remove(id: string): Promise<string[]>;
}

/** A background job of the session; its texts are not yet safe to draw. */
export interface JobLine {
  /** The call that started it. */
  ref: CallRef;
  command: string;
  runs: boolean;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** The last that is kept of what it said; where it runs no more its last line says how it ended. */
  said: string;
}

/** A helper of the session; its texts are not yet safe to draw. */
export interface AgentLine extends HelperInfo {
  /** Another one once its talk may have moved. */
  mark: string;
}

/** The outcome of an undo for a message, as the files are now; not yet safe to draw. */
export interface TakeBack {
  /** The calls that it takes back, oldest first. */
  calls: readonly string[];
  /** In words, one for each that it leaves as it is. */
  left: readonly string[];
}

/** The names that people read in the place of those of a tool and its parameters; safe to draw, and not to be taken for another's. */
export interface ToolLabel {
  readonly name?: string;
  readonly params: ReadonlyMap<string, string>;
  /** Display names that are not shown, each with why. */
  readonly left: readonly string[];
}

/** By the tool's own name. */
export type ToolLabels = ReadonlyMap<string, ToolLabel>;
