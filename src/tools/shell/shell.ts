import { stat } from "node:fs/promises";
import { delimiter } from "node:path";
import { ToolRefusal } from "../../core/codes.ts";
import type { PlannedCommand } from "../../core/command.ts";
import { limits } from "../../core/limits.ts";
import { unlessStopped } from "../../core/outcome.ts";
import { defineTool, type Plan, rootsOf, type Tool, type ToolContext, type ToolResult } from "../../core/tool.ts";
import { resolveInside } from "../../files/boundary.ts";
import { bytesOfOutput } from "../../process/capped-output.ts";
import { type ChildEnd, type ChildSpec, runChild } from "../../process/run-child.ts";
import { commandLine, gitWords, shellDisplay, withLine } from "./command-words.ts";
import type { GitOfLine } from "./reading/git-line.ts";
import type { AskGit } from "./reading/git-names.ts";
import { createProgramHashes, type ProgramHashes } from "./reading/program-hash.ts";
import { readCommandLine } from "./reading/read-command-line.ts";
import { inApartBox } from "./running/apart-box.ts";
import { areSameObjects, withObjects } from "./running/git-objects.ts";
import { givenVariables } from "./running/given-variables.ts";
import type { Jobs } from "./running/jobs.ts";
import { madeBytes, madeFor, tooManyMade } from "./running/made-files.ts";
import { withClearance } from "./running/reading-box.ts";
import { inBackground, inForeground, isUnstarted, wasStarted } from "./running/run-command.ts";
import { findSandbox, type SandboxState } from "./running/sandbox.ts";
import { inSandbox, type ReadySpec } from "./running/sandboxed-command.ts";
import { foldersOf, makeScratch, sweepScratch } from "./running/scratch.ts";
import { type ShellSettings, surroundingsOf } from "./running/surroundings.ts";
import {
  type Args,
  mayBeApart,
  namesOf,
  plainArguments,
  plannedSecrets,
  secretVariables,
  tagComplaint,
  withSecrets,
} from "./shell-arguments.ts";

/** Runs one command line with bash, in the foreground or as a job of the session. */
export function createShellTool(settings: ShellSettings, jobs: Jobs): Tool {
  let found: Promise<SandboxState> | undefined;
  const sandbox: Sandbox = () => {
    found ??= findSandbox();
    return found;
  };
  const bind = createProgramHashes();
  let isSwept = false;
  return defineTool({
    name: "shell",
    // A command has its own time, and a moment to be ended in.
    timeoutMs: limits.commandTime.most + 2 * limits.childGrace.most,
    description:
      "Runs a command with bash and tells its output, stdout and stderr together, and its exit code. For tests, builds, git and the like; files are read, searched and edited by their own tools. What it leaves running is ended with it.",
    args:
      settings.secrets === true
        ? ({ secrets }) => (secrets === undefined ? plainArguments : withSecrets)
        : plainArguments,
    risk: "medium",
    effect: "once",
    validate: ({ command }) => tagComplaint(command),
    // What a command said is cut here already, and the words around it are to stay.
    maxObserve: limits.commandShown.most + 4_000,
    display: shellDisplay,
    plan: (request, ctx) => planCommand(settings, sandbox, bind, request, ctx),
    execute: (request, ctx) => {
      // Once a session, and nobody waits for it.
      if (!isSwept && settings.scratch !== undefined) void sweepScratch(settings.scratch);
      isSwept = true;
      // Once it runs, that it is stopped is a result.
      return unlessStopped(ctx.signal, run(settings, sandbox, jobs, request, ctx));
    },
    dispose: () => jobs.endAll(),
  });
}

type Sandbox = () => Promise<SandboxState>;

async function planCommand(
  settings: ShellSettings,
  sandbox: Sandbox,
  bind: ProgramHashes,
  request: Args,
  ctx: ToolContext,
): Promise<Plan> {
  const { command, network = false } = request;
  const cwd = await folderOf(request.cwd, ctx);
  const isSandboxed = await worksIn(settings, sandbox);
  const { env } = surroundingsOf(settings, rootsOf(ctx), { network, sandbox: isSandboxed });
  const path = env["PATH"] ?? "";
  const home = env["HOME"];
  const { operands, warnings, ...read } = await readCommandLine(command, {
    workspace: ctx.workspace,
    ...(ctx.addDirs === undefined ? {} : { addDirs: ctx.addDirs }),
    cwd,
    path: path.split(delimiter),
    ...(home === undefined ? {} : { home }),
    ...(env["XDG_CONFIG_HOME"] === undefined ? {} : { gitConfig: env["XDG_CONFIG_HOME"] }),
  });
  const { git, named, withoutLent } = givenVariables(settings, read.commands, { network, sandbox: isSandboxed }, ctx);
  const ask =
    isSandboxed && !network && git.env !== undefined ? askIn(settings, await sandbox(), withoutLent, ctx) : undefined;
  const commands =
    ask === undefined || ctx.closed === undefined
      ? git.commands
      : withClearance(
          await withObjects(git.commands, { place: ctx, isClosed: ctx.closed.isClosed, ask }),
          { ...ctx, sandbox: true },
          ctx.closed,
        );
  const isApart = isSandboxed && !network && mayBeApart(request);
  const made = isApart ? await madeFor(commands, { ...ctx, cwd }) : undefined;
  return {
    summary: `run ${commandLine(command)}`,
    cwd,
    command,
    ...withMade(commands, made),
    ...(request.cwd === undefined ? {} : { reads: [{ asked: request.cwd, real: cwd }] }),
    network,
    sandbox: isSandboxed,
    ...(operands.length === 0 ? {} : { operands: await bind(operands) }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...plannedSecrets(request),
    path,
    environment: namesOf(named, request),
  };
}

const withMade = (
  commands: PlannedCommand[],
  made: Awaited<ReturnType<typeof madeFor>>,
): Pick<Plan, "commands" | "made"> => {
  if (made === "too many") return { commands: commands.map((one) => ({ ...one, why: one.why ?? tooManyMade })) };
  return { commands, ...(made === undefined ? {} : { made }) };
};

/** @throws ToolRefusal where there is no sandbox and the person wants no command without one. */
async function worksIn({ sandbox: choice }: ShellSettings, sandbox: Sandbox): Promise<boolean> {
  if (choice === "off") return false;
  const state = await sandbox();
  if (choice === "required" && !state.works)
    throw new ToolRefusal("FAILED", `no command is run without the sandbox, and ${state.why}`);
  return state.works;
}

async function folderOf(asked: string | undefined, ctx: ToolContext): Promise<string> {
  if (asked === undefined) return ctx.cwd;
  const real = await resolveInside(ctx, ctx.cwd, asked);
  const found = await stat(real).catch(() => undefined);
  if (found?.isDirectory() === true) return real;
  throw new ToolRefusal(found === undefined ? "NOT_FOUND" : "NOT_A_FILE", `there is no folder ${asked} to run in`);
}

/**
 * So often a sandbox is made for a command: what it was to hide may be gone by then, for other programs work beside it, and bubblewrap makes
 * none where it cannot hide it.
 */
const sandboxTries = 3;

async function run(
  settings: ShellSettings,
  sandbox: Sandbox,
  jobs: Jobs,
  request: Args,
  ctx: ToolContext,
): Promise<ToolResult> {
  const { plan } = ctx;
  if (plan === undefined) throw new TypeError("a command is executed without its plan");
  const { sandbox: isSandboxed = false, apart: isApart = false } = plan;
  // What a command kept there, anybody may have made.
  const kept = isApart ? withoutScratch(settings) : settings;
  if (kept.scratch !== undefined) await makeScratch(kept.scratch, foldersOf(kept.scratch, { sandbox: isSandboxed }));
  const { git, named, withoutLent, given } = givenVariables(kept, plan.commands ?? [], plan, ctx);
  const state = isSandboxed ? await sandbox() : undefined;
  const made = isApart ? await madeBytes(plan.made ?? [], ctx) : undefined;
  const ask = state && askIn(settings, state, withoutLent, ctx);
  const changed =
    isApart && made === undefined
      ? "a file that this session wrote"
      : await changedOfGit(git, namesOf(named, request), plan, ask);
  // What was looked for under a stop may not be found because of it.
  ctx.signal.throwIfAborted();
  if (changed !== undefined)
    return { output: "", error: `not run: ${changed} changed meanwhile`, metadata: { code: "STALE" } };
  const spec = { ...bashSpec(request, plan, { ...given, ...secretVariables(request, ctx) }), masking: ctx.masking };
  const start = async (ready: () => ReadySpec, tries = sandboxTries): Promise<ToolResult> => {
    const result = await (request.background === true
      ? inBackground(jobs, request, ready().spec, ctx)
      : inForeground(jobs, request, ready(), ctx));
    // Nothing was run yet.
    if (isUnstarted(result) && tries > 1 && !ctx.signal.aborted) return start(ready, tries - 1);
    return { ...result, output: gitWords(git).reduce(withLine, result.output) };
  };
  if (state === undefined) return start(() => ({ spec: { ...spec, looksForOutlived: true }, hint: () => [] }));
  if (made !== undefined) return start(() => inApartBox(spec, state, plan, kept, { ctx, made }));
  const isRoot = rootsOf(ctx).includes(plan.cwd);
  const folder = isRoot ? undefined : await ctx.pins?.open(plan.cwd);
  try {
    return await start(() => inSandbox(spec, state, plan, settings, { ctx, fd: folder?.fd }));
  } finally {
    await folder?.close();
  }
}

/** Git, asked for names as the line would run it: in the reading box, kept from what the repository says. */
function askIn(settings: ShellSettings, state: SandboxState, env: Record<string, string>, ctx: ToolContext): AskGit {
  // It keeps nothing: a folder of ours for that need not be there yet.
  const kept = withoutScratch(settings);
  return async (words, folder) => {
    const spec: ChildSpec = {
      program: "git",
      args: ["--no-pager", ...words],
      cwd: folder,
      env,
      timeoutMs: limits.gitNames.most,
      maxOutputBytes: limits.commandOutput.most,
    };
    const plan: Plan = { summary: "names", cwd: folder, commands: [], effect: "none", sandbox: true };
    const once = (): Promise<ChildEnd | undefined> =>
      runChild(inSandbox(spec, state, plan, kept, { ctx, fd: undefined }).spec, {
        signal: ctx.signal,
        ...(ctx.pins && { pins: ctx.pins }),
      }).catch((error: unknown) => {
        // No git, or no such folder: bash will say so.
        if (error instanceof ToolRefusal) return undefined;
        throw error;
      });
    let end = await once();
    for (let tries = sandboxTries; tries > 1 && end !== undefined && !wasStarted(end, plan); tries -= 1)
      end = await once();
    if (end === undefined || !wasStarted(end, plan) || end.how !== "exit" || end.stdout.omitted > 0) return undefined;
    if (end.code === 0) return bytesOfOutput(end.stdout);
    return end.code === 1 ? "none" : end.code === 128 ? "failed" : undefined;
  };
}

const withoutScratch = ({ scratch: _, ...kept }: ShellSettings): ShellSettings => kept;

/** Names the part of git that is another than when the line was judged, in words. */
async function changedOfGit(
  git: GitOfLine,
  names: readonly string[],
  plan: Plan,
  ask: AskGit | undefined,
): Promise<string | undefined> {
  if (!isAsJudged(git, names, plan)) return "settings of git";
  const isSame = ask === undefined || (await areSameObjects(plan.commands ?? [], ask));
  return isSame ? undefined : "what git would show";
}

/** Tells whether git is kept from as much as when the command was judged. */
const isAsJudged = (git: GitOfLine, names: readonly string[], { commands = [], environment = [] }: Plan): boolean =>
  names.join(" ") === environment.join(" ") &&
  git.commands.every(
    ({ obeysFolder, understood }, at) =>
      obeysFolder === commands[at]?.obeysFolder && understood === commands[at]?.understood,
  );

/**
 * Bash gets the very bytes that were judged, as one argument; `--` because they may begin with a dash. It reads no file of its own
 * before them, and knows the patterns that they were read with.
 */
const bashSpec = ({ command }: Args, { cwd }: Plan, env: Record<string, string>): ChildSpec => ({
  program: "/bin/bash",
  args: ["--noprofile", "--norc", "-O", "extglob", "-c", "--", command],
  cwd,
  env,
  merged: true,
  maxOutputBytes: limits.commandOutput.most,
});
