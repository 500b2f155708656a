import { starting } from "../../words/en/starting.ts";
import { scripts } from "../completion/scripts.ts";
import type { Composition } from "../composition.ts";
import { CliProblem } from "../problem.ts";

/** `agent completion SHELL`: a script for the person's shell. @throws CliProblem usage for another shell. */
export async function printCompletion({ io }: Composition, shell: string): Promise<number> {
  if (shell !== "bash" && shell !== "zsh" && shell !== "fish")
    throw new CliProblem("usage", starting().noShell({ shell }));
  io.stdout.write(scripts[shell]);
  return 0;
}
