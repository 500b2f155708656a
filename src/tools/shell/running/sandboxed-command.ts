import type { PlannedCommand } from "../../../core/command.ts";
import { type ClosedPlaces, type Plan, rootsOf, type ToolContext } from "../../../core/tool.ts";
import { repositoryRoot } from "../../../files/project-root.ts";
import type { ChildSpec } from "../../../process/run-child.ts";
import { sandboxHint } from "../command-words.ts";
import { cutWarning } from "../reading/expansions.ts";
import { isGitLine } from "../reading/git-line.ts";
import { AroundPrograms, type ProgramView } from "./around-programs.ts";
import { homeHint } from "./home-hint.ts";
import { type MountProof, mountProof } from "./mount-proof.ts";
import { neededPrograms } from "./needed-programs.ts";
import { boxWords, heldFrom } from "./reading-box.ts";
import { type Mount, type SandboxState, sandboxArguments } from "./sandbox.ts";
import { maskHint, masksFor } from "./sandbox-masks.ts";
import { sandboxMounts } from "./sandbox-mounts.ts";
import type { ShellSettings } from "./surroundings.ts";
import { needsLittle } from "./system-settings.ts";

/** So many names are looked at around folders of programs: some microseconds each, with the folders that they lie in. */
const mostAround = 2_000;

/** The command that is run; `hint`: words for a failed one on the things that the sandbox kept from it, by its output. */
export interface ReadySpec {
  spec: ChildSpec;
  hint(said: string): string[];
  /** The words that are told of it however it ended. */
  words?: string[];
}

// Keeps tools 3.
/**
 * The command in the sandbox, with what it may see and what it is told where that is too little.
 * @param fd the opened folder that it runs in, where it is no root.
 * @throws Error where there is no sandbox any more: what was approved was a command in it.
 */
export function inSandbox(
  spec: ChildSpec,
  state: SandboxState,
  plan: Plan,
  { scratch, hidden, sandboxWrite: write, sandboxRead: read }: ShellSettings,
  { ctx, fd }: { ctx: ToolContext; fd: number | undefined },
): ReadySpec {
  if (!state.works) throw new Error(`the sandbox is gone: ${state.why}`);
  const { commands = [], network = false } = plan;
  const { cwd, env } = spec;
  const readsOnly = plan.effect === "none";
  // Git without its repository would tell that there is none.
  const isReading = readsOnly && !commands.some(({ outerGit }) => outerGit === true);
  const repository = repositoryRoot(ctx.workspace);
  const { closed = allClosed } = ctx;
  // A git that only tells needs to write nothing, though another one by its name does.
  const isGit = !readsOnly && isGitLine(commands);
  // What git writes down of the working tree must be what lies there.
  const held = isReading ? heldFrom(commands, { ...ctx, sandbox: true, network }, rootsOf(ctx), closed) : undefined;
  const masks = held?.mounts ?? (isGit || ctx.closed === undefined ? [] : masksFor(commands, rootsOf(ctx), closed));
  const { mounts, home } = sandboxMounts({
    ...{ roots: rootsOf(ctx), env, read, named: namedFiles(commands), closed },
    ...{ cwd, hidden, write, isGit, masks },
    ...(isReading ? { programs: readersPrograms(commands, env, { roots: rootsOf(ctx), closed }) } : {}),
    // What lies beside the workspace is none of a reader's.
    ...(repository === undefined || isReading ? {} : { repository }),
    ...(scratch === undefined ? {} : { scratch }),
  });
  const proof = mountProof(mounts, ctx.pins, { path: cwd, fd });
  return {
    spec: boxed(spec, state, { mounts, proof, network }),
    // Where nobody is asked, nobody has read it in the question.
    ...(held === undefined
      ? {}
      : { words: [...boxWords(commands, held), ...(plan.warnings ?? []).filter((one) => one === cutWarning)] }),
    hint: (said) => [
      ...sandboxHint(said, network),
      ...homeHint(said, commands, home, closed),
      ...maskHint(said, masks),
    ],
  };
}

const readersPrograms = (
  commands: readonly PlannedCommand[],
  env: Readonly<Record<string, string>>,
  { roots, closed }: { roots: readonly string[]; closed: ClosedPlaces },
): ProgramView => ({
  ...neededPrograms(env["PATH"] ?? "", commands),
  around: new AroundPrograms(closed, mostAround),
  isSmall: needsLittle(commands, roots),
});

/** The command as bubblewrap starts it, with what lies over the disk there. */
export function boxed(
  spec: ChildSpec,
  { program, filter }: Extract<SandboxState, { works: true }>,
  { mounts, proof, network }: { mounts: readonly Mount[]; proof: MountProof | undefined; network: boolean },
): ChildSpec {
  const given = proof?.given ?? [];
  const box = sandboxArguments({
    ...{ cwd: spec.cwd, network, mounts, given: given.length },
    ...(filter === undefined ? {} : { filter }),
  });
  const args = [...box.args, ...(proof?.args ?? []), spec.program, ...spec.args];
  return { ...spec, program, args, reports: true, feeds: box.feeds, ...(proof === undefined ? {} : { given }) };
}

/** All places as closed, where nobody says which are: nothing of a home is open. */
const allClosed: ClosedPlaces = { isClosed: () => true, mayHold: () => true };

/** Files that the line names: to be read, or run. */
const namedFiles = (commands: readonly PlannedCommand[]): string[] => {
  const all = commands.flatMap(({ paths, program, scripts = [] }) => [
    ...paths.filter(({ access }) => access === "read").map(({ real }) => real),
    ...(program === undefined ? [] : [program]),
    ...scripts.map(({ path }) => path),
  ]);
  return [...new Set(all)].slice(0, mostNamed);
};

/** More files of a home than these nobody names one by one. */
const mostNamed = 100;
