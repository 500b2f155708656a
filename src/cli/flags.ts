import { type SandboxChoice, sandboxChoices } from "../core/sandbox-choice.ts";
import { type ToolChoice, type ToolFormat, toolChoices, toolFormats } from "../model/port.ts";
import { modelSpecs, noModelText, parseModelSpec } from "../model/spec.ts";
import { type Mode, modes } from "../policy/types.ts";
import { typed as typedWords } from "../words/en/typed.ts";
import { CliProblem } from "./problem.ts";

/** The flags that every command takes, as commander gives them. */
export interface Flags {
  cwd?: string;
  model?: string;
  mode?: Mode;
  maxSteps?: number;
  maxCost?: number;
  json?: boolean;
  session?: string;
  continue?: boolean;
  allow: string[];
  /** Folders to be added to the boundary, as they were typed. */
  addDir?: string[];
  /** Pictures that come with the message, as they were typed. */
  image?: string[];
  toolChoice?: ToolChoice;
  toolFormat?: ToolFormat;
  /** File of a JSON Schema, as it was typed. */
  outputSchema?: string;
  lang?: "en" | "zh";
  sandbox?: SandboxChoice;
  autoSandbox?: boolean;
  /** Work goes on where the value of a secret cannot be read, which is not masked then. */
  unmaskedSecrets?: boolean;
  /** A script's person lines answer: of `run` and `resume`. */
  answers?: boolean;
  /** Listings say times in UTC. */
  utc?: boolean;
}

const oneOf =
  <T extends string>(flag: string, allowed: readonly T[]) =>
  (text: string): T => {
    const found = allowed.find((value) => value === text);
    if (found === undefined) throw new CliProblem("usage", typedWords().oneOf({ flag, allowed, text }));
    return found;
  };

export const parseMode = oneOf("--mode", modes);
export const parseToolChoice = oneOf("--tool-choice", toolChoices);
export const parseToolFormat = oneOf("--tool-format", toolFormats);
export const parseSandbox = oneOf("--sandbox", sandboxChoices);
export const parseLang = oneOf("--lang", ["en", "zh"] as const);

export function parseModel(text: string): string {
  if (parseModelSpec(text) !== undefined) return text;
  throw new CliProblem("usage", `--model: ${noModelText(text)}`, { hint: modelSpecs });
}

export function parseSteps(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text) && Number(text) <= 1000) return Number(text);
  throw new CliProblem("usage", typedWords().steps({ text }));
}

export function parseCost(text: string): number {
  if (/^(\d+(\.\d*)?|\.\d+)$/.test(text) && Number(text) > 0 && Number(text) <= 1_000_000) return Number(text);
  throw new CliProblem("usage", typedWords().cost({ text }));
}

export const collect = (text: string, before: string[]): string[] => [...before, text];
