import { Command } from "commander";
import { program as words } from "../../words/en/program.ts";
import type { CommandHelp } from "../../words/help.ts";
import { saidAgain } from "../../words/said-again.ts";
import type { Composition } from "../composition.ts";
import type { Flags } from "../flags.ts";
import type { Io } from "../io.ts";
import { CliProblem } from "../problem.ts";
import { cleanText } from "../terminal/sanitise.ts";
import type { HelpLayout } from "./help-layout.ts";
import { type Bears, withFlags } from "./options.ts";

/** The action of a command with its composition; gives the exit code. */
export type Act = (composition: Composition) => Promise<number>;

export interface CommandSpec {
  /** With its arguments, as in `resume [id] [prompt]`. */
  usage: string;
  says: CommandHelp;
  bears: readonly Bears[];
}

export type Add = (parent: Command, spec: CommandSpec) => Command;
export type Run = (
  make: (args: string[], options: Record<string, unknown>) => Act,
) => (...given: unknown[]) => Promise<void>;

export const addCommand: Add = (parent, { usage, says, bears }) => {
  const { text, note, examples } = says;
  const command = withFlags(parent.command(usage).description(text), bears).exitOverride().allowExcessArguments();
  const path = pathOf(command);
  command.showHelpAfterError(`(${words().howUsed({ path })})`);
  command.addHelpText("after", `${note === undefined ? "" : `\n${note}\n`}${exampleText(examples)}`);
  return command;
};

/** An action that refuses words too many before anything is done. */
export const runBy =
  (perform: (flags: Flags, act: Act) => Promise<void>): Run =>
  (make) =>
  async (...given) => {
    const command = given.at(-1) as Command;
    refuseMore(command);
    const flags = command.optsWithGlobals() as Flags & Record<string, unknown>;
    return perform(flags, make(command.args, flags));
  };

function refuseMore(command: Command): void {
  const { args, registeredArguments, commands } = command;
  if (registeredArguments.at(-1)?.variadic === true) return;
  const [extra] = args.slice(registeredArguments.length);
  if (extra === undefined) return;
  const path = pathOf(command);
  const told = JSON.stringify(extra);
  if (commands.length > 0)
    throw new CliProblem("usage", words().noCommand({ told, path }), {
      hint: words().has({ names: namesOf(command) }),
    });
  const prompts = registeredArguments.at(-1)?.name() === "prompt";
  throw new CliProblem("usage", words().tooMany({ path, told }), {
    hint: prompts ? words().quotes({ path }) : words().howUsed({ path }),
  });
}

const namesOf = ({ commands }: Command): string[] => commands.map((command) => command.name());

/** "agent sessions show". */
export function pathOf(command: Command): string {
  const above = command.parent === null ? "" : `${pathOf(command.parent)} `;
  return `${above}${command.name()}`;
}

/** Each command line below what it does. */
export function exampleText(examples: readonly (readonly [string, string])[]): string {
  if (examples.length === 0) return "";
  return `\n${words().examples}\n${examples.map(([line, does]) => `  # ${does}\n  ${line}`).join("\n")}`;
}

/** Translates the placeholder of any options, or of a command of its own; a text that is typed stays as it is. */
const placeholder = (text: string): string => {
  if (text === "[options]") return words().anyOptions;
  return text === "[command]" ? words().anyCommand : text;
};

const titles = (): Readonly<Record<string, string>> => words().titles;

export function newProgram(io: Pick<Io, "stdout" | "stderr">, layout: HelpLayout): Command {
  return new Command("agent")
    .description(words().text)
    .usage("[options] [command]")
    .version("", "-V, --version", words().version)
    .helpOption("-h, --help", words().help)
    .configureHelp({
      optionDescription: ({ description }) => description,
      minWidthToWrap: 20,
      styleTitle: (title) => titles()[title] ?? title,
      styleOptionText: placeholder,
      styleArgumentText: placeholder,
      styleSubcommandText: placeholder,
      ...layout,
    })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(cleanText(text)),
      outputError: (text, write) => write(`${saidAgain(text.trimEnd())}\n`),
    })
    .showHelpAfterError(`(${words().showsCommands({ path: "agent" })})`);
}
