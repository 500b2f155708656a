import type { JsonObject } from "../core/json.ts";
import type { KnownSecrets } from "../core/secrets/known-secrets.ts";
import type { PinnedRoots, Tool } from "../core/tool.ts";
import type { Check } from "../graph/talk/checks.ts";
import type { Prompt } from "../graph/talk/prompt/make-prompt.ts";
import type { LimitNames } from "../graph/tree-limits.ts";
import type { Model, ToolChoice } from "../model/port.ts";
import type { GrantBook, Mode, Policy } from "../policy/types.ts";
import type { Store } from "../store/types.ts";
import type { Hooks } from "../tools/hooks/hooks.ts";
import type { TreeKeeper } from "../tools/shell/tree/tree-keeper.ts";
import type { Session } from "./session.ts";

/** The tools of one session, and what they share. */
export interface SessionTools {
  readonly tools: readonly Tool[];
  /** Those of them that other sessions work with too: whoever opened them ends them. */
  readonly shared?: readonly Tool[];
  /** The tools as they are now, where they may become others: asked before each request. */
  current?(): Promise<readonly Tool[]>;
  /** The services that the tools find in their context, by name. */
  readonly services: Readonly<Record<string, unknown>>;
  /** Keeps what the session's commands may change; it is closed with the session. */
  readonly tree?: TreeKeeper;
  /** The notices that are to be told of them, at the first message. */
  readonly notices?: readonly { readonly code: string; readonly text: string }[];
  /** The URL of the page that a browser among them shows, by its own word; without it none of them is one. */
  readonly page?: () => string | undefined;
  /** Ends what was opened beside the tools; called once, after each tool's own `dispose`, after an error too. */
  close(): void | Promise<void>;
}

/** All that an agent is put together from; each part comes in by hand. */
export interface AgentParts {
  openStore(): Promise<Store>;
  /** Instances of this session's own, opened with it and ended with it. */
  openTools(session: { id: string; workspace: string; pins?: PinnedRoots }): Promise<SessionTools>;
  openModel(spec: string): Promise<Model>;
  /** Rules and grants in force for this session, now. */
  loadPolicy(at: { session: string; workspace: string; mode: Mode }): Promise<Policy>;
  /** The book in which grants are kept; `file` as the dialog names it. Without it none are offered. */
  grants?: { book: GrantBook; file: string };
  /** Its text, or what `gatherPrompt` makes; what is told of it becomes a notice at the first message. */
  systemPrompt(at: { workspace: string; tools: readonly Tool[]; addDirs: readonly string[] }): Promise<string | Prompt>;
  /** Folders that belong to the boundary of work in this workspace too: absolute, symlinks resolved. */
  addDirs?(workspace: string): Promise<readonly string[]>;
  clock(): number;
  /** The person's secrets, for all sessions; undefined where none is set. */
  secrets?(): Promise<KnownSecrets | undefined>;
  /** Tells whether a person reads the events and can answer the questions of a call while it runs (`form_requested`); nobody without it. */
  fillsForms?(): boolean;
  /** The URL of the page that a session's tools work on, now; undefined where none is open. */
  page?(at: { session: string }): string | undefined | Promise<string | undefined>;
  /** Steps a run may take, where it differs by workspace as a function of it. */
  maxSteps: number | ((workspace: string) => Promise<number>);
  /** The most that a turn may cost each time it is run, in the currency of the models' prices. */
  maxCost?: number | undefined;
  /** The names by which the person knows these two limits; default "maxSteps", "maxCost". */
  limitNames?: LimitNames;
  /** Characters of an observation that the model gets, false for all, by workspace; without it, or where it gives none, 30,000. */
  maxObserve?(workspace: string): Promise<number | false | undefined>;
  /** True if a talk that is too long for the model's window is cut by itself. Default true. */
  compact?: boolean;
  /** Commands that are to pass after a turn has changed files, by workspace; none without it. */
  checks?(workspace: string): Promise<readonly Check[]>;
  /** The person's programs that look at calls and at last words, for work in this workspace. */
  hooks?(workspace: string): Promise<Hooks | undefined>;
  /**
   * Finds the patterns of the files that searches leave out in this workspace beside those that git ignores. Without it folders are not asked what
   * they say of themselves.
   */
  folderIgnore?(workspace: string): Promise<readonly string[]>;
  /** The model names a session after its first turn, by a request of its own beside what the person does next. */
  titles?: boolean;
  toolChoice?: ToolChoice;
  /** Tools by which the model ends a turn are offered in every turn. */
  endTools?: boolean;
  /** JSON Schema that the last words of each turn begun from now on have to fit; `schemaProblem` has nothing against it. */
  outputSchema?: JsonObject;
  /** Milliseconds for a call whose tool says no time of its own. Default ten minutes. */
  toolTimeoutMs?: number | undefined;
  /** The id of the person for the tools; it is in no record. */
  uid?: string | undefined;
  /** Keeps what is known of a defect that ended a run, for whoever mends it. */
  reportDefect?(error: unknown): void;
  /** A session was closed; nothing more is done in it. */
  sessionClosed?(session: Session): void;
}
