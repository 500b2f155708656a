import { shownName } from "../../core/shown-path.ts";
import { rulesWaitingIn } from "../../policy/files/load.ts";
import { distrust, type TrustState, trust, trustState } from "../../policy/files/trust.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { trusting } from "../../words/en/trusting.ts";
import type { Composition } from "../composition.ts";
import { countOfRules } from "../opening-notices.ts";
import { countOfAgents, isProjectAgent } from "../settings/agents.ts";
import { commandPathsOf, countOfCommands } from "../settings/command-files.ts";
import { settingsWaitingIn } from "../settings/config.ts";
import { countOfSkills, skillPathsOf } from "../settings/skills.ts";
import { countOfToolFiles, isProjectTool } from "../settings/tool-files.ts";
import type { TrustOffer } from "./session-services.ts";

/** More than this nobody reads in a chat. Characters of all files together. */
const mostShown = 200_000;

/** Makes what `agent trust` is in a chat, in two steps: what is shown, and taking it just as it was shown. */
export async function trustOffer(composition: Composition, workspace: string): Promise<TrustOffer> {
  const file = composition.places.trust;
  const state = await trustState(file, workspace);
  if (state.state === "trusted")
    return {
      text: `${await described(state)}${trusting().revokeHint}`,
      revoke: async () => {
        await distrust(file, workspace);
        composition.readAnew(workspace);
        return trusting().revokedText;
      },
    };
  if (state.state === "nothing_to_trust") return { text: describe(state).trimEnd() };
  if (state.obstacles.length > 0) return { text: trusting().cannot({ obstacles: state.obstacles }) };
  const text = describe(state);
  if (text.length > mostShown) return { text: trusting().tooLong({ files: state.files.length }) };
  const force = await broughtBy(state);
  return {
    text: `${text}${trusting().offer({ force })}`,
    take: async () => {
      const now = await trust(file, workspace, state.digest, Date.now());
      if (now.state === "trusted") composition.readAnew(workspace);
      return now.state === "trusted";
    },
  };
}

/** Lists all that the files bring once they are trusted, in words. */
async function broughtBy(state: TrustState): Promise<string> {
  const brought = [
    ...(await countOfServers(state)),
    ...(await settingsWaitingIn(state)),
    ...countOfRules(await rulesWaitingIn(state)),
    ...countOfToolFiles(pathsOf(state).filter(isProjectTool)),
    ...countOfAgents(pathsOf(state).filter(isProjectAgent)),
    ...countOfSkills(skillPathsOf(state)),
    ...countOfCommands(commandPathsOf(state)),
  ];
  return brought.length === 0 ? trusting().nothingBrought : cellWords().several({ what: brought });
}

/** Returns all that a project brings, as the person is shown it; where it is trusted, what is in force. Not safe to draw. */
export async function described(state: TrustState): Promise<string> {
  if (state.state !== "trusted") return describe(state);
  const files = state.files.map(({ path }) => shownName(path)).join(", ");
  return `${describe(state)}${trusting().inForce({ brought: await broughtBy(state), files })}\n`;
}

const pathsOf = ({ files }: TrustState): string[] => files.map(({ path }) => path);

/** Each of them waits for a trust of its own then. */
async function countOfServers({ files }: TrustState): Promise<string[]> {
  const text = files.find(({ path }) => path === ".mcp.json")?.text;
  if (text === undefined) return [];
  const { serversIn } = await import("../mcp/find-servers.ts");
  const { length } = serversIn(text);
  return length === 0 ? [] : [trusting().servers({ servers: length })];
}

function describe(state: TrustState): string {
  if (state.state === "trusted") return `${trusting().alreadyTrusted({ workspace: state.workspace })}\n`;
  if (state.state === "nothing_to_trust") return `${trusting().nothingToTrust({ workspace: state.workspace })}\n`;
  const files = state.files.map((file) => `--- ${shownName(file.path)}\n${asQuoted(file.text)}`);
  const changed =
    state.changed.length > 0 ? [`${trusting().changedSince({ files: state.changed.map(shownName) })}\n`] : [];
  return [...files, ...changed].join("");
}

/** Each line behind a mark, so that no file can write a line of ours. */
const asQuoted = (text: string): string =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `│ ${line}\n`)
    .join("");
