import type { PlannedCommand } from "../core/command.ts";
import type { HostFact } from "../core/host-fact.ts";
import type { Access, PathFact } from "../core/path-fact.ts";
import type { Bounds, Effect, RiskLevel } from "../core/tool.ts";
import type { Reason } from "../words/contract/policy-reasons.ts";

export type Decision = "allow" | "ask" | "deny";
/** `plan` has the rights of `read-only`: what it ends in is a plan for a person to approve. */
export type Mode = "ask" | "accept-edits" | "read-only" | "plan" | "full-auto";
export const modes = ["ask", "accept-edits", "read-only", "plan", "full-auto"] as const satisfies readonly Mode[];

/** The place that a verdict comes from. */
export interface RuleSource {
  source: "sealed" | "guarded" | "watched" | "mode" | "user" | "project" | "grant" | "confirm" | "table";
  file?: string;
  /** From 1. */
  line?: number;
  /** Of the grant that decided. */
  grant?: string;
}

export interface Verdict {
  decision: Decision;
  risk: RiskLevel;
  rule: RuleSource;
  /** In words, for the person and (a denial) for the model. */
  why: string;
  /** Asked for what was read before, and not for what the call itself would read. */
  exposes?: true;
  /** Of a command line: a verdict for each simple command in it. */
  parts?: PartVerdict[];
  /** Of a command line: whether it is known what all of it runs. */
  understood?: boolean;
}

/** A verdict before it is put into words. */
export interface Judged extends Omit<Verdict, "why" | "parts" | "understood"> {
  reason: Reason;
}

/** The facts that a session has come upon so far. */
export interface PastFacts {
  /** Guarded content that a person let the model read, as it was asked for; it is in what the model sees from then on. */
  guarded?: string;
  /** Hosts, as `host:port`, that the person let a call speak to since then. */
  agreed: string[];
  /** Text of the web was read: anybody may have written it. */
  web?: true;
}

/** The verdict of policy on one simple command of a line; `command` is its own source. */
export interface PartVerdict extends Pick<Verdict, "decision" | "risk" | "rule" | "why" | "exposes"> {
  command: string;
  argv?: (string | null)[];
  /** Absolute; absent where it may run in one of several folders, or any. */
  cwd?: string;
}

/** All that `decide` looks at of one call; plain data. Paths are absolute; `asked` and `real` are both judged, the stricter wins. */
export interface CallFacts extends Bounds {
  tool: string;
  effect: Effect;
  /** The risk that the tool itself declares. */
  risk?: RiskLevel;
  /** A person must be asked; words say why this very call, and not each of the tool. */
  confirm?: boolean | string;
  /** The part that the tool shows of the files that it reads; default content. */
  access?: Access;
  /** True if it keeps something that is told to later sessions; false: it keeps something with its own session alone. */
  outlasts?: boolean;
  /** Its files would stay as they are, and it may tell so: they may be read without asking. */
  changesNothing?: true;
  /** The tool is none of this program's, whatever its name: the risk table says nothing of it. */
  own?: true;
  paths: PathFact[];
  /** The simple commands of a line; their paths are judged with them, and not again among `paths`. */
  commands: PlannedCommand[];
  /** True if the changes of its commands in the workspace can be taken back. */
  covered?: boolean;
  /** Of a single command: those that start it, the nearest first. */
  startedBy?: PlannedCommand[];
  hosts: HostFact[];
  /** By which it speaks to hosts: the method of HTTP, where it is not GET. */
  method?: string;
  /** Names of the person's secrets that it would be given. */
  secrets?: string[];
  /** The past of the session, where that bears on the call. */
  past?: PastFacts;
  /** Of a command: whether it would run in the sandbox. */
  sandbox?: boolean;
  /** Of a command: whether it asks for the network. */
  network?: boolean;
  /** Files that its session made whole, where all that the line does is to run of them; absolute. */
  made?: string[];
  /** It would run where of the workspace nothing else is there. */
  apart?: true;
  /** Root of the repository that the workspace is a part of: what leads from there to it counts for what is protected. */
  project?: string;
  /** The folder that relative `asked` paths are relative to; default: the workspace. */
  cwd?: string;
}

export interface Rule {
  tool: string;
  paths?: string[];
  command?: string;
  /** With `command`, of an allow: words that it must not have. */
  notFlags?: string[];
  /** With `command`, of an allow: which files its redirections may mean; default none but /dev/null and open descriptors. */
  redirect?: "none" | "workspace";
  /** With `command`, of an allow: whether it holds for calls that run with the network; default not. */
  network?: boolean;
  /** With `command`, of an allow: it holds only for calls that run in the sandbox. */
  sandbox?: boolean;
  hosts?: string[];
  /** With `hosts`: it means requests by these methods and no others; an allow that says none means GET and HEAD. */
  methods?: string[];
  /** It means calls that are given secrets, of an allow none but these; of a deny or ask one of them. */
  secrets?: string[];
  /** It holds in sessions of this workspace alone: a real path. */
  workspace?: string;
  /** With `command`, of an allow: it holds in this folder alone, relative to the workspace, while no link leads its words elsewhere. */
  cwd?: string;
  /** With `command`, of an allow: false where it does not hold for a command that another one's output goes into. */
  piped?: boolean;
  /** With `command`, of an allow: as of a grant. */
  scripts?: GrantedScript[];
  decision: Decision;
  why: string;
  /** It means what lies in this folder alone, and its patterns are relative to it; else to each root. */
  root?: string;
  origin: { source: "user" | "project" | "grant"; file: string; line: number };
}

export type GrantScope = "session" | "project" | "user";

/** An allow that the person added from the dialog. */
export interface Grant {
  id: string;
  scope: GrantScope;
  /** The session's id or the workspace's real path; absent for the user. */
  key?: string;
  tool: string;
  paths?: string[];
  command?: string;
  /** With `command`: the files that say what it does, as they were when the person allowed it; the grant lapses when one changes, or there are others. */
  scripts?: GrantedScript[];
  hosts?: string[];
  /** Of a session, and nothing else beside it: what the session made whole may run apart from the workspace. */
  made?: true;
  /** Milliseconds since the epoch. */
  at: number;
  why: string;
}

/** A file by its bytes, or a folder by all that was in it. */
export interface GrantedScript {
  path: string;
  sha: string;
}

/** A grant that the dialog may offer; `text` is the literal rule in words, `where` the file it will be written to. */
export interface GrantOffer {
  scope: GrantScope;
  grant: Omit<Grant, "id" | "at">;
  text: string;
  where: string;
}

/** The locations that are sealed wherever they lie: absolute, symlinks resolved. */
export interface Sealed {
  /** State directory, user's config directory, caches, the install. */
  roots: string[];
  /** Folders of hooks that git's settings name. */
  hooks?: string[];
  /** Files among them that decide about calls; where they are not said, `config.json` and `policy.json` of each. */
  settings?: string[];
}

/** A place that is guarded whatever its name: a guarded name of the home leads to it, or git's settings of the user name it. */
export interface LinkedPlace {
  /** Absolute, links resolved; with all that lies below it. */
  real: string;
  why: Reason;
  /** For reading too. */
  isSecret: boolean;
}

/** A pattern of rules that was read and found well formed: one list of segments for each way through its braces. */
export interface Glob {
  /** Matched against the whole path; otherwise against the path below the workspace. */
  absolute: boolean;
  ways: Segment[][];
}

export type Segment = "**" | Token[];
/** `any` is `*`, `one` is `?`, a string is that code point. */
export type Token = { wild: "any" | "one" } | string;

/** Other names of places: what leads to them while they are judged. */
export interface Leads {
  /** `to`: folded, as `foldPath` gives it. `holdsRoot`: a root of the boundary lies there or below it. */
  links: readonly { path: string; to: string; holdsRoot?: true }[];
  /** Protected names of files that have others beside them, by `PathFact.file`. */
  files: ReadonlyMap<string, string>;
  /** Meanings of patterns and words of rules that deny or ask beside what they say, as links that they name lead now: by `ruleKey` and `wordKey`, absolute. */
  rules?: ReadonlyMap<string, readonly Glob[]>;
}

export interface Policy {
  /** Rules in force: the user's, and the project's deny and ask; its allow only when trusted. */
  rules: Rule[];
  /** The project's allow rules while the workspace is not trusted: listed, never applied. */
  inert?: Rule[];
  grants: Grant[];
  mode: Mode;
  /** True if commands of files that a session made whole itself may run apart from the workspace, without a question. */
  autoSandbox?: true;
  /** The person wants commands to run without a sandbox, in this run: the mode full-auto allows them all the same. */
  isSandboxOff?: true;
  sealed: Sealed;
  /** The person's own folder, real: what leads from there to a workspace that is in no repository counts for what is protected. */
  home?: string;
  linked?: readonly LinkedPlace[];
  /** The other names of places: a place is protected where a name that leads to it is. */
  leads?: Leads;
  /** The policy files' settings for the risk of tools, by name. */
  risks?: RiskSettings;
}

/** One tool's risk as a policy file sets it. */
export interface RiskSetting {
  risk: RiskLevel;
  file: string;
  /** From 1. */
  line: number;
}

/** The user sets a risk either way, a project only upwards. */
export interface RiskSettings {
  user?: Readonly<Record<string, RiskSetting>>;
  project?: Readonly<Record<string, RiskSetting>>;
}

/** Durable grants, seen by all sessions of this user. */
export interface GrantBook {
  /** Those in force for this session and workspace. */
  inForce(session: string, workspace: string): Promise<Grant[]>;
  all(): Promise<Grant[]>;
  /** @param isAgain it may have been added before: then not where it was revoked since it was given */
  add(grant: Grant, isAgain?: boolean): Promise<void>;
  /** @returns false when there is no such grant. */
  revoke(id: string): Promise<boolean>;
}

export type PolicyFileProblem = { file: string; line: number; message: string };

/** One line of `agent policy check`. */
export type PolicyCheckLine = ({ tool: string } & Verdict) | { error: string };
