import { Command, CommanderError } from "commander";
import { withFlags } from "./cli/command-line/options.ts";
import { compose } from "./cli/composition.ts";
import type { Flags } from "./cli/flags.ts";
import { CliProblem } from "./cli/problem.ts";
import { threadGraphs } from "./session/threads/create-thread-graph.ts";
import type { ThreadGraph } from "./session/threads/thread-graph.ts";

let opening: Promise<() => ThreadGraph> | undefined;

/**
 * The graph that `langgraph.json` names, for a server of LangGraph's, which calls this for each run and sets its own checkpointer on what it
 * gets: a graph of its own each time, over one store and the same sessions. The agent is that of the command in this folder: its environment,
 * configuration, rules, tools and limits; `AGENT_FLAGS` has flags of `agent run`. The journal is in the user's store.
 * @throws CliProblem for flags or settings that cannot be.
 */
export async function graph(): Promise<ThreadGraph> {
  opening ??= open().catch((error: unknown) => {
    opening = undefined;
    throw error;
  });
  return (await opening)();
}

async function open(): Promise<() => ThreadGraph> {
  const flags = flagsIn(process.env["AGENT_FLAGS"] ?? "");
  const composition = await compose(process, flags);
  const { workspace, model, mode } = composition;
  const { grants: _, titles: __, ...parts } = await composition.agentParts();
  const maxSteps = typeof parts.maxSteps === "number" ? parts.maxSteps : await parts.maxSteps(workspace);
  return threadGraphs({ ...parts, workspace, model, mode }, maxSteps);
}

/** Nothing that a run has beside its agent. */
const ofRuns = ["session", "continue", "image", "json", "utc"] as const satisfies (keyof Flags)[];

/** Parts at white space. */
function flagsIn(text: string): Flags {
  const command = withFlags(new Command("agent"), []).exitOverride().allowExcessArguments();
  command.configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
  try {
    command.parse(text.split(/\s+/).filter(Boolean), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw new CliProblem("usage", `AGENT_FLAGS: ${error.message.replace(/^error: /, "")}`, { cause: error });
  }
  const [word] = command.args;
  if (word !== undefined) throw new CliProblem("usage", `AGENT_FLAGS: ${JSON.stringify(word)} is no flag`);
  const flags = command.opts<Flags>();
  const meant = ofRuns.find((name) => flags[name] !== undefined && [flags[name]].flat().length > 0);
  if (meant !== undefined) throw new CliProblem("usage", `AGENT_FLAGS: --${meant} is for one run of the command`);
  return flags;
}
