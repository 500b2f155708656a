import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { Place } from "./cli.ts";
import { type Answer, asks, says } from "./model-server.ts";
import { RawStore } from "./raw-store.ts";
import { startWebServer } from "./web-server.ts";

/** What may be under way when the person or the system wants an end; none of it would end by itself while a test waits. */
export interface Scene {
  answers: Answer[];
  files?: Record<string, string>;
  /** More arguments of the command. */
  argv?: readonly string[];
  /** Resolves once it is under way. */
  begun(place: Place): Promise<void>;
  /** In the command line of every process of it. */
  mark?: string;
  /** It is asked about where a later command without these arguments goes on with it. */
  asks?: true;
}

/** Tells whether a command line has this mark, and not one of which it is a part: `sleep 70.12` is not in `sleep 70.123`. */
export function isMarked(line: string, mark: string): boolean {
  const goesOn = (one = "", next = ""): boolean => /\w/u.test(one) && /\w/u.test(next);
  for (let at = line.indexOf(mark); at !== -1; at = line.indexOf(mark, at + 1)) {
    const end = at + mark.length;
    if (!goesOn(line[at - 1], mark[0]) && !goesOn(mark.at(-1), line[end])) return true;
  }
  return false;
}

/** How many processes of this machine have this mark in their command line. */
export const processesOf = (mark: string): number =>
  spawnSync("ps", ["-eo", "args"], { encoding: "utf8" })
    .stdout.split("\n")
    .filter((line) => isMarked(line, mark) && !line.startsWith("ps ")).length;

const until = (fact: () => boolean): Promise<void> =>
  expect.poll(fact, { interval: 20 }).toBe(true) as unknown as Promise<void>;

const asked = (place: Place): Promise<void> => until(() => place.server.requests.length > 0);

/** Of the last scene's sleep; with the process in it each is known among all of the machine's. */
let seconds = 70_000;

/** @param script with SLEEP for a sleep of its own, and STARTED for what says that it runs */
function command(script: string): Scene {
  seconds += 1;
  const mark = `sleep ${seconds}.${process.pid}`;
  const text = script.replaceAll("SLEEP", mark).replaceAll("STARTED", "echo > started.txt");
  return {
    answers: [asks("shell", { command: "bash run.sh", timeout_ms: 600_000 })],
    files: { "run.sh": `${text}\n` },
    argv: ["--mode", "full-auto"],
    begun: (place) => until(() => place.has("started.txt") && processesOf(mark) > 0),
    mark,
  };
}

/** Rust's matcher keeps no table of so many states: it goes through all of them for each byte. */
const slow = `(0|1)*1${"(0|1){900}".repeat(6)}Q${process.pid}`;
const bits = `${Array.from({ length: 4_000 }, (_, i) => (i * i * 2_654_435_761).toString(2)).join("")}\n`.repeat(40);

async function silentPage(): Promise<Scene> {
  const server = await startWebServer({ "/page": () => undefined });
  return {
    answers: [asks("web_fetch", { url: `${server.url}/page` })],
    argv: ["--allow", `web_fetch(127.0.0.1:${server.port})`],
    begun: () => until(() => server.seen.length > 0),
    asks: true,
  };
}

/** Another program that keeps the store locked until it is released. */
export function lockStore(place: Place): { release(): void } {
  const other = new RawStore(join(place.home, "agent.db"));
  other.exec("BEGIN IMMEDIATE");
  const release = (): void => {
    other.close();
  };
  onTestFinished(release);
  return { release };
}

/** What a model says that does not come to its end, however slow a test is meanwhile. */
export const endless: Answer = says("word ".repeat(100_000), { chunks: 100_000, delayMs: 20 });

export const scenes: Readonly<Record<string, () => Scene | Promise<Scene>>> = {
  "a model that says nothing": () => ({ answers: [says("", { hangAfter: 0 })], begun: asked }),
  "a model that speaks on and on": () => ({
    answers: [endless],
    begun: asked,
  }),
  "a model that falls silent in its answer": () => ({
    answers: [says("word word word", { hangAfter: 2 })],
    begun: asked,
  }),
  "a search that takes very long": () => ({
    answers: [asks("grep", { pattern: slow })],
    files: { "bits.txt": bits },
    begun: () => until(() => processesOf(slow) > 0),
    mark: slow,
  }),
  "a command": () => command("STARTED; SLEEP"),
  "a command that ignores TERM": () => command("trap '' TERM; STARTED; SLEEP"),
  "a command with a stubborn process in its background": () => command("(trap '' TERM; SLEEP) & STARTED; SLEEP"),
  "a server that never answers": silentPage,
};
