import { platform, release } from "node:os";
import type { ToolStats } from "../core/tool-stats.ts";
import type { Composition } from "./composition.ts";
import type { Flags } from "./flags.ts";
import type { Config } from "./settings/config.ts";
import type { Places } from "./settings/places.ts";

interface PromptNeeds extends Pick<Composition, "local" | "policy" | "addDirs"> {
  places: Places;
  flags: Flags;
  config: Config;
  /** Asked where the settings say that the model is told. */
  stats(): Promise<ToolStats[]>;
}

/** The system prompt for work in a folder, as flags and settings have it now. */
export function promptMaker({
  places,
  flags,
  config,
  local,
  policy,
  addDirs,
  stats,
}: PromptNeeds): Composition["prompt"] {
  return async (workspace, tools) => {
    const offered = new Set(config.promptStats ? tools?.map(({ name }) => name) : []);
    const [{ gatherPrompt }, settings, rules] = await Promise.all([
      import("../graph/talk/prompt/make-prompt.ts"),
      local(workspace),
      policy({ session: "", workspace, mode: "ask" }),
    ]);
    const lang = flags.lang ?? settings.lang;
    return gatherPrompt({
      workspace,
      addDirs: await addDirs(workspace),
      memories: places.memories,
      instructions: settings.instructions,
      bound: settings.boundInstructions,
      policy: rules,
      date: new Date().toISOString().slice(0, 10),
      platform: `${platform()} ${release()}`,
      ...(lang === undefined ? {} : { lang }),
      ...(offered.size === 0 ? {} : { stats: (await stats()).filter(({ tool }) => offered.has(tool)) }),
    });
  };
}
