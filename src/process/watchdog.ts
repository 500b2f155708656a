import { type ChildProcess, spawn } from "node:child_process";

/**
 * Reads the number of a group, then waits. A second line means that the group's end was seen. The end of the pipe means that
 * whoever held it is gone, however it died: then the group is ended, TERM first, KILL two seconds later.
 */
const script = `
trap '' HUP INT TERM
IFS= read -r group || exit 0
IFS= read -r over && exit 0
kill -s TERM -- "-$group" 2>/dev/null || exit 0
i=0
while [ "$i" -lt 20 ] && kill -s 0 -- "-$group" 2>/dev/null; do sleep 0.1; i=$((i + 1)); done
kill -s KILL -- "-$group" 2>/dev/null
exit 0
`;

export interface Watchdog {
  /** From now on the group ends with this process. */
  watch(group: number): void;
  /** The group has ended: nothing is left to do. Resolves when the watchdog is reaped. */
  dismiss(): Promise<void>;
}

/**
 * A process of its own that ends a group when this one is gone: Node has no other way to make a child end with its parent.
 * It has its own session, so that what ends the terminal's processes does not end it.
 * @throws where no process can be started.
 */
export async function startWatchdog(): Promise<Watchdog> {
  const shell = spawn("/bin/sh", ["-c", script], {
    detached: true,
    cwd: "/",
    env: {},
    stdio: ["pipe", "ignore", "ignore"],
  });
  await started(shell);
  const ended = new Promise<void>((resolve) => shell.once("exit", () => resolve()));
  // A watchdog that somebody killed is not written to any more; the group then ends by us alone.
  shell.stdin.on("error", () => undefined);
  return {
    watch: (group) => void shell.stdin.write(`${group}\n`),
    dismiss: async () => {
      shell.stdin.end("\nover\n");
      await ended;
    },
  };
}

/** @throws what kept the process from starting. */
export function started(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
}
