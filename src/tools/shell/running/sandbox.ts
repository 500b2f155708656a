import { spawn } from "node:child_process";
import { geteuid, platform } from "node:process";
import type { Writable } from "node:stream";
import { findProgram } from "../../../process/find-program.ts";
import { feedsFrom } from "../../../process/run-child.ts";
import { callFilter } from "./sandbox-filter.ts";

/** The state of the sandbox here: commands can be run in it, or `why` not, in words. */
export type SandboxState =
  /** `filter`: what keeps the kernel's keyrings from a command; absent where this machine takes none. */
  { works: true; program: string; filter?: Uint8Array } | { works: false; why: string };

const probeMs = 5_000;
/** Folders of the system alone: what makes the sandbox is not looked for where others could put it. */
const lookedIn = "/usr/local/bin:/usr/bin:/bin:/run/current-system/sw/bin";

/** Looks for bubblewrap and runs it once with all that a command's sandbox is made of: a kernel or a container may not let it. */
export async function findSandbox(): Promise<SandboxState> {
  if (platform !== "linux") return { works: false, why: "it is made by bubblewrap, which is for Linux" };
  const program = await sandboxProgram();
  if (program === undefined) return { works: false, why: "bubblewrap (bwrap) is not installed" };
  const filter = callFilter();
  const why = await tried(program, filter);
  if (why === undefined) return { works: true, program, ...(filter === undefined ? {} : { filter }) };
  const plain = filter === undefined ? why : await tried(program, undefined);
  return plain === undefined
    ? { works: true, program }
    : { works: false, why: `${program} does not work here: ${plain}` };
}

/** The file of bubblewrap; undefined where it is not installed. Whether it works is not tried. */
export const sandboxProgram = (): Promise<string | undefined> => findProgram("bwrap", "/", lookedIn);

/** @returns what went wrong, in its words. */
function tried(program: string, filter: Uint8Array | undefined): Promise<string | undefined> {
  const filtered = filter === undefined ? [] : ["--seccomp", "3"];
  const args = [...rootArguments(false), ...isolation(false), ...filtered, "--", "/bin/sh", "-c", ":"];
  return new Promise((resolve) => {
    const child = spawn(program, args, { env: {}, stdio: ["ignore", "ignore", "pipe", "pipe"] });
    const pipe = child.stdio?.[3] as Writable | undefined; // none where it could not be started
    let said = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    // What it has begun may outlive it with the pipes in hand, so that no end of them is waited for.
    const late = setTimeout(() => {
      child.kill("SIGKILL");
      child.stderr?.destroy();
      pipe?.destroy();
      resolve(`it did not end within ${probeMs / 1_000} s`);
    }, probeMs);
    const ended = (why: string | undefined): void => {
      clearTimeout(late);
      resolve(why);
    };
    pipe?.on("error", () => undefined); // it ended before it read
    pipe?.end(filter ?? "");
    child.once("error", (error) => ended(error.message));
    child.once("close", (code, signal) =>
      ended(code === 0 ? undefined : said.trim().split("\n")[0] || `it ended by ${signal ?? `code ${code}`}`),
    );
  });
}

/** The contents of one command's sandbox; all paths absolute and there. Later ones lie over earlier ones. */
export interface SandboxSpec {
  cwd: string;
  network: boolean;
  mounts: readonly Mount[];
  /** Of system calls, as seccomp takes it. */
  filter?: Uint8Array;
  /** The number of descriptors that the child is given beside: those that it is fed by come behind them. */
  given?: number;
}

/**
 * `nothing`: an empty folder, or where `isFile` a file that cannot be opened. `empty`: an empty folder that stays so, made where it is
 * not there. `ended`: from here on nothing is made in the folder that was laid there.
 */
export type Mount =
  | { at: string; kind: "writable" | "read-only" | "nothing" | "empty" | "ended"; isFile?: false }
  | { at: string; kind: "nothing"; isFile: true }
  /** This folder or file in the place of that one. */
  | { at: string; kind: "writable" | "read-only"; from: string; isFile?: false }
  /** A file that holds this and is only read; `runs`: it may be run as a program. */
  | { at: string; kind: "data"; bytes: Uint8Array; runs?: true; isFile?: false };

/** The descriptor that bubblewrap reports at: that the command was run, and how it ended. */
const reportAt = "4";

/** The arguments of bubblewrap before those of the program that it is to run, and what it is to read, as `ChildSpec.feeds` takes it. */
export function sandboxArguments({ cwd, network, mounts, filter, given = 0 }: SandboxSpec): {
  args: string[];
  feeds: Uint8Array[];
} {
  const feeds: Uint8Array[] = [];
  const feed = (bytes: Uint8Array): string => String(feedsFrom(given) + feeds.push(bytes) - 1);
  const own = mounts.flatMap((mount) => mountArguments(mount, feed));
  const report = ["--json-status-fd", reportAt];
  const filtered = filter === undefined ? [] : ["--seccomp", feed(filter)];
  return {
    args: [...rootArguments(network), ...own, ...isolation(network), ...filtered, ...report, "--chdir", cwd, "--"],
    feeds,
  };
}

/**
 * All of the disk, to be read; of devices the harmless ones; none of the sockets that services listen at. The kernel's switches are
 * laid over once more: to root they could be written through the new /proc.
 */
function rootArguments(network: boolean): string[] {
  const kept = [
    "/run/current-system",
    "/run/wrappers",
    ...(network ? ["/run/systemd/resolve", "/run/resolvconf"] : []),
  ];
  return [
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...["--ro-bind", "/proc/sys", "/proc/sys", "--ro-bind-try", "/proc/sysrq-trigger", "/proc/sysrq-trigger"],
    ...["--tmpfs", "/run", ...kept.flatMap((path) => ["--ro-bind-try", path, path])],
  ];
}

/** Of root's rights those over files are left, for its files may belong to anybody. */
function isolation(network: boolean): string[] {
  const kept = geteuid?.() === 0 ? ["CAP_DAC_OVERRIDE", "CAP_CHOWN", "CAP_FOWNER"] : [];
  return [
    ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...(network ? [] : ["--unshare-net"]),
    ...["--cap-drop", "ALL", ...kept.flatMap((name) => ["--cap-add", name])],
  ];
}

function mountArguments(mount: Mount, feed: (bytes: Uint8Array) => string): string[] {
  const { at, kind } = mount;
  switch (kind) {
    case "writable":
      return ["--bind", "from" in mount ? mount.from : at, at];
    case "read-only":
      return ["--ro-bind", "from" in mount ? mount.from : at, at];
    case "data":
      return [...(mount.runs === true ? ["--perms", "0555"] : []), "--ro-bind-data", feed(mount.bytes), at];
    case "ended":
      return ["--remount-ro", at];
    case "nothing":
      return mount.isFile === true ? ["--ro-bind", "/dev/null", at] : ["--tmpfs", at];
    case "empty":
      return ["--tmpfs", at, "--remount-ro", at];
  }
}

/** Tells whether the command itself was run, by bubblewrap's report: it tells of an end only then. */
export const wasRun = (report: string): boolean => report.includes('"exit-code"');
