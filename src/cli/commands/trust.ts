import { createInterface } from "node:readline/promises";
import { atTerminal } from "../io.ts";
import type { Composition } from "../composition.ts";
import { clean } from "../plain-printer.ts";
import { CliProblem } from "../problem.ts";

/** `agent trust`: shows what the project brings, then takes it into force when the person (or --yes) says so. */
export async function trustWorkspace(composition: Composition, yes: boolean): Promise<number> {
  const { io } = composition;
  const state = await composition.trust();
  if (composition.flags.json === true) {
    io.stdout.write(`${JSON.stringify(state)}\n`);
    if (!yes) return 0;
  }
  if (state.state === "nothing_to_trust" || state.state === "trusted") {
    if (composition.flags.json !== true) io.stdout.write(`${state.workspace}: ${state.state === "trusted" ? "trusted already" : "nothing to trust here"}\n`);
    return 0;
  }
  if (state.obstacles.length > 0) throw new CliProblem("failed", clean(`this workspace cannot be trusted: ${state.obstacles.join("; ")}`));
  if (composition.flags.json !== true) {
    for (const file of state.files) io.stdout.write(clean(`--- ${file.path}\n${file.text.trimEnd()}\n`));
    if (state.changed.length > 0) io.stdout.write(clean(`changed since you trusted: ${state.changed.join(", ")}\n`));
  }
  if (!yes && !(await confirmed(composition))) {
    io.stderr.write("not trusted: nothing changed\n");
    return 1;
  }
  const now = await composition.confirmTrust(state.digest);
  if (now.state !== "trusted") throw new CliProblem("failed", "the files changed while you were reading them: nothing was trusted", { hint: "look again: agent trust" });
  io.stderr.write(`trusted ${now.workspace}, as these files are now\n`);
  return 0;
}

async function confirmed({ io }: Composition): Promise<boolean> {
  if (!atTerminal(io)) throw new CliProblem("usage", "agent trust asks at a terminal", { hint: "after reading the files above: agent trust --yes" });
  const lines = createInterface({ input: io.stdin, output: io.stdout });
  try {
    return (await lines.question("Trust these files, exactly as they are? Type yes: ")).trim() === "yes";
  } finally {
    lines.close();
  }
}
