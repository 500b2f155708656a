import { platform, release } from "node:os";
import { findInstructions, readInstruction } from "./instructions.ts";
import { systemPrompt } from "./system-prompt.ts";
import { gitFacts } from "./workspace-facts.ts";

export interface PromptSources {
  /** Absolute, symlinks resolved. */
  workspace: string;
  /** The user's CONTEXT.md. */
  memories: string;
  /** Further instruction files, relative to the project's root. */
  instructions: readonly string[];
  /** ISO date. */
  date: string;
  platform: string;
  lang?: string;
}

/** The system prompt for work in a folder, from what lies there now. */
export async function makePrompt(sources: PromptSources): Promise<string> {
  const { workspace, date, platform, lang } = sources;
  const git = await gitFacts(workspace);
  const [instructions, memories] = await Promise.all([
    findInstructions(git?.root ?? workspace, workspace, sources.instructions),
    readInstruction(sources.memories),
  ]);
  return systemPrompt({
    workspace,
    date,
    platform,
    instructions,
    ...(git === undefined ? {} : { git }),
    ...(memories === undefined ? {} : { memories }),
    ...(lang === undefined ? {} : { lang }),
  });
}

/** The prompt of an agent that nobody has configured: what lies in the workspace, and nothing of the user's own. */
export const makeDefaultPrompt = (workspace: string, clock: () => number): Promise<string> =>
  makePrompt({
    workspace,
    memories: "",
    instructions: [],
    date: new Date(clock()).toISOString().slice(0, 10),
    platform: `${platform()} ${release()}`,
  });
