import { palette as words } from "../../../words/en/palette.ts";
import { whenText } from "../../print/moments.ts";
import { cleanText } from "../../terminal/sanitise.ts";
import { aliasesOf } from "../../typed.ts";
import type { Entry } from "../palette/palette-state.ts";
import { paletteOpening } from "../palette/palette-surface.ts";
import { pickerOpening } from "../picker/picker-surface.ts";
import { numbered } from "../picker/session-shelf.ts";
import { leadsBack } from "../rewind/rewind-surface.ts";
import { cleanEffect, cleanLine, errorText } from "../safe-text.ts";
import type { Mode } from "../view/view.ts";
import { type Command, type CommandedChat, goOver, goOverTo, say } from "./commanded-chat.ts";
import { sessionCommands } from "./session-commands.ts";
import { suggestCommand } from "./suggest-command.ts";

/** One name that is offered; `text` says what it does. */
export interface Offer {
  name: string;
  text?: string;
}

/** How it goes, and what came of it, the session's events tell. */
const compactCommand: Command = {
  name: "compact",
  argument: "WHAT TO KEEP",
  text: "have the talk summed up, to make room; all of it stays saved",
  async run(argument, chat) {
    const made = await chat.present().session.compact(argument === "" ? undefined : argument);
    if (!made.ok && made.told !== true) say(chat, cleanLine(made.message), "warn");
  },
};

async function undoCompact(chat: CommandedChat): Promise<void> {
  // It is no turn: what was typed is not shown by one.
  chat.say({ kind: "command", text: "/undo compact" });
  const undone = await chat.present().session.undoCompaction();
  if (!undone.ok) return say(chat, cleanLine(undone.message), "warn");
  const { kind, before, after } = undone.compaction;
  const what = kind === "summary" ? "the talk before its summary" : "what earlier calls said";
  const more = (before - after).toLocaleString("en-US");
  say(chat, `the model reads ${what} again, about ${more} tokens more; where that does not fit, it is cut anew`);
}

const commands: readonly Command[] = [
  {
    name: "help",
    argument: "",
    text: "this list, and the keys",
    run: async (_, chat) => say(chat, chat.help()),
  },
  { name: "model", argument: "SPEC", text: "show or change the model", run: model },
  {
    name: "mode",
    argument: "MODE",
    text: "show or change the mode: ask, accept-edits, read-only, plan",
    run: mode,
  },
  { name: "diff", argument: "", text: "all that this session changed", run: diff },
  {
    name: "undo",
    argument: "CALL",
    text: "take back a call's changes, all of the last turn that has any, or what compact did",
    showsItself: true,
    run: undo,
  },
  {
    name: "run",
    argument: "COMMAND",
    text: "run a command line yourself, as ! does",
    showsItself: true,
    run: runOwn,
  },
  {
    name: "trust",
    argument: "yes",
    text: "show what the project brings, then trust it",
    run: trust,
  },
  suggestCommand,
  { name: "new", argument: "", text: "start a new session; this one stays saved", run: begin },
  {
    name: "sessions",
    argument: "ID",
    text: "choose a session to go over to",
    showsItself: true,
    run: sessions,
  },
  compactCommand,
  ...sessionCommands,
  {
    name: "palette",
    argument: "",
    text: "all that can be done here, in one list",
    showsItself: true,
    run: palette,
  },
  {
    name: "exit",
    argument: "",
    text: "leave; the session stays saved",
    showsItself: true,
    run: async (_, chat) => chat.leave(),
  },
];

/** Runs one command by its name. Never throws: what went wrong is said in the chat. */
export async function runCommand(name: string, argument: string, chat: CommandedChat): Promise<void> {
  try {
    const command = commands.find((one) => one.name === name);
    if (command?.showsItself !== true) chat.say({ kind: "command", text: cleanText(`/${name} ${argument}`.trim()) });
    await command?.run(argument, chat);
  } catch (error) {
    say(chat, errorText(error), "error");
  }
}

/** Where it succeeds, another session is on the screen: what is typed behind it is meant for that one. */
export const leadsElsewhere = ({ name, argument }: { name: string; argument: string }): boolean =>
  name === "new" ||
  name === "fork" ||
  (name === "sessions" && argument !== "") ||
  (name === "rewind" && leadsBack(argument.split(/\s+/)[1] ?? ""));

async function model(argument: string, chat: CommandedChat): Promise<void> {
  const { session, model: present } = chat.present();
  if (argument === "") return showModels(chat);
  if (argument === "demo" && present !== "demo")
    return say(chat, "the demo works in a project of its own: agent chat --model demo", "warn");
  await session.setModel(argument);
  say(chat, `the model is now ${cleanLine(argument)}`);
  chat.show({ model: cleanLine(argument) });
}

/** Which it is is said at once; the servers may take a while. */
async function showModels(chat: CommandedChat): Promise<void> {
  const { model: present } = chat.present();
  say(chat, `the model is ${present}; /model SPEC changes it, e.g. /model openai:NAME`);
  const { models, lines, unlisted } = await chat.services.about.models(present);
  const isChosen = models.length > 1 && chat.open !== undefined;
  const told = [...(isChosen ? [] : lines), ...unlisted].map(cleanLine);
  if (told.length > 0) say(chat, told.join("\n  "));
  const ofModel = ({ spec, text }: (typeof models)[number]): Entry => ({
    ...{ name: spec, text, does: { command: "model", argument: spec, leads: false } },
  });
  if (isChosen) chat.open?.(paletteOpening(models.map(ofModel)));
}

async function mode(argument: string, chat: CommandedChat): Promise<void> {
  const { session, mode: present } = chat.present();
  if (argument === "") return say(chat, `the mode is ${present}; /mode takes ${modeCycle.join(", ")}`);
  const wanted = modeCycle.find((one) => one === argument);
  if (wanted === undefined)
    return say(chat, `no such mode here: ${cleanLine(argument)}; /mode takes ${modeCycle.join(", ")}`, "warn");
  const refused = chat.services.folder.refusesMode(wanted, session.workspace);
  if (refused !== undefined) return say(chat, cleanLine(refused), "warn");
  session.setMode(wanted);
  say(chat, `the mode is now ${wanted}`);
  chat.show({ mode: wanted });
}

async function diff(_: string, chat: CommandedChat): Promise<void> {
  const changed = chat.services.about.diff(chat.present().session.id);
  const [changes] = await Promise.all([changed, chat.loadColors()]);
  if (changes.length === 0) return say(chat, "this session has changed nothing");
  chat.read("changed by this session", changes);
}

/** The question itself comes as any other, in the dialog: so it may be about the rest, where something stands against some of the calls. */
async function undo(argument: string, chat: CommandedChat): Promise<void> {
  if (argument === "compact") return undoCompact(chat);
  const calls = argument.split(/[\s,]+/).filter((word) => word !== "");
  const target = calls.length === 0 ? ({ turn: "last" } as const) : { calls };
  const begun = await chat.present().session.undo({ ...target, rest: true });
  if (!begun.ok) return say(chat, cleanLine(begun.message), "warn");
  for (const why of begun.left ?? []) say(chat, `${cleanLine(why)}: it is left out`, "warn");
}

async function runOwn(argument: string, chat: CommandedChat): Promise<void> {
  if (argument === "") return say(chat, "what is to be run? ! COMMAND runs it", "warn");
  const begun = await chat.present().session.runCommand(argument);
  if (!begun.ok) say(chat, cleanLine(begun.message), "warn");
}

/** In two steps: only what was shown can be trusted, and only as it was shown. */
async function trust(argument: string, chat: CommandedChat): Promise<void> {
  const { workspace } = chat.present().session;
  if (argument === "") return showTrust(workspace, chat);
  if (argument === "revoke") return revokeTrust(workspace, chat);
  if (argument !== "yes")
    return say(chat, "/trust shows the files, then /trust yes trusts them; /trust revoke takes that back", "warn");
  const take = chat.offered?.workspace === workspace ? chat.offered.offer.take : undefined;
  chat.offered = undefined;
  if (take === undefined) return say(chat, "nothing was shown to be trusted: /trust shows it", "warn");
  if (await take())
    return say(chat, "trusted, as these files are now: rules and ignore count at once, the rest in your next session");
  say(chat, "the files are no longer what you were shown: nothing was trusted. This is how they are now", "warn");
  return showTrust(workspace, chat);
}

async function revokeTrust(workspace: string, chat: CommandedChat): Promise<void> {
  chat.offered = undefined;
  const { revoke } = await chat.services.folder.trust(workspace);
  if (revoke === undefined) return say(chat, "it is not trusted: nothing changed", "warn");
  say(chat, `not trusted any more: ${await revoke()}`);
}

async function showTrust(workspace: string, chat: CommandedChat): Promise<void> {
  const offer = await chat.services.folder.trust(workspace);
  chat.offered = { workspace, offer };
  say(chat, cleanEffect(offer.text));
}

async function begin(_: string, chat: CommandedChat): Promise<void> {
  const { session, model, mode } = chat.present();
  const { workspace } = session;
  const refused = chat.services.folder.refusesMode(mode, workspace);
  const begun = { workspace, model, mode: refused === undefined ? mode : "ask" } as const;
  await goOver(await chat.services.sessions.begin(begun), chat);
}

async function sessions(argument: string, chat: CommandedChat): Promise<void> {
  const { id } = chat.present().session;
  if (argument === "") return showSessions(chat);
  const wanted = /^\d+$/.test(argument) ? chat.numbered?.[Number(argument) - 1] : argument;
  if (wanted === undefined) return say(chat, `there is no session ${argument} in the list: /sessions shows it`, "warn");
  if (wanted === id) return say(chat, "this is that session");
  await goOverTo(wanted, chat);
}

async function showSessions(chat: CommandedChat): Promise<void> {
  const { id: present, workspace } = chat.present().session;
  const listed = await (await chat.services.sessions.shelf(workspace)).list(false);
  if (listed.rows.length === 0) return say(chat, "there are no sessions");
  if (chat.open !== undefined) return chat.open(pickerOpening({ ...listed, all: false }));
  const { ids, text } = numbered(listed, { present, now: Date.now() });
  chat.numbered = ids;
  say(chat, `${text}\n/sessions NUMBER goes over to one`);
}

/** Commands, those of files too, modes and sessions. */
async function palette(_: string, chat: CommandedChat): Promise<void> {
  if (chat.open === undefined) return say(chat, chat.help());
  const { session, mode: present } = chat.present();
  const [ofFiles, sessions] = await Promise.all([
    chat.services.folder.commands(session.workspace),
    chat.services.sessions.shelf(session.workspace).then((shelf) => shelf.list(false)),
  ]);
  const ran = (command: string, argument = ""): Entry["does"] => ({
    ...{ command, argument, leads: leadsElsewhere({ name: command, argument }) },
  });
  const entries: Entry[] = [
    ...commands
      .filter(({ name }) => name !== "palette")
      .map(({ name, argument, text }) => {
        const isWhole = argument === "" || opensAlone.has(name);
        return { name: `/${name}`, text, does: isWhole ? ran(name) : { write: `/${name} ` } };
      }),
    ...modeCycle
      .filter((mode) => mode !== present)
      .map((mode) => ({ name: words().mode({ mode }), text: words().fromNowOn, does: ran("mode", mode) })),
    ...ofFiles.map(({ name, text }) => ({ name: `/${name}`, text, does: { write: `/${name} ` } })),
    ...sessions.rows
      .filter(({ id }) => id !== session.id)
      .map(({ id, title, updatedAt }) => ({
        ...{ name: title || words().untitled, text: words().session({ id, when: whenText(updatedAt, Date.now()) }) },
        does: ran("sessions", id),
      })),
  ];
  chat.open(paletteOpening(entries));
}

/** What these do without their argument is what is mostly wanted: they show something to choose from, or begin with a question. */
const opensAlone: ReadonlySet<string> = new Set(["model", "sessions", "jobs", "agents", "rewind", "undo"]);

/** Modes that Shift+Tab goes round. `full-auto` is given by flag only. */
export const modeCycle = ["ask", "accept-edits", "read-only", "plan"] as const satisfies readonly Mode[];

export const nextMode = (mode: Mode): Mode => {
  const at = (modeCycle as readonly Mode[]).indexOf(mode);
  return modeCycle[(at + 1) % modeCycle.length] ?? "ask";
};

export const unknownCommandText = (name: string): string => `there is no command /${name}; /help lists them`;

/**
 * Commands that fit what was typed after the slash: by their names, by other names they are known by, by what they do.
 * @param ofFiles beside the program's own
 */
export function completeCommand(typed: string, ofFiles: readonly Offer[] = []): Offer[] {
  const rank = ({ name, aliases, text }: { name: string; aliases: readonly string[]; text: string }): number =>
    name === typed
      ? 0
      : name.startsWith(typed)
        ? 1
        : aliases.some((alias) => alias.startsWith(typed))
          ? 2
          : typed.length > 1 && `${name} ${text}`.includes(typed)
            ? 3
            : 4;
  return [
    ...commands.map(({ name, text }) => ({ name, text, aliases: aliasesOf(name) })),
    ...ofFiles.map(({ name, text = "" }) => ({ name, text, aliases: [] })),
  ]
    .map((command) => ({ command, rank: rank(command) }))
    .filter((one) => one.rank < 4)
    .sort((a, b) => a.rank - b.rank)
    .map(({ command: { name, text } }) => ({ name, text }));
}

/** The keys of the input, and what each does. */
export const inputKeys: readonly [string, string][] = [
  ["enter", "send; while the agent works: tell it at its next step"],
  ["alt+enter", "while the agent works: send when this turn ends"],
  ["shift+enter, ctrl+j", "new line; a \\ at the end of the line too"],
  ["! COMMAND", "run it yourself; the model sees it with your next message"],
  ["/", "commands"],
  ["@", "a file's name"],
  ["up, down", "earlier messages; up first takes back what waits"],
  ["ctrl+r", "search earlier messages"],
  ["ctrl+g", "write the message in your editor"],
  ["tab", "write out the paste before the cursor"],
  ["shift+tab", "mode: ask, accept-edits, read-only, plan"],
  ["esc", "stop the turn; messages that wait come back"],
  ["esc esc", "on an empty line, at rest: go on from an earlier message"],
  ["ctrl+p", "all that can be done here, in one list: commands, modes, sessions"],
  ["ctrl+o", "the helpers at work, and their talks"],
  ["ctrl+t", "fold the row of the plan, or show it"],
  ["ctrl+x", "take back a memory that was just saved, when the draft is empty"],
  ["ctrl+c", "clear the draft, else stop the turn; twice leaves"],
  ["ctrl+d", "leave, when the draft is empty"],
];

/** Cells of the column of names, so wide that two blanks part it from the words. */
const columnCells = 23;

/** The commands, a line each. */
export function commandHelp(): string {
  const lines = commands.map((one) => {
    const typed = `/${one.name}${one.argument === "" ? "" : ` [${one.argument}]`}`;
    const others = aliasesOf(one.name).map((name) => `/${name}`);
    const also = others.length === 0 ? "" : ` (also ${others.join(", ")})`;
    return `  ${typed.padEnd(columnCells)} ${one.text}${also}`;
  });
  return ["commands", ...lines].join("\n");
}

/** The text of `/help`. */
export const helpText = (): string =>
  [commandHelp(), "", "keys", ...inputKeys.map(([key, text]) => `  ${key.padEnd(columnCells)} ${text}`)].join("\n");
