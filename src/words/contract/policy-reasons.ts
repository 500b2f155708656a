import type { RiskLevel } from "../../core/tool.ts";
import { type Clause, type Coded, type PlainCode, worded } from "../coded.ts";

/** The place of a rule or a setting; `line` from 1. */
interface InFile {
  file: string;
  line: number;
}

/** The use that is asked for, and for whom, where a helper of the session asks. */
interface Granted {
  tool: string;
  /** Its patterns, where it has any. */
  reach?: string;
  scope: "session" | "project" | "user";
  /** It holds for all helpers of the session, and that is said. */
  helpers: boolean;
}

const scopes: Readonly<Record<Granted["scope"], string>> = {
  session: "for this session",
  project: "for this project",
  user: "for all your projects",
};

const grant = ({ tool, reach, scope, helpers }: Granted): string =>
  `${tool}${reach === undefined ? "" : `(${reach})`} ${scopes[scope]}${helpers && scope === "session" ? " and all its helpers" : ""}`;

/** Words that can follow "because": why a name is protected. A row of a list names its own by its code. */
const protectedNames = {
  instructs_agents: "it instructs agents that work here",
  sets_up_agents: "it tells agents what to do and which programs to start",
  hook: "it is a hook, which runs by itself",
  run_by_ci: "it is run by continuous integration, or by a host when it opens the project",
  run_by_editor: "an editor or a debugger runs it when it opens the project",
  run_on_entering: "it runs, or chooses the programs, when a shell enters the folder",
  run_at_start: "a shell or an interpreter runs it whenever it starts",
  run_by_system: "the system runs it by itself, or in the place of a known program",
  git_data: "git's own data can hold hooks and settings that run commands",
  other_history: "a version control system's own data can hold hooks and settings that run commands",
  project_settings: "the project's policy, agents and tools are changed by people only",
  secrets_by_name: "files of this name hold secrets",
  opens_machines: "it is a key that opens other machines, or says which keys open this one",
  private_key: "it is a private key, or a store of keys",
  service_tokens: "it holds passwords or tokens for services",
  cloud_access: "it holds the access of a cloud's or a service's own program",
  credentials_by_name: "files of this name hold credentials",
  infrastructure_state: "the state and the variables of infrastructure hold its secrets in the clear",
  typed_secrets: "what was typed there holds passwords and tokens",
  person_keys: "it holds the passwords, keys or sessions of a person",
  run_on_install: "its scripts and packages run when the project is installed or built",
  run_as_code: "a build or a test runs it as code",
  run_by_python: "python runs it, or installs what it names, when the project is built or tested",
  run_by_builder: "it is run by the tool that builds the project",
  run_by_compiler: "the compiler's own tool runs it, or takes its settings from it",
  run_by_build: "the build of the project runs it",
  run_by_language: "the language's own tool runs it, or installs what it names",
  run_on_release: "it is run when the project is packed, started or deployed",
  others_code: "it is other people's code that the project runs, or says where that comes from",
  git_hooks: "git runs the hooks in it by itself",
  own_state: "this program's own state, settings and policy are kept there",
  holds_sealed: "it holds places that are sealed",
  key_head: "it begins as a private key does",
  led_from_home: ({ name, because }: { name: string; because: Clause }) =>
    `${name} of your home leads to it: ${because}`,
  git_folder: "it is git's own data, or would be taken for it, and that can run commands",
  named_by_git: "git's settings name it, and git runs or reads it by itself",
  named_by_your_git: "your git settings name it, and git runs or reads it by itself",
  named_as_instructions: "the settings name it as instructions for agents that work here",
};

/** The sources of a call's risk; words that can follow "because". */
const risks = {
  reads_file: "it only reads a file of the workspace",
  lists_names: "it only lists names in the workspace",
  searches_files: "it only searches files of the workspace",
  sends_query: "it sends its query to the search service of your settings, and nothing else",
  reads_page: "it reads a page, and all that its address says reaches that host",
  adds_memory: "it adds one line that is told in this project alone, and can be undone",
  judged_by_call: "what its helpers do is judged call by call, by the rules of this session",
  helper_only_reads: "its helper only reads, and is judged call by call by the rules of this session",
  reads_skill: "it only reads a skill that you keep, or that you trusted, and files beside it",
  keeps_plan: "it keeps the plan of its own session, and nothing else",
  shows_plan: "it shows you a plan, and keeps it with its session",
  keeps_text: "it keeps a text with its own session, and no file",
  reads_text: "it only reads a text that a session keeps",
  adds_version: "it adds a version of a text that its session keeps",
  writes_file: "it writes a whole file",
  changes_file: "it changes a file",
  changes_and_reaches: "a command can change files and reach the network",
  changes_files: "a command can change files",
  own_word: ({ risk }: { risk: RiskLevel }) => `the tool itself declares a ${risk} risk`,
  no_row: "the tool is not in the risk table and declares no risk",
  set_in_file: ({ file, line }: InFile) => `${file} line ${line} sets the risk of this tool`,
  taken_back_by_undo: ({ because }: { because: Clause }) => `${because}, which undo can bring back`,
  opens_connection: "it opens a connection to another machine",
  writes_proc:
    "it writes by way of /proc, which leads into other programs: their files, their memory, the kernel's switches",
  reads_proc: "it reads what the kernel tells of running programs, secrets among it",
  changes_outside: "it changes what lies outside the workspace",
  runs_input: "it runs whatever comes to it as its input",
  asks_host: ({ method }: { method: string }) =>
    `by ${method} it asks the host to do something, which nobody here can take back`,
  on_this_machine: ({ host }: { host: Clause }) =>
    `${host} is on this machine: what answers there may trust whoever can reach it`,
  in_private_network: ({ host }: { host: Clause }) =>
    `${host} is in a private network: what answers there may trust whoever can reach it`,
  of_risk: ({ risk, because }: { risk: RiskLevel; because: Clause }) =>
    risk === "high" ? `careful, high risk: ${because}` : `${risk} risk: ${because}`,
};

/** Places and hosts, as they stand in the sentences below. */
const places = {
  workspace_folder: "the workspace folder",
  led_place: ({ place, by }: { place: Clause; by: Clause }) => `${place}, which ${by} leads to,`,
  host_at: ({ host, addresses }: { host: string; addresses: readonly string[] }) => `${host} (${addresses.join(", ")})`,
};

/** The reasons that come of content that was read earlier, and of the places that it could go to. */
const carrying = {
  carried_by_network: ({ read }: { read: string }) =>
    `${read} was read in this session, and a command with the network could carry it anywhere: a person decides each time`,
  carried_unboxed: ({ read }: { read: string }) =>
    `${read} was read in this session, and without the sandbox nothing keeps a command from carrying it anywhere: a person decides each time`,
  carried_to_host: ({ read, host }: { read: string; host: string }) =>
    `${read} was read in this session, and what is sent to ${host} could carry it: a person decides for each new host`,
  strangers_text:
    "this session has read text of the web or of a server, and a memory outlasts it: a person sees to it that neither has written it",
};

// Keeps words 3.
/**
 * The reasons why policy allows, asks or denies, in the words that the journal and the lines of `--json` have, and that a model reads of a call
 * that was denied: English, and never another language.
 */
export const policyReasons = {
  ...protectedNames,
  ...risks,
  ...places,
  ...carrying,
  sealed: ({ place, because }: { place: Clause; because: Clause }) => `${place} is sealed: ${because}`,
  guarded: ({ place, because }: { place: Clause; because: Clause }) =>
    `${place} is guarded, a person decides each time: ${because}`,
  watched: ({ place, because }: { place: Clause; because: Clause }) => `${place} is watched: ${because}`,
  sealed_host: ({ host }: { host: Clause }) =>
    `${host} is sealed: it is link-local or a place where clouds keep a machine's credentials, and no call goes there`,
  own_keyring:
    "it asks the system's keyring for the agent's own secrets: a call is given one by its name (agent secrets)",
  keyring: "it speaks to a keyring, which gives out passwords: a person decides each time",
  read_only_mode: "the mode is read-only: nothing may be changed",
  plan_mode: "the mode is plan: nothing may be changed before a person has approved a plan",
  reads_unknown:
    "a file that it reads is not known before it runs, and without the sandbox it may be a guarded one: a person decides each time",
  reads_closed: ({ place }: { place: Clause }) =>
    `it reads ${place}, which a rule keeps from being read without asking: a person decides each time`,
  comes_upon: ({ place }: { place: Clause }) =>
    `it goes through folders in which ${place} lies, which is not read without asking, and there is no sandbox to keep it from that: a person decides each time`,
  tells_closed: ({ place }: { place: Clause }) =>
    `what comes of it tells what is in ${place}, which is not read without asking`,
  must_be_confirmed: "it must be confirmed each time",
  may_be_denied: ({ because }: { because: Clause }) => `it could turn out to be what is denied: ${because}`,
  changes_nothing: "it changes nothing: what it would write is there already",
  not_understood: "the command is not understood",
  not_known: ({ because }: { because: Clause }) => `it is not known what would run: ${because}`,
  gives_secrets: ({ names }: { names: readonly string[] }) =>
    `it is given ${names.length === 1 ? "your secret" : "your secrets"} ${names.join(", ")}: you are asked about each use`,
  auto_sandbox: "auto-sandbox is on: this session wrote it, and it runs where nothing else of the workspace is",
  kept_from_apart: ({ place, because }: { place: Clause; because: Clause }) =>
    `this session also wrote ${place}, so nothing that it wrote runs in the sandbox unasked: ${because}`,
  edits_accepted: ({ added }: { added: boolean }) =>
    `the mode accepts edits of files in the workspace${added ? " and in added folders" : ""}`,
  full_auto: "the mode is full-auto: only rules and guarded files ask",
  /** `own`: the rule's own reason, as the person wrote it, and in no other words. */
  by_rule: ({ reach, file, line, own }: InFile & { reach: string; own?: string }) =>
    `matches rule '${reach}' of ${file} line ${line}${own === undefined ? "" : `: ${own}`}`,
  by_grant: ({ granted, id }: { granted: Clause; id: string }) => `you allowed ${granted} (${id})`,
  grant,
  /** The reasons for a grant, as they are kept with it. */
  from_dialog: "added from the approval dialog",
  grant_made: "what this session and its helpers write may run in the sandbox, apart from the workspace",
  /** Of one command of a line. */
  of_command: ({ command, because }: { command: string; because: Clause }) => `${command}: ${because}`,
};

/** The reason why policy says what it says, as data; text where a tool or a person gave its own. */
export type Reason = Coded<typeof policyReasons> | string;

/** A reason that is said of anything in the same words. */
export type PlainReason = PlainCode<typeof policyReasons>;

export const reasonText = (reason: Reason): string => worded(policyReasons, reason);
