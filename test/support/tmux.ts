import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { childEnvironment, type Exit, keyBytes, openPty, type Pty, type PtyOptions, waitUntil } from "./pty.ts";

/** A program in a window of tmux, at a pseudo-terminal: what the person sees is what tmux paints there. `raw` is what tmux wrote. */
export interface TmuxPty extends Pty {
  /** Runs a command of tmux on this server. @returns what it prints @throws where tmux refuses it */
  tmux(...command: string[]): string;
  /** Presses tmux's prefix, Ctrl+B, and this key. */
  prefix(key: string): void;
  /** Leaves the program to tmux by Ctrl+B d, and comes back to it at a terminal of this size. */
  reattached(cols: number, rows: number): Promise<void>;
}

/** Neither a row of tmux's own, nor few of those that have scrolled away, nor fewer colours than the terminal has; and what is typed at once is typed. */
const settings = [
  ["set", "-g", "status", "off"],
  ["set", "-g", "history-limit", "10000"],
  ["set", "-as", "terminal-features", ",xterm*:RGB"],
  ["set", "-g", "assume-paste-time", "0"],
].flatMap((setting) => [...setting, ";"]);

/** Stands where a person's shell does: says which process the program is and how it ended, stays, and runs the lines that are typed then. */
const shell = `at=$1
shift
trap : INT TERM
sh -c 'echo $$ >"$0/pid"; exec "$@"' "$at" "$@"
echo $? >"$at/code"
stty sane
mv "$at/code" "$at/ended"
while read -r line; do eval "$line"; done`;

const pollMs = 20;
const mostMs = 120_000;

/**
 * Opens a program in a tmux of its own: its socket stands in a folder of its own, and no settings are read. The server, and all that runs in
 * it, is ended by `close`. @returns once the program runs
 * @param options as of `openPty`; `prints` has no meaning here
 */
export function openTmux(options: PtyOptions): TmuxPty {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-tmux-"));
  const at = ["-u", "-S", join(folder, "s"), "-f", "/dev/null"];
  const server = startServer(at, options);
  const program = ["sh", "-c", shell, "sh", folder, options.command, ...(options.args ?? [])];
  const open = (size: Pick<PtyOptions, "cols" | "rows">, command: readonly string[]): Pty =>
    openPty({ ...options, ...size, command: "tmux", args: [...at, ...command] });
  let client = open(options, [...settings, "new-session", "--", ...program]);
  const [named, ended] = [join(folder, "pid"), join(folder, "ended")];
  until(() => hasBytes(named));

  const tmux = (...command: string[]): string => {
    const answer = asked(at, command);
    if (answer !== undefined) return answer;
    throw new Error(`tmux ${command.join(" ")} failed; the screen:\n${client.screen().join("\n")}`);
  };
  const told = (format: string): string => tmux("display-message", "-p", format).trimEnd();
  const scrolled = createScrolled(tmux);

  const pty: TmuxPty = {
    pid: Number(readFileSync(named, "utf8")),
    get term() {
      return client.term;
    },
    get exit() {
      return exitOf(ended);
    },
    tmux,
    prefix: (key) => client.type(`${keyBytes("ctrl-b")}${keyBytes(key)}`),
    async reattached(cols, rows) {
      pty.prefix("d");
      await waitUntil(client, () => client.hasEnded(), mostMs);
      await client.close();
      client = open({ cols, rows }, ["attach-session"]);
      await waitUntil(client, () => told("#{session_attached}") === "1", mostMs);
    },
    waitFor: (wanted, timeout = mostMs) => waitUntil(pty, wanted, timeout),
    key: (...names) => client.key(...names),
    type: (text) => client.type(text),
    leave: () => client.leave(),
    paste: (text) => client.paste(text),
    resize: (cols, rows) => client.resize(cols, rows),
    async resized(cols, rows) {
      const painted = join(folder, "painted");
      tmux("pipe-pane", `cat >'${painted}'`);
      client.resize(cols, rows);
      await waitUntil(client, () => hasBytes(painted), mostMs);
      tmux("pipe-pane");
      rmSync(painted);
    },
    screen: () => client.screen(),
    scrollback: () => [...scrolled(client.painted()), ...client.screen()],
    painted: () => client.painted(),
    raw: () => client.raw(),
    cells: (row) => client.cells(row),
    cursor: () => client.cursor(),
    isFull: () => told("#{alternate_on}") === "1",
    kill: (signal = "SIGTERM") => void process.kill(pty.pid, signal),
    hasEnded: () => existsSync(ended),
    async close() {
      await endServer(server, Number(asked(at, ["display-message", "-p", "#{pane_pid}"])));
      await client.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return pty;
}

/** The rows that have scrolled away; tmux is asked only where something was painted since the last time. */
function createScrolled(tmux: TmuxPty["tmux"]): (painted: number) => string[] {
  let [asked, rows]: [number, string[]] = [-1, []];
  return (painted) => {
    if (painted === asked) return rows;
    const size = "#{history_size}";
    const [count = "0", ...text] = tmux("display-message", "-p", size, ";", "capture-pane", "-p", "-S", "-", "-E", "-1")
      .trimEnd()
      .split("\n");
    asked = painted;
    rows = count === "0" ? [] : text;
    return rows;
  };
}

const hasBytes = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;

/** A shell has one number for how a program ended: 128 and the signal's, where one ended it. */
async function exitOf(ended: string): Promise<Exit> {
  while (!existsSync(ended)) await sleep(pollMs);
  return { code: Number(readFileSync(ended, "utf8")), signal: 0 };
}

/** The server stays a child of this process: whatever becomes of it, nothing of it is left. @returns once it answers */
function startServer(at: readonly string[], { cwd, env }: PtyOptions): ChildProcess {
  const server = spawn("tmux", [...at, "-D"], { cwd, env: childEnvironment(env ?? {}), stdio: "ignore" });
  until(() => asked(at, ["show-options", "-g", "status"]) !== undefined);
  return server;
}

/** Ends what runs in tmux, and then tmux. */
async function endServer(server: ChildProcess, program: number): Promise<void> {
  try {
    if (program > 0) process.kill(-program, "SIGKILL");
  } catch {
    // it has ended
  }
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, "exit");
  server.kill("SIGKILL");
  await ended;
}

/** What a command prints; undefined where the server does not run or refuses it. */
function asked(at: readonly string[], command: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync("tmux", [...at, ...command], { encoding: "utf8" });
  return status === 0 ? stdout : undefined;
}

const mostTries = 6_000;

/** Waits without a turn of the event loop: whoever opens a terminal has it at once. */
function until(holds: () => boolean): void {
  const never = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; !holds(); tries += 1) {
    if (tries > mostTries) throw new Error("tmux did not begin");
    Atomics.wait(never, 0, 0, 10);
  }
}
