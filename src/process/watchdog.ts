import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";

/**
 * Reads which groups begin (`+ 123`) and which are over (`- 123`). The end of the pipe means that whoever held it is gone, however it
 * died: then the groups that are left are ended, TERM first, KILL two seconds later.
 */
const script = `
trap '' HUP INT TERM
groups=
while IFS=' ' read -r word group; do
  case $word in
    +) groups="$groups $group" ;;
    -) left=
       for one in $groups; do [ "$one" = "$group" ] || left="$left $one"; done
       groups=$left ;;
  esac
done
signal() { found=1; for one in $groups; do kill -s "$1" -- "-$one" 2>/dev/null && found=0; done; return $found; }
signal TERM || exit 0
i=0
while [ "$i" -lt 20 ] && signal 0; do sleep 0.1; i=$((i + 1)); done
signal KILL
exit 0
`;

export interface Watchdog {
  /** From now on the group ends with this process. */
  watch(group: number): void;
  /** The group has ended: nothing is left to do for it. */
  dismiss(group: number): void;
}

/** Those that end with this process. */
const groups = new Set<number>();
/** The one of this process, for as long as it lives: what it waits for is this process's end. */
let standing: ChildProcess | undefined;
let beginning: Promise<void> | undefined;

// Keeps process 1.
/**
 * A process of its own that ends groups when this one is gone: Node has no other way to make a child end with its parent. One for all
 * children, begun with the first of them. It has its own session, so that what ends the terminal's processes does not end it; where
 * somebody ends it all the same, another takes its place.
 * @throws where no process can be started.
 */
export async function standBy(): Promise<Watchdog> {
  beginning ??= standing === undefined ? begin() : undefined;
  await beginning;
  return {
    watch: (group) => {
      groups.add(group);
      tell("+", group);
    },
    dismiss: (group) => {
      groups.delete(group);
      tell("-", group);
    },
  };
}

/** Is in the pipe when this returns. One that begins only now is told of all groups then. */
const tell = (word: "+" | "-", group: number): void => void standing?.stdin?.write(`${word} ${group}\n`);

async function begin(): Promise<void> {
  // Where the process may have no more files open it has no streams either.
  const shell: ChildProcess = spawn("/bin/sh", ["-c", script], {
    detached: true,
    cwd: "/",
    env: {},
    stdio: ["pipe", "ignore", "ignore"],
  });
  shell.stdin?.on("error", () => undefined);
  // At once: should we end before it has begun, it still reads them. Those that begin meanwhile are told below.
  tellAll(shell);
  await started(shell).finally(() => {
    beginning = undefined;
  });
  standing = shell;
  shell.once("exit", () => {
    standing = undefined;
    // Where there can be no other, the groups end by us alone.
    if (groups.size > 0) void standBy().catch(() => undefined);
  });
  // It waits for our end, and we not for its.
  shell.unref();
  (shell.stdin as Socket).unref();
  tellAll(shell);
}

/** A group that is told twice is one group. */
function tellAll(shell: ChildProcess): void {
  for (const group of groups) shell.stdin?.write(`+ ${group}\n`);
}

/** @throws what kept the process from starting. */
export function started(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
}
