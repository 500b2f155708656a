import { platform, release } from "node:os";
import type { KnownSecrets } from "../core/secrets/known-secrets.ts";
import type { Tool } from "../core/tool.ts";
import type { ToolStats } from "../core/tool-stats.ts";
import type { Prompt } from "../graph/talk/prompt/make-prompt.ts";
import type { Mode, Policy } from "../policy/types.ts";
import type { Flags } from "./flags.ts";
import type { Config, WorkspaceConfig } from "./settings/config.ts";
import type { Places } from "./settings/places.ts";

interface PromptNeeds {
  /** A workspace's own settings, folders that were added to it, and its rules. */
  local(workspace: string): Promise<WorkspaceConfig>;
  addDirs(workspace: string): Promise<readonly string[]>;
  secrets(): Promise<KnownSecrets | undefined>;
  policy(at: { session: string; workspace: string; mode: Mode }): Promise<Policy>;
  places: Places;
  flags: Flags;
  config: Config;
  /** Asked where the settings say that the model is told. */
  stats(): Promise<ToolStats[]>;
}

/** The system prompt for work in a folder, as flags and settings have it now; of the added folders with those that the session has. */
export function promptMaker({
  places,
  flags,
  config,
  local,
  policy,
  addDirs,
  secrets,
  stats,
}: PromptNeeds): (
  workspace: string,
  tools?: readonly Pick<Tool, "name">[],
  added?: readonly string[],
) => Promise<Prompt> {
  return async (workspace, tools, added) => {
    const offered = new Set(config.promptStats ? tools?.map(({ name }) => name) : []);
    const [{ gatherPrompt }, settings, rules, known] = await Promise.all([
      import("../graph/talk/prompt/make-prompt.ts"),
      local(workspace),
      policy({ session: "", workspace, mode: "ask" }),
      secrets(),
    ]);
    const lang = flags.lang ?? settings.lang;
    return gatherPrompt({
      workspace,
      addDirs: added ?? (await addDirs(workspace)),
      memories: places.memories,
      instructions: settings.instructions,
      bound: settings.boundInstructions,
      policy: rules,
      date: new Date().toISOString().slice(0, 10),
      platform: `${platform()} ${release()}`,
      ...(lang === undefined ? {} : { lang }),
      ...(known === undefined ? {} : { secrets: known }),
      ...(offered.size === 0 ? {} : { stats: (await stats()).filter(({ tool }) => offered.has(tool)) }),
    });
  };
}
