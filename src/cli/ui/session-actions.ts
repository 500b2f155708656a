import type { AnswerOutcome } from "../../graph/decisions.ts";
import type { Session } from "../../session/session.ts";
import { momentText } from "../print/figures.ts";
import { cleanLine, cleanText } from "./clean.ts";
import { helpText, modeCycle } from "./commands.ts";
import type { ChatOptions } from "./options.ts";
import type { Item, Mode } from "./view.ts";

/** What a command asks of the program around it, and what it says. */
export interface CommandResult {
  items: Item[];
  mode?: Mode;
  model?: string;
  /** The session to go on with from here. */
  session?: Session;
  leave?: boolean;
}

const say = (text: string, level: "info" | "warn" | "error" = "info"): CommandResult => ({
  items: [{ kind: "notice", level, text }],
});

/** An error in words that are safe to draw. */
export const errorText = (error: unknown): string => cleanText(error instanceof Error ? error.message : String(error));

interface Present {
  session: Session;
  model: string;
  mode: Mode;
}

/** Runs one slash command. Never throws: what went wrong is said in the transcript. */
export async function runCommand(
  name: string,
  argument: string,
  present: Present,
  options: ChatOptions,
): Promise<CommandResult> {
  try {
    return await command(name, argument, present, options);
  } catch (error) {
    return say(errorText(error), "error");
  }
}

async function command(name: string, argument: string, present: Present, options: ChatOptions): Promise<CommandResult> {
  switch (name) {
    case "help":
      return say(helpText());
    case "model":
      return model(argument, present);
    case "mode":
      return mode(argument, present);
    case "diff":
      return diff(present, options);
    case "undo":
      return undo(argument, present);
    case "new":
      if (options.newSession === undefined) return say("a new session cannot be started from here", "warn");
      return { items: [], session: await options.newSession(present.model) };
    case "sessions":
      return sessions(argument, present, options);
    default:
      return { items: [], leave: true };
  }
}

async function model(argument: string, { session, model: present }: Present): Promise<CommandResult> {
  if (argument === "") return say(`the model is ${present}; /model SPEC changes it, e.g. /model openai:NAME`);
  if (argument === "demo" && present !== "demo")
    return say("the demo works in a project of its own: agent chat --model demo", "warn");
  await session.setModel(argument);
  return { ...say(`the model is now ${cleanLine(argument)}`), model: cleanLine(argument) };
}

function mode(argument: string, { session, mode: present }: Present): CommandResult {
  if (argument === "") return say(`the mode is ${present}; /mode takes ${modeCycle.join(", ")}`);
  const wanted = modeCycle.find((one) => one === argument);
  if (wanted === undefined)
    return say(`no such mode here: ${cleanLine(argument)}; /mode takes ${modeCycle.join(", ")}`, "warn");
  session.setMode(wanted);
  return { ...say(`the mode is now ${wanted}`), mode: wanted };
}

async function diff({ session }: Present, options: ChatOptions): Promise<CommandResult> {
  if (options.sessionDiff === undefined) return say("the session's changes are not at hand", "warn");
  return { items: [{ kind: "diff", changes: await options.sessionDiff(session.id) }] };
}

/** The question itself comes as any other: in the dialog. */
async function undo(argument: string, { session }: Present): Promise<CommandResult> {
  const calls = argument.split(/[\s,]+/).filter((word) => word !== "");
  const begun = await session.undo(calls.length === 0 ? { turn: "last" } : { calls });
  return begun.ok ? { items: [] } : say(cleanLine(begun.message), "warn");
}

const listed = 20;

async function sessions(argument: string, present: Present, options: ChatOptions): Promise<CommandResult> {
  if (argument === "") {
    const rows = (await options.listSessions?.()) ?? [];
    if (rows.length === 0) return say("there are no sessions");
    const text = rows.slice(0, listed).map((row) => {
      const here = row.id === present.session.id ? "❯" : " ";
      return `${here} ${cleanLine(row.id)}  ${momentText(row.updatedAt)}  ${cleanLine(row.state)}  ${cleanLine(row.title)}`;
    });
    const more = rows.length > listed ? [`… and ${rows.length - listed} more: agent sessions`] : [];
    return say([...text, ...more, "/sessions ID goes over to one"].join("\n"));
  }
  if (argument === present.session.id) return say("this is that session");
  if (options.openSession === undefined) return say(`leave, then: agent resume ${cleanLine(argument)}`, "warn");
  return { items: [], session: await options.openSession(argument) };
}

/** Why an answer did not count, in one line; undefined when it did. */
export const refusalOf = (outcome: AnswerOutcome): string | undefined =>
  outcome.ok ? undefined : cleanLine(outcome.message);
