import type { Command } from "commander";
import { completion } from "../../words/en/completion.ts";

export interface OptionWords {
  /** `--cwd`, without dashes: "cwd". */
  name: string;
  flags: string[];
  takes: boolean;
  /** It bears on this command. */
  told: boolean;
  text: string;
}

/** The words that can be typed behind a command. The build keeps them as data, so that nobody loads the program to complete a word. */
export interface CommandWords {
  name: string;
  text: string;
  /** Names of the arguments; the last may come several times. */
  args: string[];
  several: boolean;
  options: OptionWords[];
  commands: CommandWords[];
}

export function commandWords(command: Command): CommandWords {
  const { registeredArguments: args } = command;
  const help = command.createHelp();
  const commands = help.visibleCommands(command).map(commandWords);
  const own = command.options.map(({ short, long, required, optional, hidden, description }) => ({
    name: (long ?? "").replace(/^--/, ""),
    flags: [long, short].filter((flag) => flag !== undefined && flag !== null),
    takes: required || optional,
    told: !hidden,
    text: description,
  }));
  return {
    name: command.name(),
    text: command.description(),
    args: args.map((argument) => argument.name()),
    several: args.at(-1)?.variadic === true,
    options: command.parent === null ? [...own, ...ofChat(commands)] : own,
    commands,
  };
}

/** Lists the options of a line that begins with a flag: it is a chat, or by -p and -r another command. */
const ofChat = (commands: readonly CommandWords[]): OptionWords[] => [
  ...(commands.find(({ name }) => name === "chat")?.options ?? []),
  { name: "print", flags: ["--print", "-p"], takes: false, told: true, text: completion().print },
  { name: "resume", flags: ["--resume", "-r"], takes: true, told: true, text: completion().resume },
];
