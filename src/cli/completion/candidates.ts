import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { sandboxChoices } from "../../core/sandbox-choice.ts";
import { statOrders } from "../../core/tool-stats.ts";
import { toolChoices } from "../../model/port.ts";
import { riskTable } from "../../policy/risk-table.ts";
import { modes } from "../../policy/types.ts";
import type { Names } from "../../store/open-names.ts";
import { completion } from "../../words/en/completion.ts";
import type { CursorWord } from "./cursor-word.ts";

export interface Candidate {
  value: string;
  text?: string;
}

/** The surroundings in which the words are typed. */
export interface Around {
  cwd: string;
  home: string | undefined;
  /** Returns the names that the store knows; undefined where there is none. Opened where it is asked only. */
  names(): Promise<Names | undefined>;
}

const plain = (values: readonly string[]): Candidate[] => values.map((value) => ({ value }));

/** Lists the words that it may become; those that do not begin with it are left out by the caller. */
export async function candidates(asked: CursorWord, around: Around): Promise<Candidate[]> {
  const command = asked.path.at(-1);
  if (command === undefined) return [];
  if ("flag" in asked.what)
    return command.options
      .filter(({ told, flags }) => told && flags[0] !== undefined)
      .map(({ flags, text }) => ({ value: flags[0] ?? "", text }));
  if ("option" in asked.what) return valuesOf(asked.what.option, asked, around);
  const subcommands = command.commands.map(({ name, text }) => ({ value: name, text }));
  if (subcommands.length > 0) return asked.operands.length === 0 ? subcommands : [];
  const { args, several } = command;
  const argument = args[asked.operands.length] ?? (several ? args.at(-1) : undefined);
  return argument === undefined ? [] : argumentValues(argument, asked, around);
}

const tools = (): Candidate[] => riskTable.map(({ tool, why }) => ({ value: tool, text: why }));

async function valuesOf(option: string, asked: CursorWord, around: Around): Promise<Candidate[]> {
  const fixed: Record<string, readonly string[]> = {
    mode: modes,
    "tool-choice": toolChoices,
    lang: ["en", "zh"],
    sandbox: sandboxChoices,
    turn: ["last"],
    by: statOrders,
  };
  const choices = fixed[option];
  if (choices !== undefined) return plain(choices);
  switch (option) {
    case "cwd":
    case "add-dir":
      return files(asked.current, around, true);
    case "output":
    case "output-schema":
      return files(asked.current, around);
    case "model":
      return models(asked.current, around);
    case "session":
    case "resume":
      return sessions(asked, around);
    case "allow":
    case "history":
    case "tool":
      return tools();
    default:
      return calls(option, asked, around);
  }
}

async function argumentValues(argument: string, asked: CursorWord, around: Around): Promise<Candidate[]> {
  const [, command] = asked.path;
  if (argument === "tool") return tools();
  if (argument === "shell") return plain(["bash", "zsh", "fish"]);
  if (argument === "command") return (asked.path[0]?.commands ?? []).map(({ name, text }) => ({ value: name, text }));
  if (argument === "calls") return calls("calls", asked, around);
  const ofSessions = argument === "id" && ["resume", "undo", "sessions"].includes(command?.name ?? "");
  return ofSessions ? sessions(asked, around) : [];
}

async function sessions(asked: CursorWord, around: Around): Promise<Candidate[]> {
  const workspace = resolve(around.cwd, asked.values["cwd"] ?? ".");
  const found = (await around.names())?.sessions(asked.current, workspace) ?? [];
  return found
    .map(({ id, title }) => ({ value: id, text: title }))
    .filter(({ value }) => !asked.operands.includes(value));
}

const waiting: Readonly<Record<string, readonly string[]>> = {
  approve: ["awaiting_approval"],
  deny: ["awaiting_approval"],
  edit: ["awaiting_approval"],
  retry: ["interrupted"],
  done: ["interrupted"],
  cancel: ["interrupted"],
  calls: ["success", "error", "cancelled"],
  at: ["success", "error", "cancelled"],
};

async function calls(option: string, asked: CursorWord, around: Around): Promise<Candidate[]> {
  const [session = asked.values["session"]] = asked.operands;
  const states = waiting[option];
  if (session === undefined || session === "" || states === undefined) return [];
  const found = ((await around.names())?.calls(session) ?? []).filter(({ status }) => states.includes(status));
  const all = ["approve", "deny", "retry", "cancel"].includes(option) && found.length > 0 ? plain(["all"]) : [];
  return [...found.map(({ id, tool }) => ({ value: id, text: tool })), ...all];
}

const script = "script:";

function models(current: string, around: Around): Candidate[] {
  if (!current.startsWith(script))
    return [
      { value: "demo", text: completion().demo },
      { value: "openai:", text: completion().openai },
      { value: script, text: completion().script },
    ];
  return files(current.slice(script.length), around).map(({ value }) => ({ value: `${script}${value}` }));
}

/** Entries of the folder that was typed so far. */
function files(current: string, { cwd, home }: Around, foldersOnly = false): Candidate[] {
  const slash = current.lastIndexOf("/") + 1;
  const [folder, name] = [current.slice(0, slash), current.slice(slash)];
  const place = folder.startsWith("~/") && home !== undefined ? join(home, folder.slice(2)) : resolve(cwd, folder);
  if (!existsSync(place)) return [];
  return readdirSync(place)
    .filter((entry) => entry.startsWith(name) && (name !== "" || !entry.startsWith(".")))
    .map((entry) => ({ value: `${folder}${entry}${isFolder(join(place, entry)) ? "/" : ""}` }))
    .filter(({ value }) => !foldersOnly || value.endsWith("/"));
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
