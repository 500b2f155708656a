import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { childEnvironment, type Exit, keyBytes, openPty, type Pty, type PtyOptions, waitUntil, whole } from "./pty.ts";

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

/**
 * Holds the server, and reads a pipe of ours: where that ends, as it does with this process however it ends, what runs in tmux is ended, and
 * then tmux, and the folder goes. What the server said stands in a file, and so does that it has ended.
 */
const keeper = `at=$1
(tmux -u -S "$at/s" -f /dev/null -D >"$at/said" 2>&1; echo $? >"$at/gone") &
cat >/dev/null
for pane in $(tmux -S "$at/s" list-panes -a -F '#{pane_pid}'); do kill -KILL -"$pane"; done
rm -rf "$at"
kill -KILL 0`;

const pollMs = 20;
const mostMs = 120_000;

/** The path of a socket has 107 bytes. */
const mostBytesOfTemp = 80;

/**
 * Opens a program in a tmux of its own: its socket stands in a folder of its own, and no settings are read. The server, and all that runs in
 * it, is ended by `close`. @returns once the program runs
 * @param options as of `openPty`; `prints` has no meaning here
 * @throws where the server does not run, with what it said; nothing is left then
 */
export function openTmux(options: PtyOptions): TmuxPty {
  const temp = Buffer.byteLength(tmpdir()) > mostBytesOfTemp ? "/tmp" : tmpdir();
  const folder = mkdtempSync(join(temp, "holdfast-tmux-"));
  const server = startServer(folder, options);
  const clients: Pty[] = [];
  try {
    return openWindow(options, folder, server, clients);
  } catch (error) {
    server.stdin.destroy();
    for (const client of clients) void client.close();
    throw error;
  }
}

/** @param clients each that is opened is put in front */
function openWindow(options: PtyOptions, folder: string, server: Server, clients: Pty[]): TmuxPty {
  const at = ["-u", "-S", join(folder, "s"), "-f", "/dev/null"];
  until(folder, () => asked(at, ["show-options", "-g", "status"]) !== undefined);
  const program = ["sh", "-c", shell, "sh", folder, options.command, ...(options.args ?? [])];
  const open = (size: Pick<PtyOptions, "cols" | "rows">, command: readonly string[]): Pty => {
    const opened = openPty({ ...options, ...size, command: "tmux", args: [...at, ...command] });
    clients.unshift(opened);
    return opened;
  };
  let client = open(options, [...settings, "new-session", "--", ...program]);
  const named = join(folder, "pid");
  until(folder, () => hasBytes(named));

  const run = (...command: string[]): string => {
    const answer = asked(at, command);
    if (answer !== undefined) return answer;
    throw new Error(`tmux ${command.join(" ")} failed; the screen:\n${client.screen().join("\n")}`);
  };
  const told = (format: string): string => run("display-message", "-p", format).trimEnd();
  const scrolled = createScrolled(run);
  const end = createEnd(join(folder, "ended"));

  const pty: TmuxPty = {
    pid: Number(readFileSync(named, "utf8")),
    get term() {
      return client.term;
    },
    get exit() {
      return end.exit();
    },
    tmux: (...command) => {
      scrolled.forget();
      return run(...command);
    },
    prefix: (key) => client.type(`${keyBytes("ctrl-b")}${keyBytes(key)}`),
    async reattached(cols, rows) {
      pty.prefix("d");
      await waitUntil(client, () => client.hasEnded(), mostMs);
      await client.close();
      client = open({ cols, rows }, ["attach-session"]);
      scrolled.forget();
      await waitUntil(client, () => told("#{session_attached}") === "1", mostMs);
    },
    waitFor: (wanted, timeout = mostMs) => waitUntil(pty, wanted, timeout),
    key: (...names) => client.key(...names),
    type: (text) => client.type(text),
    leave: () => client.leave(),
    paste: (text) => client.paste(text),
    resize: (cols, rows) => client.resize(cols, rows),
    async resized(cols, rows) {
      await whole(client);
      const painted = join(folder, "painted");
      run("pipe-pane", `cat >'${painted}'`);
      client.resize(cols, rows);
      await waitUntil(client, () => told("#{pane_width}x#{pane_height}") === `${cols}x${rows}`, mostMs);
      await waitUntil(client, () => hasBytes(painted), mostMs);
      run("pipe-pane");
      rmSync(painted);
      await whole(client);
    },
    screen: () => client.screen(),
    scrollback: () => [...scrolled.rows(client.painted()), ...client.screen()],
    painted: () => client.painted(),
    raw: () => client.raw(),
    cells: (row) => client.cells(row),
    cursor: () => client.cursor(),
    isFull: () => told("#{alternate_on}") === "1",
    kill: (signal = "SIGTERM") => void process.kill(pty.pid, signal),
    hasEnded: () => end.seen() !== undefined,
    async close() {
      end.seen();
      await endServer(server);
      end.close();
      await client.close();
    },
  };
  return pty;
}

interface Scrolled {
  /** The rows that have scrolled away; tmux is asked only where something was painted since the last time. */
  rows(painted: number): string[];
  /** Has it asked anew: another terminal counts from 0, and a command may change what is kept. */
  forget(): void;
}

function createScrolled(run: TmuxPty["tmux"]): Scrolled {
  let [asked, rows]: [number, string[]] = [-1, []];
  return {
    rows(painted) {
      if (painted === asked) return rows;
      const size = "#{history_size}";
      const all = ["display-message", "-p", size, ";", "capture-pane", "-p", "-S", "-", "-E", "-1"];
      const [count = "0", ...text] = run(...all)
        .trimEnd()
        .split("\n");
      asked = painted;
      rows = count === "0" ? [] : text;
      return rows;
    },
    forget() {
      asked = -1;
    },
  };
}

const hasBytes = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;

interface End {
  /** How the program ended; undefined while it runs. */
  seen(): Exit | undefined;
  exit(): Promise<Exit>;
  /** It is ended with its window. */
  close(): void;
}

/** A shell has one number for how a program ended: 128 and the signal's, where one ended it. */
function createEnd(ended: string): End {
  let known: Exit | undefined;
  let exit: Promise<Exit> | undefined;
  const seen = (): Exit | undefined => {
    if (known === undefined && hasBytes(ended)) known = { code: Number(readFileSync(ended, "utf8")), signal: 0 };
    return known;
  };
  const wait = async (): Promise<Exit> => {
    for (;;) {
      const one = seen();
      if (one !== undefined) return one;
      await sleep(pollMs);
    }
  };
  return {
    seen,
    exit: () => {
      exit ??= wait();
      return exit;
    },
    close() {
      known ??= { code: 137, signal: 0 };
    },
  };
}

type Server = ChildProcessByStdio<Writable, null, null>;

/** Starts the server under its keeper, in a process group of their own. */
function startServer(folder: string, { cwd, env }: PtyOptions): Server {
  return spawn("sh", ["-c", keeper, "sh", folder], {
    cwd,
    env: childEnvironment(env ?? {}),
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
}

async function endServer(server: Server): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, "exit");
  server.stdin.destroy();
  await ended;
}

/** What a command prints; undefined where the server does not run or refuses it. */
function asked(at: readonly string[], command: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync("tmux", [...at, ...command], { encoding: "utf8", env: childEnvironment({}) });
  return status === 0 ? stdout : undefined;
}

/** Waits without a turn of the event loop: whoever opens a terminal has it at once. @throws where the server has ended */
function until(folder: string, holds: () => boolean): void {
  const never = new Int32Array(new SharedArrayBuffer(4));
  for (const most = Date.now() + mostMs; !holds(); ) {
    const isGone = existsSync(join(folder, "gone"));
    if (isGone) throw new Error(`tmux did not begin: ${readFileSync(join(folder, "said"), "utf8").trim()}`);
    if (Date.now() > most) throw new Error(`tmux did not begin within ${mostMs} ms`);
    Atomics.wait(never, 0, 0, 10);
  }
}
