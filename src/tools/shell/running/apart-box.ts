import type { ClosedPlaces, Plan, ToolContext } from "../../../core/tool.ts";
import { rootsOf } from "../../../core/tool.ts";
import { isInside } from "../../../files/boundary.ts";
import { repositoryRoot } from "../../../files/project-root.ts";
import type { ChildSpec } from "../../../process/run-child.ts";
import { trustedReal } from "../reading/led-way.ts";
import { AroundPrograms } from "./around-programs.ts";
import { lookAt, masked, realOf } from "./closed-below.ts";
import { closedIn, versionFolders } from "./closed-in.ts";
import type { MadeBytes } from "./made-files.ts";
import { mountProof } from "./mount-proof.ts";
import { anyPrograms } from "./needed-programs.ts";
import { emptiedDisk } from "./reading-box.ts";
import type { Mount, SandboxState } from "./sandbox.ts";
import { callFilter } from "./sandbox-filter.ts";
import { homeView } from "./sandbox-home.ts";
import { foldersAbove, socketMounts } from "./sandbox-mounts.ts";
import { boxed, type ReadySpec } from "./sandboxed-command.ts";
import type { ShellSettings } from "./surroundings.ts";

// Keeps tools 10.
/*
 * The box apart: the sandbox of a line that only runs files which its session made whole. Of the workspace, the added folders and the repository
 * around them nothing is in it but these files, by the very bytes that were compared, to be read alone. Else there are the system's programs, tool
 * chains, and what the person named: what is in `sandboxRead`, to be read, and the folders of `sandboxWrite`, to be written. There is no network,
 * no variable that the person lets pass, and nothing that a command of before has kept.
 */

/** So many names are looked at around folders of programs: such a line may start any of them. */
const mostAround = 8_000;

/** The line as it is run there. @throws Error where there is no sandbox any more. */
export function inApartBox(
  spec: ChildSpec,
  state: SandboxState,
  plan: Plan,
  settings: ShellSettings,
  { ctx, made }: { ctx: ToolContext; made: readonly MadeBytes[] },
): ReadySpec {
  if (!state.works) throw new Error(`the sandbox is gone: ${state.why}`);
  if (plan.network === true || ctx.closed === undefined)
    throw new TypeError("such a line has no network, and its rules");
  const mounts = apartMounts({ ctx, closed: ctx.closed, env: spec.env, settings, cwd: spec.cwd, made });
  // None of the roots is there. A folder in one that the person named is, by its name.
  const proof = mountProof(mounts, ctx.pins, undefined);
  return {
    spec: boxed(spec, withoutSetId(state), { mounts, proof, network: false }),
    words: ["of the workspace only files that this session wrote were there, and could only be read"],
    hint: () => ["to run it with the whole workspace, call again with workspace: true; a person is asked"],
  };
}

/** Adds the filter by which files left in a folder that the person named give nobody their owner's rights: nobody looks there afterwards. */
function withoutSetId(state: Working): Working {
  const filter = state.filter && callFilter({ keepsSetId: true });
  return filter === undefined ? state : { ...state, filter };
}

type Working = Extract<SandboxState, { works: true }>;

interface ApartPlaces {
  ctx: ToolContext;
  closed: ClosedPlaces;
  env: Readonly<Record<string, string>>;
  settings: ShellSettings;
  cwd: string;
  made: readonly MadeBytes[];
}

/** Lists the mounts that lie over the read-only disk, in their order. */
function apartMounts({ ctx, closed, env, settings, cwd, made }: ApartPlaces): Mount[] {
  const roots = rootsOf(ctx);
  const { sandboxRead: read, sandboxWrite: write, hidden } = settings;
  const programs = {
    ...anyPrograms(env["PATH"] ?? ""),
    around: new AroundPrograms(closed, mostAround),
    isSmall: false,
  };
  const home = homeView({ roots, env, read, write, named: [], programs, closed });
  const repository = repositoryRoot(ctx.workspace);
  const tops = byDepth(new Set([...(repository === undefined ? [] : [repository]), ...roots]));
  const named = namedFolders(write, tops);
  const emptied = byDepth(new Set([...tops, cwd]));
  return [
    { at: "/tmp", kind: "nothing" },
    ...emptiedDisk({ roots, write, named: [], env }, home.emptied, programs),
    ...home.mounts,
    ...hidden.flatMap(masked).filter(({ at }) => !isInside("/tmp", at) && !tops.includes(at)),
    ...emptied.map((at): Mount => ({ at, kind: "nothing" })),
    ...named.flatMap((at) => shownFolder(at, closed)),
    ...socketMounts({ roots, isReading: true }, home, named),
    ...made.map(({ file, bytes }): Mount => ({ at: file.path, kind: "data", bytes, ...runs(file) })),
    ...emptied.toReversed().map((at): Mount => ({ at, kind: "ended" })),
    ...home.ends,
  ];
}

const runs = (file: MadeBytes["file"]): { runs?: true } => (file.runs === true ? { runs: true } : {});

const byDepth = (paths: ReadonlySet<string>): string[] => [...paths].sort((a, b) => a.length - b.length);

/** Folders that the person lets be written, but none that holds one of these, or is one. */
function namedFolders(write: readonly string[], tops: readonly string[]): string[] {
  const reals = write.map((path) => realOf(path));
  return write.flatMap((path, index) => {
    const others = reals.filter((real, at) => at !== index && real !== undefined) as string[];
    const at = trustedReal(path, [...tops, ...others]);
    const isNamed = at !== undefined && lookAt(at)?.isDirectory() === true && !tops.some((top) => isInside(at, top));
    return isNamed ? [at] : [];
  });
}

/**
 * To be written, but for what is guarded in it and folders of version control, and none of these is moved with a folder around it, to be made anew;
 * nothing of one that holds too much to look for those.
 */
function shownFolder(at: string, closed: ClosedPlaces): Mount[] {
  const found = closedIn([at], closed, [at], versionFolders);
  if (closed.isClosed(at) || found.isCut) return [];
  const held = [...found.places, ...found.apart];
  const around = byDepth(new Set(held.flatMap((place) => foldersAbove(place, [at]))));
  return [...[at, ...around].map((one): Mount => ({ at: one, kind: "writable" })), ...held.flatMap(masked)];
}
