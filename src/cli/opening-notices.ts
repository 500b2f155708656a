import type { SandboxChoice } from "../core/sandbox-choice.ts";
import { mayHaveCommands } from "../policy/files/other-commands.ts";
import { mayHaveSkills } from "../policy/files/other-skills.ts";
import { cells as cellWords } from "../words/en/cells.ts";
import { notices } from "../words/en/notices.ts";
import { clearTextNotices } from "./clear-text.ts";
import { type Composition, shellSettings } from "./composition.ts";
import { unreadText } from "./secrets/open-secrets.ts";
import type { Notice } from "./services/session-services.ts";
import { countOfAgents, projectAgentFiles } from "./settings/agents.ts";
import { commandPathsOf, countOfCommands } from "./settings/command-files.ts";
import { countOfSkills, skillPathsOf } from "./settings/skills.ts";
import { countOfToolFiles, projectToolFiles } from "./settings/tool-files.ts";

/**
 * Lists the notices that are due before work begins in a folder: a model server that is spoken to in clear text, the trouble that a sandbox
 * would spare, and in one line all that the project brings and that waits for the person's trust.
 * @param trusting the command by which they read it and trust it, here.
 */
export async function openingNotices(
  composition: Composition,
  session: { id: string; workspace: string },
  model: string,
  trusting = "agent trust",
): Promise<Notice[]> {
  const { workspace } = session;
  const { local, policy, io, config } = composition;
  const [{ waiting, hasHooks }, inert] = await Promise.all([
    local(workspace),
    // Broken rules end the session itself, which tells them.
    policy({ session: session.id, workspace, mode: "ask" }).then(
      (found) => found.inert ?? [],
      () => [],
    ),
  ]);
  const [{ childPath }, { sandboxProgram }] = await Promise.all([
    import("../tools/shell/running/surroundings.ts"),
    import("../tools/shell/running/sandbox.ts"),
  ]);
  const shell = shellSettings(composition, workspace);
  const { dropped } = childPath(shell, [workspace, ...(await composition.addDirs(workspace))]);
  const bound = [...waiting, ...countOfRules(inert), ...(await waitingFiles(composition, workspace))];
  const unread = (await composition.secrets())?.unread ?? [];
  return [
    ...(unread.length === 0 ? [] : [{ code: "unmasked_secrets", text: unreadText(unread) }]),
    ...(await clearTextNotices(model, io.env, config.servers)),
    ...sandboxNotices(shell.sandbox, process.platform, await sandboxProgram()),
    ...(dropped.length === 0 ? [] : [{ code: "path", text: droppedText(dropped) }]),
    ...(hasHooks ? [{ code: "hooks_ignored", text: notices().hooksIgnored }] : []),
    ...(bound.length === 0 ? [] : [{ code: "untrusted", text: untrustedText(bound, trusting) }]),
  ];
}

/** Makes the notice about a sandbox, where it is wanted and could be had, and is not installed. */
export const sandboxNotices = (choice: SandboxChoice, platform: string, program: string | undefined): Notice[] =>
  choice === "auto" && platform === "linux" && program === undefined
    ? [{ code: "no_sandbox", text: notices().noSandbox }]
    : [];

const droppedText = (entries: readonly string[]): string => notices().dropped({ entries });

/** Allow rules that wait for trust, as a person is told them. */
export const countOfRules = ({ length }: readonly unknown[]): string[] =>
  length === 0 ? [] : [cellWords().allowRules({ rules: length })];

const untrustedText = (bound: readonly string[], trusting: string): string => notices().untrusted({ bound, trusting });

/** Of the project's tools, agents, skills and commands those that wait for trust; nothing is looked at where it brings none. */
async function waitingFiles({ trusted }: Composition, workspace: string): Promise<string[]> {
  const [tools, agents] = await Promise.all([projectToolFiles(workspace), projectAgentFiles(workspace)]);
  const mayHaveMore = mayHaveSkills(workspace) || mayHaveCommands(workspace);
  if (tools.length + agents.length === 0 && !mayHaveMore) return [];
  const state = await trusted(workspace);
  if (state.state === "trusted") return [];
  return [
    ...countOfToolFiles(tools),
    ...countOfAgents(agents),
    ...countOfSkills(skillPathsOf(state)),
    ...countOfCommands(commandPathsOf(state)),
  ];
}
