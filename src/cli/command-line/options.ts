import { type Command, Option } from "commander";
import { helpFlags as words } from "../../words/en/help-flags.ts";
import {
  collect,
  parseCost,
  parseLang,
  parseMode,
  parseModel,
  parseSandbox,
  parseSteps,
  parseToolChoice,
  parseToolFormat,
} from "../flags.ts";

/** Flags that bear on a command; it takes the others too, and does not speak of them. */
export type Bears =
  | "cwd"
  | "image"
  | "addDir"
  | "model"
  | "mode"
  | "maxSteps"
  | "json"
  | "session"
  | "grantsOf"
  | "continue"
  | "rules"
  | "utc";

/** The options that bear on a turn of the model. */
export const ofTurns = [
  "cwd",
  "addDir",
  "model",
  "image",
  "mode",
  "maxSteps",
  "json",
  "rules",
] as const satisfies Bears[];

const flags = (): [Bears, Option][] => [
  ["cwd", new Option("-C, --cwd <dir>", words().cwd)],
  ["addDir", new Option("--add-dir <dir>", words().addDir).argParser(collect).default([], "none")],
  ["model", new Option("-m, --model <spec>", words().model).argParser(parseModel)],
  ["image", new Option("-i, --image <file>", words().image).argParser(collect).default([], "none")],
  ["mode", new Option("--mode <mode>", words().mode).argParser(parseMode)],
  ["maxSteps", new Option("--max-steps <n>", words().maxSteps).argParser(parseSteps)],
  ["maxSteps", new Option("--max-cost <n>", words().maxCost).argParser(parseCost)],
  ["json", new Option("--json", words().json)],
  ["session", new Option("--session <id>", words().session)],
  ["continue", new Option("-c, --continue", words().continue)],
  ["rules", new Option("--allow <rule>", words().allow).argParser(collect).default([], "none")],
  ["maxSteps", new Option("--tool-choice <choice>", words().toolChoice).argParser(parseToolChoice)],
  ["maxSteps", new Option("--tool-format <format>", words().toolFormat).argParser(parseToolFormat)],
  ["maxSteps", new Option("--output-schema <file>", words().outputSchema)],
  ["maxSteps", new Option("--lang <lang>", words().lang).argParser(parseLang)],
  ["rules", new Option("--sandbox <choice>", words().sandbox).argParser(parseSandbox)],
  ["rules", new Option("--auto-sandbox", words().autoSandbox)],
  ["rules", new Option("--unmasked-secrets", words().unmaskedSecrets)],
  ["utc", new Option("--utc", words().utc)],
];

/** The flags that every command takes. */
export function withFlags(command: Command, bears: readonly Bears[]): Command {
  for (const [kind, option] of flags()) {
    const ofGrants = kind === "session" && bears.includes("grantsOf");
    if (ofGrants) option.description = words().grantsOf;
    command.addOption(option.hideHelp(!ofGrants && !bears.includes(kind)));
  }
  return command;
}
