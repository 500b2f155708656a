import { constants } from "node:os";
import { countText } from "../../core/count-text.ts";
import { limits } from "../../core/limits.ts";
import type { ChildEnd } from "../../process/run-child.ts";
import type { GitOfLine } from "./reading/git-line.ts";

/** The sandbox had another folder in the place of one: its command was not begun. */
export const notItsFolder = (path: string): string =>
  `nothing was run: another folder got the name ${path} when the sandbox was made`;

/**
 * Says how a command ended, as half a sentence: "exit code 1", "ended by SIGKILL". A shell, and the sandbox, tell the end of what a signal ended by a
 * code, which a program may give too: "exit code 137, as after SIGKILL".
 */
export function endWords({
  code,
  signal,
  objection = "",
}: Pick<ChildEnd, "code" | "signal"> & Partial<Pick<ChildEnd, "objection">>): string {
  if (objection !== "") return notItsFolder(objection);
  if (signal !== null) return `ended by ${signal}`;
  const [name] = Object.entries(constants.signals).find(([, number]) => number + 128 === code) ?? [];
  return `exit code ${code ?? "unknown"}${name === undefined ? "" : `, as after ${name}`}`;
}

/** The same of a job, with its time limit, and with what it leaves behind. */
export function jobEndWords(end: ChildEnd): string {
  const how = end.how === "timeout" ? `stopped at its time limit, ${endWords(end)}` : endWords(end);
  const left = end.left === "running" ? ["a process that it had started could not be ended and still runs"] : [];
  return [how, ...left, ...outlivedWords(end).map((line) => line.slice(1, -1))].join("; ");
}

/** The same as data. */
export const endFacts = ({
  code,
  signal,
}: Pick<ChildEnd, "code" | "signal">): { exitCode: number } | { signal: string } =>
  signal === null ? { exitCode: code ?? -1 } : { signal };

/** The words of failed commands that the sandbox kept something from, each with a hint at what can be done. */
const hints: readonly { says: RegExp; hint: string; network?: false }[] = [
  {
    says: /could not read (?:username|password)|permission denied \(publickey|host key verification failed|authentication failed|\bENEEDAUTH\b|\bE401\b/iu,
    hint: "the sandbox hides keys and passwords of the home, such as ~/.ssh, ~/.netrc and ~/.npmrc: the person can show one by sandboxWrite in config.json",
  },
  {
    says: /could not resolve host|name resolution|network is unreachable|\bEAI_AGAIN\b|\bENOTFOUND\b/iu,
    hint: "the sandbox has no network unless the call says network: true",
    network: false,
  },
  {
    says: /read-only file system|\bEROFS\b/iu,
    hint: "the sandbox writes in the workspace alone: the person can add a place by sandboxWrite in config.json",
  },
];

/** For a command that failed in the sandbox: words that tell the way where its last words tell the cause. */
export function sandboxHint(text: string, network: boolean): string[] {
  const last = text.slice(-4_000);
  return hints.filter((row) => !(network && row.network === false) && row.says.test(last)).map(({ hint }) => hint);
}

/** The end of the output with what the person, too, is told of why it failed. */
export const withHints = ({ display }: { display?: string }, hints: readonly string[]): { display?: string } =>
  display === undefined && hints.length === 0 ? {} : { display: [display, ...hints].filter(Boolean).join("\n") };

/** A time as a person says it: "0.4 s", "12 s", "3 min 20 s". */
export function timeWords(ms: number): string {
  if (ms < 10_000) return `${Math.round(ms / 100) / 10} s`;
  const seconds = Math.round(ms / 1000);
  const rest = seconds % 60;
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min${rest === 0 ? "" : ` ${rest} s`}`;
}

/** The command in one line of at most `most` characters, for titles and lists. */
export function commandLine(command: string, most = 80): string {
  const [first = "", ...rest] = command.trim().split("\n");
  const cut = first.length > most ? first.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "") : first;
  return rest.length > 0 || cut !== first ? `${cut}…` : cut;
}

const mostShown = limits.commandShown.most;

/**
 * Output as the model gets it: whole, or its first third and its last two, whole lines where there are any, and between them what
 * was left out and how to read it.
 * @param whole where all of it can be read, e.g. "call:c12"; undefined where it is kept nowhere
 */
export function shownOutput(text: string, whole: string | undefined, most: number = mostShown): string {
  if (text.length <= most) return text;
  const head = headOf(text, Math.floor(most / 3));
  const tail = tailOf(text, most - head.length);
  const left = text.slice(head.length, text.length - tail.length);
  const lines = left.split("\n").length - 1;
  const how = whole === undefined ? "" : `; read_file {"file_path": "${whole}"} shows all of it`;
  return `${head}[${countText(lines)} lines (${countText(left.length)} characters) left out${how}]\n${tail}`;
}

/** Lines of output on a command's card, and characters of each. */
const shownLines = { most: 12, characters: 400 };

/** The end of the output, for the person: what failed stands there. Nothing where there was none. */
export function endOfOutput(text: string): { display?: string } {
  const lines = text.trimEnd().split("\n");
  if (lines.length === 1 && lines[0] === "") return {};
  const last = lines.slice(-shownLines.most).map((line) => line.slice(0, shownLines.characters));
  const before = lines.length - last.length;
  const head = before === 0 ? [] : [`… ${countText(before)} ${before === 1 ? "line" : "lines"} before`];
  return { display: [...head, ...last].join("\n") };
}

function headOf(text: string, most: number): string {
  const at = text.lastIndexOf("\n", most - 1);
  return at > most / 2 ? text.slice(0, at + 1) : `${text.slice(0, most).replace(/[\ud800-\udbff]$/, "")}\n`;
}

function tailOf(text: string, most: number): string {
  const from = text.length - most;
  const at = text.indexOf("\n", from - 1);
  return at >= 0 && at < from + most / 2 ? text.slice(at + 1) : text.slice(from).replace(/^[\udc00-\udfff]/, "");
}

/** With what follows on a line of its own. */
export const withLine = (text: string, line: string): string =>
  text === "" || text.endsWith("\n") ? `${text}${line}` : `${text}\n${line}`;

/** For the model: why what git told may be otherwise than a person would see it. */
export const gitWords = ({
  without,
  countsTouched,
  hidesNotes,
}: Pick<GitOfLine, "without" | "countsTouched" | "hidesNotes">): string[] => [
  ...(hidesNotes === true ? ["(notes of commits, git notes, are not shown)"] : []),
  ...(without.length === 0
    ? []
    : [
        `(git ran without what the repository's settings name: ${without.join(", ")}; files that these change or ignore may show as modified or untracked)`,
      ]),
  ...(countsTouched === true
    ? [
        "(git's index was not refreshed: a file whose time alone changed may count as changed; git diff --stat does not count it)",
      ]
    : []),
];

/** Without the bytes at its end that begin a character whose rest has not come yet. */
export function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte < 0xc0) continue;
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needs > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/** Processes that are told by their number. */
const mostTold = 5;

/** Tells of processes that the command started and that outlive the call: nobody ends them but those who know of them. */
export function outlivedWords({ outlived }: Pick<ChildEnd, "outlived">): string[] {
  if (outlived.length === 0) return [];
  const numbers = outlived.slice(0, mostTold).map(({ pid }) => pid);
  const more = outlived.length > mostTold ? ` and ${outlived.length - mostTold} more` : "";
  const what =
    outlived.length === 1
      ? "a process that it had started left it and still runs, beyond this call and this session"
      : `${outlived.length} processes that it had started left it and still run, beyond this call and this session`;
  return [`(${what}: PID ${numbers.join(", ")}${more}; kill ends ${outlived.length === 1 ? "it" : "them"})`];
}

/** The words that people read in the place of the tool's name and its parameters' names. */
export const shellDisplay = {
  en: {
    name: "Run command",
    params: {
      command: "Command",
      description: "For",
      cwd: "Folder",
      timeout_ms: "Time",
      network: "Network",
      workspace: "Workspace",
      background: "Background",
    },
  },
  zh: {
    name: "运行命令",
    params: {
      command: "命令",
      description: "用途",
      cwd: "目录",
      timeout_ms: "时限",
      network: "网络",
      workspace: "工作区",
      background: "后台",
    },
  },
} as const;
