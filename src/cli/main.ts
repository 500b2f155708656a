import type { Command } from "commander";
import { program as words } from "../words/en/program.ts";
import { asCommand } from "./command-line/arguments.ts";
import { addArtifacts } from "./command-line/artifacts.ts";
import { type HelpLayout, helpLayout } from "./command-line/help-layout.ts";
import { addPolicy } from "./command-line/policy.ts";
import { type Act, addCommand, exampleText, newProgram, runBy } from "./command-line/program.ts";
import { addProvenance } from "./command-line/provenance.ts";
import { addSetup, addUndo } from "./command-line/rest.ts";
import { addSecrets } from "./command-line/secrets.ts";
import { addSessions, addStats } from "./command-line/sessions.ts";
import { addTalk } from "./command-line/talk.ts";
import { type Composition, compose } from "./composition.ts";
import { catchDefects } from "./defects.ts";
import type { Flags } from "./flags.ts";
import { atTerminal, type Io } from "./io.ts";
import { reportProblem } from "./print/report.ts";
import { logsOf } from "./settings/places.ts";

/** Runs `agent ARGV`. @returns the exit code; problems are reported on stderr. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  // Only a command that has the process to itself may say how the process ends.
  if (io.stdout === process.stdout) catchDefects(io, logsOf(io.env));
  let exitCode = 0;
  let acted = false;
  const program = buildProgram(io, await helpLayout(), async (flags, act) => {
    let composition: Composition | undefined;
    try {
      composition = await compose(io, flags);
      exitCode = await act(composition);
      acted = true;
    } finally {
      composition?.close();
    }
  });
  try {
    await program.parseAsync(asCommand(argv, atTerminal(io)), { from: "user" });
    return exitCode;
  } catch (error) {
    // What the command wrote has its own end already.
    return reportProblem(error, io, argv.includes("--json") && !acted);
  }
}

/** The whole command line; `layout` is `helpLayout`'s, `perform` is called with the flags and what to do. */
export function buildProgram(
  io: Pick<Io, "stdout" | "stderr">,
  layout: HelpLayout,
  perform: (flags: Flags, act: Act) => Promise<void>,
): Command {
  const program = newProgram(io, layout);
  const run = runBy(perform);
  program.commandsGroup(words().groups.work);
  addTalk(program, addCommand, run);
  addUndo(program, addCommand, run);
  program.commandsGroup(words().groups.lookBack);
  addSessions(program, addCommand, run);
  addArtifacts(program, addCommand, run);
  addStats(program, addCommand, run);
  addProvenance(program, addCommand, run);
  program.commandsGroup(words().groups.settings);
  addSetup(program, addCommand, run);
  addSecrets(program, addCommand, run);
  addPolicy(program, addCommand, run);
  program.helpCommand("help [command]", words().helpCommand);
  return program.addHelpText("after", `${exampleText(words().ofExamples)}\n\n${words().more}`);
}
