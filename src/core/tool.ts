import type { ZodType, z } from "zod";
import type { Artifacts } from "./artifacts.ts";
import type { ChildNote } from "./child.ts";
import type { ChildEnd, ChildSpec } from "./child-session.ts";
import type { PlannedCommand } from "./command.ts";
import type { Coverage } from "./coverage.ts";
import type { AsksPerson } from "./forms/asked-form.ts";
import type { Goals } from "./goals.ts";
import type { HostFact } from "./host-fact.ts";
import type { Json, JsonObject, Sha } from "./json.ts";
import type { KeptOutputs } from "./kept-outputs.ts";
import type { MadeFile } from "./made-file.ts";
import type { Access } from "./path-fact.ts";
import type { Progress } from "./progress.ts";
import type { SecretNames, SecretUse } from "./secrets/known-secrets.ts";
import type { Masking } from "./secrets/masking.ts";
import type { ToolDisplay } from "./tool-display.ts";

export type RiskLevel = "low" | "medium" | "high";

/**
 * The class of a call's effect, by whether it may happen again after a death in the middle:
 * `none` reads, may be run again · `file` settled by evidence (bytes on disk) · `store` our own data, exactly once ·
 * `child` re-entered · `once` at most once, its outcome may be unknown.
 */
export type Effect = "none" | "file" | "store" | "child" | "once";

export type LineEnding = "lf" | "crlf" | "cr" | "mixed" | "none";
export type TextEncoding = "utf-8" | "utf-16le" | "utf-16be" | "latin1";

/** One line of a hunk, without what ends it. */
export interface HunkLine {
  kind: " " | "-" | "+";
  text: string;
  /** Its ending, where a person must be told. `none`: the text ends with this line, without a line ending. */
  end?: "lf" | "crlf" | "none";
}

/** Lines that change, with a few that stay around them. Line numbers from 1, 0 for a side that has no line. */
export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  /** The line above them that begins the function, class or chapter in which they stand, where there is one. */
  section?: string;
  lines: HunkLine[];
}

/** A fact that the lines of a change do not say. */
export type DiffNote =
  | { kind: "bom"; now: boolean }
  | { kind: "eol"; from: LineEnding; to: LineEnding }
  /** Too little in common: the one hunk has all old lines, then all new ones. */
  | { kind: "rewritten" }
  /** Bytes of content that is no text, of which nothing is shown. */
  | { kind: "binary"; before?: number; after?: number };

/** A change of text as a person is shown it: whole, nothing in it is ever cut. The counts are those of the hunks' lines. */
export interface TextDiff {
  added: number;
  removed: number;
  hunks: Hunk[];
  notes?: DiffNote[];
}

/** One file that a call would change. `before`/`after` are hashes of the whole bytes; null where there is no file. */
export interface FilePlan extends TextDiff {
  /** As the model wrote it. */
  asked: string;
  /** Absolute, symlinks resolved. */
  real: string;
  kind: "new" | "modify" | "delete";
  before: Sha | null;
  after: Sha | null;
  /** Permission bits the file will have, e.g. 0o644. */
  mode: number;
  eol: LineEnding;
  bom: boolean;
  encoding: TextEncoding;
}

/**
 * The effects that a call would have, worked out by reading only. It holds the parts that policy judges (`files`, `reads`, `hosts`, `commands`,
 * `confirm`) and those that an approval is bound to (see core/digest.ts); the rest is for the person's eyes.
 */
export interface Plan {
  /** One line, e.g. "edit src/a.ts (+9 -3)". */
  summary: string;
  cwd: string;
  /**
   * Unified diff of what would change, for the person: made from the files' hunks, whole up to 1 MB of changed text. What
   * does not fit is counted in it, and the call is partial.
   */
  diff?: string;
  /** The command that would run, whole. */
  command?: string;
  /** The simple commands in it, as policy judges them: what `readCommandLine` makes of it (tools/shell/reading/read-command-line.ts). */
  commands?: PlannedCommand[];
  /** It is to run with the network. */
  network?: boolean;
  /** It is to run in the sandbox. */
  sandbox?: boolean;
  /** Files that this session made whole: of the workspace all that its line needs, which runs some of them. */
  made?: MadeFile[];
  /** It is to run where of the workspace only `made` is there; worked out by whoever judges it, not by the tool. */
  apart?: true;
  /** Hosts that it would speak to. */
  hosts?: HostFact[];
  /** The method of HTTP, where it is not GET. Any but HEAD asks them to do something: at most once. */
  method?: string;
  files?: FilePlan[];
  /** The person's secrets that it is to be given, by name. */
  secrets?: SecretUse[];
  /** This very call only reads, whatever its tool may do; worked out by whoever judges it, not by the tool. */
  effect?: "none";
  /** The reason that a person must be asked each time about this very call, whatever rules, grants and modes say. */
  confirm?: string;
  /** Artifacts that would be at another version by it; of our own data, for which its record is all that is to be done. */
  artifacts?: { address: string; before: Sha | null; after: Sha | null }[];
  /** Files and folders that it would only read. */
  reads?: { asked: string; real: string }[];
  /**
   * Scripts and programs that a command would run; without a hash where the path alone binds it. `text` is for the person: what it
   * would run, where that is text.
   */
  operands?: { path: string; sha?: Sha; text?: string }[];
  /** The PATH that it is to run with. */
  path?: string;
  /** Names of all variables that it may run with; what only reads, or runs apart, gets fewer. */
  environment?: string[];
  /** Hash of the tool's settings that it is to run with; worked out by the agent, not by the tool. */
  settings?: Sha;
  /** The page that it is to work on, by its place: without what stands behind `?` and `#`; worked out by the agent, not by the tool. */
  page?: string;
  /** True if its command's changes in the workspace could be taken back; worked out by whoever keeps it, not by the tool. */
  covered?: boolean;
  /** Said above the diff, e.g. "this session never read the file". */
  warnings?: string[];
}

/** Whole contents of one file; null where there is none. */
export interface FileBytes {
  before: Uint8Array | null;
  after: Uint8Array | null;
  /** For the model, once it is done: "replaced text at line 3". */
  done?: string;
}

/**
 * The contents that plans were made of. A plan sees the "after" of the calls before it in the same message and writes its own
 * into it; its `execute` finds there what it is to write, without working it out again.
 */
export interface Overlay {
  /** Bytes that the file will have, null where it will be gone, undefined where no call so far touches it. */
  read(real: string): Uint8Array | null | undefined;
  write(real: string, bytes: FileBytes): void;
  /** Tells whether a call so far writes this file, or one below this folder. */
  holds?(path: string): boolean;
}

/** The bytes of files that this session last saw (real path -> sha256 of the whole file). */
export interface SeenFiles {
  last(real: string): Sha | undefined;
  note(real: string, sha: Sha): void;
}

/** Places that are not read unasked: guarded, or under a rule that denies reading them or asks. */
export interface ClosedPlaces {
  /** Tells whether the place is one of them, or lies in one; by its real path. */
  isClosed(real: string): boolean;
  /** Tells whether names that are guarded are known to lie in such a folder beside others, as in `~/.config`. */
  mayHold(folder: string): boolean;
}

/** The boundary of all file access: a list of roots, absolute, symlinks resolved. */
export interface Bounds {
  /** The first of them: relative paths lead into it. */
  workspace: string;
  /** Folders that the person added; reached by absolute paths. */
  addDirs?: readonly string[];
}

/** A folder that is open; whoever opened it closes it. */
export interface OpenedFolder {
  readonly fd: number;
  close(): Promise<void>;
}

/** The roots of one session, each the one folder that it was when the session was opened, whatever has its name by now. */
export interface PinnedRoots {
  /** @throws FolderLost where one of them is gone or moved, or something else has its name. */
  check(): void;
  /** The path that leads to a place by the descriptor of its root; its own path where it lies in none, or descriptors have no paths. */
  at(real: string): string;
  /**
   * Opens a folder of a root name by name, so that no link is followed; undefined where it lies in none, or descriptors have no paths.
   * `flags` as of open(2), by default only to be gone through; `above`: its descriptor has a number from this one on. @throws errors of the
   * file system.
   */
  open(real: string, how?: { flags?: number; above?: number }): Promise<OpenedFolder | undefined>;
  /** The open roots, the workspace first; none where descriptors have no paths. */
  descriptors(): readonly { path: string; fd: number }[];
}

/** The boundary as a session has it. Without `pins` each root is whatever has its name. */
export interface Reach extends Bounds {
  pins?: PinnedRoots;
}

/** The workspace, then the folders that the person added. */
export const rootsOf = ({ workspace, addDirs = [] }: Bounds): readonly string[] => [workspace, ...addDirs];

export interface ToolContext extends Reach, AsksPerson {
  cwd: string;
  sessionId: string;
  callId: string;
  stepId: string;
  /** The person's identity to the tools, by their settings. */
  uid?: string;
  /** Tokens that the model reads at once, where it is known. */
  contextWindow?: number;
  signal: AbortSignal;
  /** The tool's own settings, frozen. */
  config: JsonObject;
  services: Record<string, unknown>;
  /** The text of the goal that was active when the model made the call, and its id. */
  goal?: string;
  goalId?: string;
  /** In a session: its goals as they are now. */
  goals?(): Goals;
  /** In a session: its artifacts as they are now, or those of another session of its tree; undefined where that is none of it. */
  artifacts?(session?: string): Artifacts | undefined;
  /** The page that is open, as whoever brings it says (`AgentOptions.page`). */
  pageUrl?: string;
  progress(progress: Progress): void;
  /**
   * In `execute` only: from now on, until `over` is settled, the call can go on in the background. Resolves when the person wants that; until
   * then it stays open. Undefined where nobody can want it.
   */
  mayGoAside?(over: Promise<unknown>): Promise<void>;
  /**
   * In `execute` of a tool of effect `child` only: has a session of its own work on a task, and resolves with what it came to. Which child it
   * is is told by the order of these calls in one run of `execute`, so that order is the same each time: where a child must ask the person,
   * this rejects, the run is given up, and `execute` is run anew once they have answered; then each child is found as far as it had come.
   * The children of a tool that begins several before it waits for any work side by side. What this rejects with is to be let through.
   * Behind the end of `execute` none can be asked for, and none begins that had to wait for a place; the call ends once the others have.
   * @param signal ends this child alone, and this resolves with what it came to; one that has not begun is not, and this rejects with the
   * signal's reason. All of them end with the call
   */
  runChild?(spec: ChildSpec, signal?: AbortSignal): Promise<ChildEnd>;
  /**
   * Of a tool of effect `child`: sessions of this very call have begun, with what they were given then, and it goes on with them, whatever would be
   * begun with the same arguments now.
   */
  goesOn?: true;
  /** In `execute` only: keeps a process that the call is about to start. Nothing of it may run before this resolves. */
  noteChild?(child: ChildNote): Promise<void>;
  /** In `plan` only. */
  overlay?: Overlay;
  /** In `plan` only: the plan of this very call that a person was last asked about, in whatever process. */
  shown?(): Plan | undefined;
  /** In `plan` only: the files that calls of this session made whole, by real path, with the hash of the bytes that they left. */
  made?(): ReadonlyMap<string, Sha>;
  /** In `execute` only: the plan that was approved; its facts are checked on the opened file. */
  plan?: Plan;
  /** In `execute` only: what the plan wrote into its overlay of this file; undefined where it wrote nothing. */
  planned?(real: string): FileBytes | undefined;
  seen?: SeenFiles;
  outputs?: KeptOutputs;
  /** Names of the person's secrets, with the hosts that each is bound to; undefined where none is set. */
  secrets?: SecretNames;
  /** In `execute` only: what a secret is now that the plan names. @throws ToolRefusal for any other, and one that cannot be read */
  secretOf?(name: string): string;
  /**
   * In `execute` only, where secrets are set: takes their values out of what was read, before a part of it is cut out. What the call returns,
   * tells and keeps is masked in any case.
   */
  masking?: Masking;
  /** In `plan` only: whether what a command changes in the workspace could be taken back; without it, it could not. */
  coverage?(signal: AbortSignal): Promise<Coverage>;
  /**
   * In `execute` only: whether policy lets this call read the place without asking; for a tool whose access is `content` as the call
   * itself and as read_file. What a call comes upon beside what it was judged for is neither opened nor told where this is false.
   * Keys are known by their names, or by the `head` of a file (its first 512 bytes) where the tool opened it already.
   */
  mayRead?(real: string, head?: Uint8Array): boolean;
  /** The places that a command of this call is not to come upon, beside those that it names and was judged for. */
  closed?: ClosedPlaces;
  /** Tells whether the name of a place may be told in passing, in a plan's refusal too: of a place that a rule closes it may not. */
  mayTell?(real: string): boolean;
  /** In `execute` only: whether policy lets this call speak to another host that it is sent on to, without asking. */
  mayReach?(host: HostFact): boolean;
  /** Returns the problem with a text as the last words of this turn, where they are to be JSON by a schema; undefined where there is none. */
  outputProblem?(text: string): string | undefined;
}

/**
 * A picture. A tool gives it by the path of a file or by its bytes in base64; before it is kept it is decoded and made to a size and kind
 * that servers take. A journal names it by the hash of these bytes, which the session keeps.
 */
export interface ImageRef {
  name: string;
  mediaType: string;
  /** Of what a tool gives: path of a file, or base64. */
  path?: string;
  data?: string;
  /** Of what is kept: the hash of its bytes, how many they are, and its pixels. */
  sha?: Sha;
  bytes?: number;
  width?: number;
  height?: number;
}

/** A picture as a tool or a message gives it: of what kind it is, its bytes tell. */
export type GivenImage = Omit<ImageRef, "mediaType"> & Partial<Pick<ImageRef, "mediaType">>;

/** `output`, `longTermMemory`, `error` are for the model; `title`, `display`, `metadata` for the person. */
export interface ToolResult {
  output: string;
  title?: string;
  display?: string;
  error?: string;
  /** `code` is a stable ErrorCode where `error` is set. */
  metadata?: JsonObject;
  longTermMemory?: string;
  outputOnce?: boolean;
  /** Files that come with it, by their paths: for the person, and named to the model. */
  attachments?: string[];
  /** For a model that sees; to others they are described. */
  images?: GivenImage[];
}

/**
 * The values that a tool may return. An object is a ToolResult, so that a mistyped key does not compile; other data is sent to the model as JSON, and
 * an object of data by `JSON.stringify`.
 */
export type ToolOutput = ToolResult | string | number | boolean | null | Json[] | undefined;

type MaybePromise<T> = T | Promise<T>;

/** Arguments described by JSON Schema (draft 7) instead of a zod schema. */
export interface JsonSchemaArgs<Args> {
  readonly jsonSchema: JsonObject;
  /**
   * Gives what the tool's methods take. It throws what the model is to mend, in words. Without it they take what was given, checked
   * against the schema.
   */
  parse?(given: JsonObject, ctx: ToolContext): MaybePromise<Args>;
}

export type ToolArgs<Args> = ZodType<Args> | JsonSchemaArgs<Args>;

/** The one contract of a tool, whether an object made by `defineTool` or a class that implements it. */
export interface Tool<Args = unknown> {
  /** verb_noun, what the model calls. */
  readonly name: string;
  readonly description: string | ((ctx: ToolContext) => MaybePromise<string>);
  readonly args: ToolArgs<Args> | ((ctx: ToolContext) => MaybePromise<ToolArgs<Args>>);
  /** Default medium; the policy table may say otherwise. */
  readonly risk?: RiskLevel;
  /** Default once. */
  readonly effect?: Effect;
  /** The part of the files in its plan's `reads` that it tells of; default content. */
  readonly access?: Access;
  /**
   * True if the things that it keeps are told to sessions after this one. False: it keeps something with this session and nowhere else, which a mode
   * that lets nothing be changed lets a tool of the program's own do.
   */
  readonly outlasts?: boolean;
  /** Beyond the schema: a message the model can act on, or undefined. What it gives else is a defect, and the call does not run. */
  validate?(args: Args, ctx: ToolContext): MaybePromise<string | undefined>;
  /**
   * Reads only; what policy judges, a person is shown and the digest covers. Throws ToolRefusal for what the model can mend.
   * A call of a tool without a plan is judged by the tool's name and risk alone.
   */
  plan?(args: Args, ctx: ToolContext): Promise<Plan>;
  /**
   * `execute` checks every file of `ctx.plan` on the opened file and stops with `drifted` where one is not as planned: then the
   * plan that was shown is applied as it is, and not made anew just before.
   */
  readonly checksPlan?: boolean;
  /**
   * The things that its calls need and that take a while to come up (a server): of calls in a row, all of them come up side by side. `start` does
   * nothing of a call, and never rejects: the call itself tells what kept it from coming up.
   */
  readonly needs?: { isUp(): boolean; start(ctx: ToolContext): Promise<void> };
  /** Does it. Returns `error` with `metadata.code` for what the model can mend; may throw ToolRefusal or EffectStopped. */
  execute(args: Args, ctx: ToolContext): MaybePromise<ToolOutput>;
  /** At the end of what it was made for, the session or one call, after an error too. */
  dispose?(): MaybePromise<void>;
  /** A call of it is over, however it ended: what was kept for this one may go. */
  release?(callId: string): MaybePromise<void>;
  /** The names by which models call it that know it from elsewhere: whoever calls one of them is told its name. */
  readonly otherNames?: readonly string[];
  /** Among which others `agent tools` shows it. */
  readonly category?: string;
  /** The names that people read in the place of its name and its parameters' names, by language. */
  readonly display?: { en?: ToolDisplay; zh?: ToolDisplay };
  /**
   * Parameters that the model is not told of and may not give: filled in from `inject`, else from the context's field of their name
   * (uid, sessionId, workspace, cwd, goal, pageUrl), else by the schema's default. Their values are in no record and no digest.
   */
  readonly hidden?: readonly string[];
  /**
   * Arguments in which `<secret>NAME</secret>` is one of the person's secrets: its value is put in when the call runs, in the texts of lists
   * and objects too, once that was judged and asked. In any other argument a tag is text like any.
   */
  readonly secrets?: readonly string[];
  /** The value of a parameter that the model does not give: a value, or one that a function makes of the context and the arguments given. */
  readonly inject?: Record<string, Json | ((ctx: ToolContext, args: JsonObject) => MaybePromise<Json | undefined>)>;
  /** Arguments the person may edit: absent = all, [] = none. */
  readonly editable?: readonly string[];
  /** Absolute: the one workspace it works in; a use in another is a TypeError. Any, where it is left out. */
  readonly workspace?: string;
  /** Always ask before running. */
  readonly confirm?: boolean;
  /**
   * Pages it is for: `*.github.com` (github.com too), `www.google.*`, `https://docs.example.com/**`; where none of them is open it is not offered,
   * and a call of it is UNKNOWN_TOOL. Any, where it is left out.
   */
  readonly urlPatterns?: readonly string[];
  /** It does something on the page that is open: an approval is bound to that page, by its place. */
  readonly onPage?: boolean;
  /**
   * True if the model is sent its name alone, and finds the rest by `search_tools`, where the definitions of all such tools would take more than a
   * tenth of the model's window. For many tools that are rarely needed.
   */
  readonly searchable?: boolean;
  readonly timeoutMs?: number;
  /** Characters of an observation that the model gets; false: all of them. What the settings say of all tools is the most. */
  readonly maxObserve?: number | false;
  /**
   * The arguments as far as the model has written them, read and not checked: only to show something by `ctx.progress`. Text that is
   * still open is there as far as it goes, all else once it is whole. Called again as more comes, one time after another and not for
   * each piece, and at last with all of it; the call may still come to nothing. Where it throws or takes long it is not called again
   * for this call.
   */
  onPartial?(partial: JsonObject, ctx: ToolContext): MaybePromise<void>;
  /**
   * Its caller; default the model. A tool for the person is not offered to the model and unknown to it: the person's own
   * command makes the call, which goes the way of any other, and the turn ends with it whatever comes of it.
   */
  readonly audience?: "model" | "person";
  /** The turn ends after a success of this tool. */
  readonly endsTurn?: boolean | ((result: ToolResult) => boolean);
}

/** Returns the effect that the tool declares, or `once`: the most careful class. */
export const effectOf = (tool: Pick<Tool, "effect">): Effect => tool.effect ?? "once";

/** Arguments without those that the model is not told of, whatever it wrote in their place. */
export const withoutHidden = ({ hidden = [] }: Pick<Tool, "hidden">, given: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !hidden.includes(name)));

type SpecOf<Args, Given, Output> = Omit<Tool<Args>, "args" | "execute"> & {
  readonly args: Given | ((ctx: ToolContext) => MaybePromise<Given>);
  execute(args: Args, ctx: ToolContext): MaybePromise<Output>;
} & NoOtherKeys<Output>;

/** Keys that a result has not: TypeScript lets them pass where a function returns an object. */
export type OtherKeys<Output> = Output extends ToolResult ? Exclude<keyof Output, keyof ToolResult> : never;

type NoOtherKeys<Output> = [OtherKeys<Output>] extends [never]
  ? unknown
  : { execute(...given: never): MaybePromise<{ [Key in OtherKeys<Output>]: "ToolResult has no such key" }> };

/** Types a tool's methods from its schema, or from what its `parse` gives; adds nothing at run time. */
export function defineTool<Schema extends ZodType, Output extends ToolOutput>(
  spec: SpecOf<z.infer<Schema>, Schema, Output>,
): Tool;
export function defineTool<Args = JsonObject, Output extends ToolOutput = ToolOutput>(
  spec: SpecOf<Args, JsonSchemaArgs<Args>, Output>,
): Tool;
export function defineTool(spec: unknown): Tool {
  return spec as Tool;
}
