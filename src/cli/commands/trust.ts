import { jsonLine } from "../../core/json-line.ts";
import { type TrustState, trust, trustState } from "../../policy/files/trust.ts";
import type { Composition } from "../composition.ts";
import { askLine, atTerminal } from "../io.ts";
import { CliProblem } from "../problem.ts";
import { cleanText } from "../terminal/sanitise.ts";

/** `agent trust`: shows what the project brings, then takes it into force when the person (or --yes) says so. */
export async function trustWorkspace(composition: Composition, yes: boolean): Promise<number> {
  const { io } = composition;
  const json = composition.flags.json === true;
  const state = await trustState(composition.places.trust, composition.workspace);
  io.stdout.write(json ? jsonLine(state) : cleanText(describe(state)));
  if (state.state === "nothing_to_trust" || state.state === "trusted" || (json && !yes)) return 0;
  if (state.obstacles.length > 0) {
    throw new CliProblem("failed", `this workspace cannot be trusted: ${state.obstacles.join("; ")}`);
  }
  if (!yes && !(await confirmed(composition))) {
    io.stderr.write("not trusted: nothing changed\n");
    return 1;
  }
  const now = await trust(composition.places.trust, composition.workspace, state.digest, Date.now());
  if (now.state !== "trusted") {
    const hint = "look again: agent trust";
    throw new CliProblem("failed", "the files changed while you were reading them: nothing was trusted", { hint });
  }
  io.stderr.write(`trusted ${now.workspace}, as these files are now\n`);
  return 0;
}

function describe(state: TrustState): string {
  if (state.state === "trusted") return `${state.workspace}: trusted already\n`;
  if (state.state === "nothing_to_trust") return `${state.workspace}: nothing to trust here\n`;
  const files = state.files.map((file) => `--- ${file.path}\n${file.text.trimEnd()}\n`);
  const changed = state.changed.length > 0 ? [`changed since you trusted: ${state.changed.join(", ")}\n`] : [];
  return [...files, ...changed].join("");
}

async function confirmed({ io }: Composition): Promise<boolean> {
  if (!atTerminal(io))
    throw new CliProblem("usage", "agent trust asks at a terminal", {
      hint: "after reading the files above: agent trust --yes",
    });
  const answer = await askLine(io.stdin, io.stdout, "Trust these files, exactly as they are? Type yes: ");
  if (answer === undefined) io.stdout.write("\n");
  return answer?.trim() === "yes";
}
