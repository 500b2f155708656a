import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { readUnlocked } from "../../../files/locked-files.ts";
import { type GuardedProxy, openGuardedProxy } from "../../../net/guarded-proxy.ts";
import { builtFile, isGone } from "../../built-file.ts";
import type { StartedEntry } from "../entry.ts";
import type { Connection, Heard } from "../messages.ts";
import { type StartSpec, startServer } from "../started-server.ts";
import type { BrowserWay } from "./browser-way.ts";
import type { ShownPage } from "./open-pages.ts";

// Keeps tools 12.
/**
 * Starts a server that is a browser, whose traffic has no way but a proxy of its own, which ends with it, as does the folder that it keeps its files in.
 * @throws what kept it from starting.
 */
export async function startBrowserServer(
  spec: StartSpec,
  browser: BrowserWay,
  heard: Heard,
  signal: AbortSignal,
): Promise<Connection> {
  const { log, entry } = spec;
  const refuses = browser.refuses.bind(browser);
  const proxy = await openGuardedProxy({ way: browser.way, refuses, log: (line) => log.write(`[proxy] ${line}`) });
  let folder: string | undefined;
  let launcher: string | undefined;
  const end = async (): Promise<void> => {
    await proxy.close();
    for (const path of [folder, launcher]) if (path !== undefined) rmSync(path, { recursive: true, force: true });
  };
  try {
    for (const at of [tmpdir(), spec.cwd]) removeLeft(at);
    folder = makeOwnFolder();
    const file = join(folder, "config.json");
    writeFileSync(file, JSON.stringify(settingsOf(proxy, join(folder, "output"))), { mode: 0o600 });
    const env = { ...entry.env, TMPDIR: folder, PLAYWRIGHT_MCP_CONFIG: file };
    const pages = join(folder, "pages.json");
    launcher = join(spec.cwd, `${basename(folder)}.sh`);
    const args = throughPipe(entry, launcher, pages);
    const connection = await startServer({ ...spec, entry: { ...entry, args, env } }, heard, signal);
    browser.began({ refused: () => proxy.refused(), pages: () => pagesIn(pages) });
    return endingWith(connection, connection.ended.then(end));
  } catch (error) {
    await end();
    throw error;
  }
}

const executable = "--executable-path";

/**
 * Words of the server by which it starts, in its browser's place, what notes in `pages` which pages that shows.
 * @param launcher not among temporary files, which may lie where no program is started from
 */
function throughPipe({ args }: StartedEntry, launcher: string, pages: string): string[] {
  const at = args.findIndex((arg) => arg === executable || arg.startsWith(`${executable}=`));
  const isOne = args[at] !== executable;
  const chromium = isOne ? args[at]?.slice(executable.length + 1) : args[at + 1];
  const pipe = builtFile("browser-pipe");
  if (pipe === undefined) throw new Error(isGone("browser-pipe"));
  const words = [process.execPath, pipe, pages, chromium ?? ""].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  writeFileSync(launcher, `#!/bin/sh\nexec ${words.join(" ")} "$@"\n`, { mode: 0o700 });
  return args.toSpliced(at, isOne ? 1 : 2, executable, launcher);
}

/** As the browser has told of them; none where it does not run. */
function pagesIn(file: string): ShownPage[] {
  try {
    return JSON.parse(readUnlocked(file).toString()) as ShownPage[];
  } catch {
    return [];
  }
}

/** The same, which has ended once this has, too. */
const endingWith = (connection: Connection, ended: Promise<void>): Connection => ({
  protocol: connection.protocol,
  get note() {
    return connection.note;
  },
  get why() {
    return connection.why;
  },
  ended,
  request: (...asked) => connection.request(...asked),
  tell: (...told) => connection.tell(...told),
  becomeModern: () => connection.becomeModern(),
  replyTo: (...asked) => connection.replyTo(...asked),
  end: async (reason) => {
    await connection.end(reason);
    await ended;
  },
});

/** For what the browser keeps while it runs. Where the system has its temporary files, for the path of a socket may have but a hundred bytes. */
function makeOwnFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), `holdfast-browser-${process.pid}-`));
  mkdirSync(join(folder, "output"), { mode: 0o700 });
  return folder;
}

/** Removes the files and folders that killed agents left in a folder. */
function removeLeft(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = /^holdfast-browser-(\d+)-/u.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      // Another user's.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** As the server reads them. Its browser is spoken to over a pipe, and keeps nothing. */
const settingsOf = ({ url, user, token }: GuardedProxy, outputDir: string) => ({
  browser: {
    browserName: "chromium",
    isolated: true,
    launchOptions: {
      // Without the bypass this machine would be reached past the proxy.
      proxy: { server: url, username: user, password: token, bypass: "<-loopback>" },
      chromiumSandbox: process.getuid?.() !== 0,
      args: pastTheProxy,
    },
  },
  outputDir,
  webmcp: false,
});

/** Options against traffic that would go another way than over the proxy: QUIC, peers of WebRTC, and names that are looked up ahead. */
const pastTheProxy = [
  "--disable-quic",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];
