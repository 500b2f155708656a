import { Command, Option } from "commander";
import { type Composition, compose } from "./composition.ts";
import { type FlagDecision, giveReason, parseApprove, parseEdit } from "./decisions.ts";
import { catchDefects } from "./defects.ts";
import {
  collect,
  type Flags,
  parseLang,
  parseMode,
  parseModel,
  parseSandbox,
  parseSteps,
  parseToolChoice,
} from "./flags.ts";
import type { Io } from "./io.ts";
import { reportProblem } from "./print/report.ts";
import { logsOf } from "./settings/places.ts";
import { cleanText } from "./terminal/sanitise.ts";

/** What a command does with its composition; gives the exit code. */
type Act = (composition: Composition) => Promise<number>;

/** Runs `agent ARGV`. @returns the exit code; problems are reported on stderr. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  // Only a command that has the process to itself may say how the process ends.
  if (io.stdout === process.stdout) catchDefects(io, logsOf(io.env));
  let exitCode = 0;
  let acted = false;
  const program = buildProgram(io, async (flags, act) => {
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
    await program.parseAsync([...argv], { from: "user" });
    return exitCode;
  } catch (error) {
    // What the command wrote has its own end already.
    return reportProblem(error, io, argv.includes("--json") && !acted);
  }
}

/** The whole command line; `perform` is called with the flags and what to do. */
export function buildProgram(
  io: Pick<Io, "stdout" | "stderr">,
  perform: (flags: Flags, act: Act) => Promise<void>,
): Command {
  const program = new Command("agent");
  program
    .description("A terminal agent you can trust with your working tree.")
    .version("", "-V, --version", "print the version")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(cleanText(text)),
    })
    .showHelpAfterError("(agent --help shows the commands)");
  const add = (parent: Command, usage: string, text: string) => withFlags(parent.command(usage).description(text));
  const run =
    (make: (args: string[], options: Record<string, unknown>) => Act) =>
    (...given: unknown[]) => {
      const command = given.at(-1) as Command;
      const flags = command.optsWithGlobals() as Flags & Record<string, unknown>;
      return perform(flags, make(command.args, flags));
    };
  addTalk(program, add, run);
  addSessions(program, add, run);
  addPolicy(program, add, run);
  addRest(program, add, run);
  return program;
}

type Add = (parent: Command, usage: string, text: string) => Command;
type Run = (make: (args: string[], options: Record<string, unknown>) => Act) => (...given: unknown[]) => Promise<void>;

function withFlags(command: Command): Command {
  return command
    .exitOverride()
    .option("-C, --cwd <dir>", "work in this folder")
    .addOption(
      new Option("--add-dir <dir>", "let file tools work in this folder too, by absolute paths")
        .argParser(collect)
        .default([], "none"),
    )
    .option("-m, --model <spec>", "openai:NAME, demo, or script:FILE", parseModel)
    .option("--mode <mode>", "ask, accept-edits, read-only or full-auto", parseMode)
    .option("--max-steps <n>", "steps a turn may take", parseSteps)
    .option("--json", "one JSON object a line on stdout")
    .option("--session <id>", "continue this session")
    .option("-c, --continue", "continue the newest session of this folder")
    .addOption(
      new Option("--allow <rule>", "allow for this run: tool, or tool(path pattern)")
        .argParser(collect)
        .default([], "none"),
    )
    .option("--tool-choice <choice>", "auto, none or required", parseToolChoice)
    .option("--lang <lang>", "en or zh", parseLang)
    .option("--sandbox <choice>", "auto, required or off: where commands run", parseSandbox);
}

function addTalk(program: Command, add: Add, run: Run): void {
  add(program, "chat [prompt]", "talk with the agent at a terminal").action(
    run(
      ([prompt]) =>
        async (at) =>
          (await import("./commands/chat.ts")).chat(at, prompt),
    ),
  );
  const answers = ["--answers", "let the person lines of a script:FILE answer"] as const;
  add(program, "run [prompt]", "one message without a person; `-` reads it from stdin")
    .option(...answers)
    .action(
      run(
        ([prompt]) =>
          async (at) =>
            (await import("./commands/run.ts")).runOnce(at, prompt),
      ),
    );
  const resume = add(program, "resume [id] [prompt]", "continue a session where it stopped");
  let decisions: FlagDecision[] = [];
  const note = (parse: (text: string) => FlagDecision) => (text: string) => {
    decisions = [...decisions, parse(text)];
    return decisions;
  };
  const named = (kind: "retry" | "done" | "cancel") => (id: string) => ({ kind, id }) as const;
  resume
    .option(...answers)
    .option("--approve <id>", "approve a waiting call: ID, ID@DIGEST or all", note(parseApprove))
    .option(
      "--deny <id>",
      "deny a waiting call: ID or all",
      note((id) => ({ kind: "deny", id })),
    )
    .option("--reason <text>", "the reason for the --deny before it", (text: string) => {
      decisions = giveReason(decisions, text);
      return decisions;
    })
    .option("--edit <id=json>", "replace a waiting call's arguments", note(parseEdit))
    .option("--retry <id>", "run a call with an unknown outcome again: ID or all", note(named("retry")))
    .option("--done <id>", "mark such a call as done", note(named("done")))
    .option("--cancel <id>", "cancel such a call: ID or all", note(named("cancel")))
    .option("--take-over", "take the session from the process that holds it")
    .action(
      run(([id, prompt], { takeOver }) => async (at) => {
        const { resume: go } = await import("./commands/chat.ts");
        return go(at, id, prompt, { decisions, takeOver: takeOver === true });
      }),
    );
}

function addSessions(program: Command, add: Add, run: Run): void {
  const sessions = withFlags(
    program.command("sessions").description("list, show, verify, fork, export or remove sessions"),
  );
  const load = () => import("./commands/session-remove.ts");
  const list = run(
    (_, { all }) =>
      async (at) =>
        (await import("./commands/session-list.ts")).listSessions(at, all === true),
  );
  sessions.option("--all", "include other folders").action(list);
  add(sessions, "list", "those of this folder, newest first").option("--all", "include other folders").action(list);
  add(sessions, "show <id>", "what was said and done")
    .option("--calls", "the life of each call: who decided, by which rule, when")
    .option("--diff", "all that it changed in files")
    .action(
      run(([id = ""], { calls, diff }) => async (at) => {
        if (calls === true) return (await import("./commands/session-calls.ts")).showCalls(at, id);
        if (diff === true) return (await import("./commands/session-diff.ts")).showDiff(at, id);
        return (await import("./commands/session-show.ts")).showSession(at, id);
      }),
    );
  add(sessions, "rm <id...>", "remove permanently")
    .option("--force", "also sessions that run or wait for you")
    .action(
      run(
        (ids, { force }) =>
          async (at) =>
            (await load()).removeSessions(at, ids, force === true),
      ),
    );
  addRecords(sessions, add, run);
}

function addRecords(sessions: Command, add: Add, run: Run): void {
  add(sessions, "prune", "drop old file contents that are kept for undo")
    .option("--days <n>", "older than this many days (default: retentionDays of config.json)")
    .option("--dry-run", "only report what would be dropped")
    .action(
      run((_, { days, dryRun }) => async (at) => {
        const { pruneKept } = await import("./commands/session-prune.ts");
        return pruneKept(at, { days: days as string | undefined, dryRun: dryRun === true });
      }),
    );
  add(sessions, "verify [id...]", "check these sessions, or all, for damage").action(
    run((ids) => async (at) => (await import("./commands/session-verify.ts")).verifySessions(at, ids)),
  );
  add(sessions, "fork <id>", "a new session that begins as this one did")
    .option("--at <call>", "fork at this call (default: the last settled step)")
    .action(
      run(
        ([id = ""], { at: call }) =>
          async (at) =>
            (await import("./commands/session-fork.ts")).forkAt(at, id, call as string | undefined),
      ),
    );
  add(sessions, "export <id>", "a file that --model script:FILE plays again")
    .option("-o, --output <file>", "write here instead of to stdout")
    .action(
      run(
        ([id = ""], { output }) =>
          async (at) =>
            (await import("./commands/session-export.ts")).exportSession(at, id, output as string | undefined),
      ),
    );
}

function addPolicy(program: Command, add: Add, run: Run): void {
  const policy = program.command("policy").description("what may run without asking, and why");
  const load = () => import("./commands/policy.ts");
  add(policy, "check [tool] [json]", "what the policy would decide about a call")
    .option("--stdin", 'read {"tool","args"} lines')
    .option("--history <rule>", "recorded calls that a rule would have allowed, asked about or denied")
    .action(
      run(([tool, json], { stdin, history }) => async (at) => {
        if (typeof history === "string")
          return (await import("./commands/policy-history.ts")).judgeHistory(at, history);
        const commands = await load();
        return stdin === true ? commands.checkPolicyLines(at) : commands.checkPolicy(at, tool, json ?? "{}");
      }),
    );
  add(policy, "list", "rules and grants in force").action(run(() => async (at) => (await load()).listPolicy(at)));
  add(policy, "revoke <id...>", "revoke grants").action(
    run((ids) => async (at) => (await load()).revokeGrants(at, ids)),
  );
}

function addMemories(program: Command, add: Add, run: Run): void {
  const memories = withFlags(program.command("memories").description("what is remembered beyond a session"));
  const load = () => import("./commands/memories.ts");
  const list = run(() => async (at) => (await load()).listMemories(at));
  memories.action(list);
  add(memories, "list", "each, with where it is told").action(list);
  add(memories, "rm <id...>", "remove").action(run((ids) => async (at) => (await load()).removeMemories(at, ids)));
  add(memories, "move <id>", "tell it in this workspace alone, or everywhere")
    .option("--everywhere", "tell it in all projects")
    .action(
      run(
        ([id = ""], { everywhere }) =>
          async (at) =>
            (await load()).moveMemory(at, id, everywhere === true),
      ),
    );
}

function addRest(program: Command, add: Add, run: Run): void {
  add(program, "undo [id] [calls...]", "take back what calls changed in files, by default those of the last turn")
    .option("--turn <n>", "all of this turn: a number from 1, or last")
    .option("--yes", "approve what is printed, without asking")
    .action(
      run(([id, ...calls], { turn, yes }) => async (at) => {
        const { undo } = await import("./commands/undo.ts");
        return undo(at, id, calls, { turn: turn as string | undefined, yes: yes === true });
      }),
    );
  add(program, "tools", "the tools, with risk and effect").action(
    run(() => async (at) => (await import("./commands/tools.ts")).listTools(at)),
  );
  add(program, "trust", "let this project's own rules take effect")
    .option("--yes", "without asking")
    .action(
      run(
        (_, { yes }) =>
          async (at) =>
            (await import("./commands/trust.ts")).trustWorkspace(at, yes === true),
      ),
    );
  addMemories(program, add, run);
  add(program, "doctor", "check the installation, settings and model")
    .option("--prompt", "print the system prompt")
    .option("--limits", "print how much is taken of a model, its server and a repository")
    .action(
      run((_, { prompt, limits }) => async (at) => {
        const { examine, showLimits, showPrompt } = await import("./commands/doctor.ts");
        if (limits === true) return showLimits(at);
        return prompt === true ? showPrompt(at) : examine(at);
      }),
    );
}
