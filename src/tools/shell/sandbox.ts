import { execFile } from "node:child_process";
import { geteuid, platform } from "node:process";
import { findProgram } from "../../process/find-program.ts";

/** Whether commands can be run in a sandbox here; `why` not, in words. */
export type SandboxState = { works: true; program: string } | { works: false; why: string };

const probeMs = 5_000;
/** Folders of the system alone: what makes the sandbox is not looked for where others could put it. */
const lookedIn = "/usr/local/bin:/usr/bin:/bin:/run/current-system/sw/bin";

/** Looks for bubblewrap and runs it once with all that a command's sandbox is made of: a kernel or a container may not let it. */
export async function findSandbox(): Promise<SandboxState> {
  if (platform !== "linux") return { works: false, why: "it is made by bubblewrap, which is for Linux" };
  const program = await findProgram("bwrap", "/", lookedIn);
  if (program === undefined) return { works: false, why: "bubblewrap (bwrap) is not installed" };
  const why = await new Promise<string | undefined>((resolve) => {
    const args = [...rootArguments(false), ...isolation(false), "--", "/bin/sh", "-c", ":"];
    execFile(program, args, { env: {}, timeout: probeMs }, (error, _, stderr) =>
      resolve(error === null ? undefined : (stderr.trim().split("\n")[0] ?? error.message)),
    );
  });
  return why === undefined ? { works: true, program } : { works: false, why: `${program} does not work here: ${why}` };
}

/** What one command's sandbox holds; all paths absolute and there. Later ones lie over earlier ones. */
export interface SandboxSpec {
  cwd: string;
  network: boolean;
  mounts: readonly Mount[];
}

/** `nothing`: an empty folder, or an empty file where `isFile`. `empty`: an empty folder that stays so, made where it is not there. */
export type Mount =
  | { at: string; kind: "writable" | "read-only" | "nothing" | "empty"; isFile?: false }
  | { at: string; kind: "nothing"; isFile: true }
  /** This folder in the place of that one. */
  | { at: string; kind: "writable"; from: string; isFile?: false };

/** The descriptor that bubblewrap reports at: that the command was run, and how it ended. */
const reportAt = "4";

/** The arguments of bubblewrap before those of the program that it is to run. */
export function sandboxArguments({ cwd, network, mounts }: SandboxSpec): string[] {
  const own = mounts.flatMap(mountArguments);
  const report = ["--json-status-fd", reportAt];
  return [...rootArguments(network), ...own, ...isolation(network), ...report, "--chdir", cwd, "--"];
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

function mountArguments(mount: Mount): string[] {
  const { at, kind } = mount;
  switch (kind) {
    case "writable":
      return ["--bind", "from" in mount ? mount.from : at, at];
    case "read-only":
      return ["--ro-bind", at, at];
    case "nothing":
      return mount.isFile === true ? ["--ro-bind", "/dev/null", at] : ["--tmpfs", at];
    case "empty":
      return ["--tmpfs", at, "--remount-ro", at];
  }
}

/** Whether the command itself was run, by what bubblewrap reported: it tells of an end only then. */
export const wasRun = (report: string): boolean => report.includes('"exit-code"');
