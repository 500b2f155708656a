import { jsonLine } from "../../core/json-line.ts";
import { distrust, trust, trustState } from "../../policy/files/trust.ts";
import { trusting } from "../../words/en/trusting.ts";
import type { Composition } from "../composition.ts";
import { askLine, atTerminal } from "../io.ts";
import { CliProblem } from "../problem.ts";
import { described } from "../services/trust-offer.ts";
import { othersMayWrite } from "../settings/others-write.ts";
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

async function confirmed({ io }: Composition): Promise<boolean> {
  if (!atTerminal(io)) throw new CliProblem("usage", trusting().asks, { hint: trusting().asksHint });
  const answer = await askLine(io.stdin, io.stdout, trusting().question);
  return answer?.trim() === "yes";
}
