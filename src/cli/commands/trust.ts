import { jsonLine } from "../../core/json-line.ts";
import { shownName } from "../../core/shown-path.ts";
import { rulesWaitingIn } from "../../policy/files/load.ts";
import { distrust, type TrustState, trust, trustState } from "../../policy/files/trust.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { trusting } from "../../words/en/trusting.ts";
import type { Composition } from "../composition.ts";
import { askLine, atTerminal } from "../io.ts";
import { countOfRules } from "../opening-notices.ts";
import { CliProblem } from "../problem.ts";
import type { TrustOffer } from "../services/session-services.ts";
import { countOfAgents, isProjectAgent } from "../settings/agents.ts";
import { commandPathsOf, countOfCommands } from "../settings/command-files.ts";
import { settingsWaitingIn } from "../settings/config.ts";
import { othersMayWrite } from "../settings/others-write.ts";
import { countOfSkills, skillPathsOf } from "../settings/skills.ts";
import { countOfToolFiles, isProjectTool } from "../settings/tool-files.ts";
import { cleanEffect } from "../ui/safe-text.ts";

/** `agent trust`: shows what the project brings, then takes it into force when the person (or --yes) says so. */
export async function trustWorkspace(composition: Composition, yes: boolean): Promise<number> {
  const { io } = composition;
  const json = composition.flags.json === true;
  const state = await trustState(composition.places.trust, composition.workspace);
  io.stdout.write(json ? jsonLine(state) : cleanEffect(await described(state)));
  if (state.state === "nothing_to_trust" || state.state === "trusted" || (json && !yes)) return 0;
  if (state.obstacles.length > 0) {
    throw new CliProblem("failed", trusting().cannot({ obstacles: state.obstacles }));
  }
  const others = othersMayWrite(
    state.workspace,
    state.files.map(({ path }) => path),
  );
  if (others !== undefined && yes) throw writtenByOthers(others);
  if (others !== undefined) io.stderr.write(`${trusting().othersMay({ who: cleanEffect(others) })}\n`);
  if (!yes && !(await confirmed(composition))) {
    io.stderr.write(`${trusting().notTrusted}\n`);
    return 1;
  }
  const now = await trust(composition.places.trust, composition.workspace, state.digest, Date.now());
  if (now.state !== "trusted") {
    const hint = trusting().lookAgain;
    throw new CliProblem("failed", trusting().changedMeanwhile, { hint });
  }
  io.stderr.write(`${trusting().trusted({ workspace: now.workspace })}\n`);
  return 0;
}

const writtenByOthers = (others: string): CliProblem =>
  new CliProblem("failed", trusting().notTrustedFor({ why: others }), { hint: trusting().notTrustedForHint });

/** `agent trust --revoke`: what the project brings waits again. */
export async function revokeTrust({ io, places, workspace, flags }: Composition, yes: boolean): Promise<number> {
  if (yes) throw new CliProblem("usage", trusting().yesAndRevoke);
  const found = await distrust(places.trust, workspace);
  if (flags.json === true) io.stdout.write(jsonLine(await trustState(places.trust, workspace)));
  io.stderr.write(
    found ? `${trusting().revoked({ workspace, what: trusting().revokedText })}\n` : `${trusting().wasNot}\n`,
  );
  return found ? 0 : 1;
}

/** More than this nobody reads in a chat. Characters of all files together. */
const mostShown = 200_000;

/** The same in the chat, in two steps: what is shown, and taking it just as it was shown. */
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

async function described(state: TrustState): Promise<string> {
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

async function confirmed({ io }: Composition): Promise<boolean> {
  if (!atTerminal(io)) throw new CliProblem("usage", trusting().asks, { hint: trusting().asksHint });
  const answer = await askLine(io.stdin, io.stdout, trusting().question);
  return answer?.trim() === "yes";
}
