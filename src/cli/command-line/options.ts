import { type Command, Option } from "commander";
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

/** What bears on a turn of the model. */
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
  ["cwd", new Option("-C, --cwd <dir>", "work in this folder")],
  [
    "addDir",
    new Option("--add-dir <dir>", "let file tools work in this folder too, by absolute paths")
      .argParser(collect)
      .default([], "none"),
  ],
  ["model", new Option("-m, --model <spec>", "SERVER:NAME, demo, or script:FILE").argParser(parseModel)],
  [
    "image",
    new Option("-i, --image <file>", "a picture that comes with the message: PNG, JPEG, WebP or GIF")
      .argParser(collect)
      .default([], "none"),
  ],
  ["mode", new Option("--mode <mode>", "ask, accept-edits, read-only, plan or full-auto").argParser(parseMode)],
  ["maxSteps", new Option("--max-steps <n>", "steps a turn may take").argParser(parseSteps)],
  ["maxSteps", new Option("--max-cost <n>", "what a turn may cost, by the prices in config.json").argParser(parseCost)],
  ["json", new Option("--json", "one JSON object a line on stdout")],
  ["session", new Option("--session <id>", "continue this session")],
  ["continue", new Option("-c, --continue", "continue the newest session of this folder")],
  [
    "rules",
    new Option("--allow <rule>", "allow for this run: tool, or tool(path pattern)")
      .argParser(collect)
      .default([], "none"),
  ],
  ["maxSteps", new Option("--tool-choice <choice>", "auto, none or required").argParser(parseToolChoice)],
  [
    "maxSteps",
    new Option("--tool-format <format>", "native or xml: how the model calls tools").argParser(parseToolFormat),
  ],
  ["maxSteps", new Option("--output-schema <file>", "the answer is JSON that fits the JSON Schema of this file")],
  ["maxSteps", new Option("--lang <lang>", "en or zh").argParser(parseLang)],
  ["rules", new Option("--sandbox <choice>", "auto, required or off: where commands run").argParser(parseSandbox)],
  [
    "rules",
    new Option("--auto-sandbox", "what a session wrote may run in the sandbox, apart from the workspace, unasked"),
  ],
  ["rules", new Option("--unmasked-secrets", "go on where a secret cannot be read, and so not masked")],
  ["utc", new Option("--utc", "times in UTC (default: by the local clock)")],
];

/** The flags that every command takes. */
export function withFlags(command: Command, bears: readonly Bears[]): Command {
  for (const [kind, option] of flags()) {
    const ofGrants = kind === "session" && bears.includes("grantsOf");
    if (ofGrants) option.description = "with the grants of this session";
    command.addOption(option.hideHelp(!ofGrants && !bears.includes(kind)));
  }
  return command;
}
