import { room } from "../room.ts";

/** Sessions, as they are listed, searched, shown, forked, exported and removed. */
export const sessionCommands = room("sessionCommands", {
  noCalls: ({ session }: { session: string }) => `session ${session} has no calls`,
  number: "number of the session (enter for 1): ",
  noNumber: ({ last }: { last: number }) => `there is no such number: 1 to ${last}, or ctrl+c leaves`,
  changedBy: ({ session }: { session: string }) => `changed by session ${session}`,
  playsAgain: ({ file }: { file: string }) => `it plays again with: agent run -m script:${file} --answers`,
  isThere: ({ file }: { file: string }) => `${file} exists already: nothing was written`,
  nothingToFork: ({ session }: { session: string }) =>
    `session ${session} has no settled step: there is nothing to fork`,
  noCall: ({ session, call }: { session: string; call: string }) =>
    `session ${session} has no call ${JSON.stringify(call)}`,
  callsHint: ({ session }: { session: string }) => `agent sessions show ${session} --calls shows its calls`,
  /** `at`: the last call that it has; undefined where it has all. */
  forked: ({
    session,
    turns,
    steps,
    calls,
    at,
  }: Record<"turns" | "steps" | "calls", number> & { session: string; at: string | undefined }) => {
    const counted = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
    const size = [counted(turns, "turn"), counted(steps, "step"), counted(calls, "call")].join(", ");
    return `forked from ${session}: ${size}${at === undefined ? "" : `, through call ${at}`}`;
  },
  stays: ({ session }: { session: string }) => `files are as they are now; ${session} stays as it is`,
  goesOn: ({ fork }: { fork: string }) => `go on with: agent resume ${fork} "…"`,
  letGoOn: ({ fork }: { fork: string }) => `or let the model go on from there: agent resume ${fork}`,
  noSessions: "no sessions",
  noneHere: "no sessions of this folder (--all includes other folders)",
  /** The states of a session. */
  idle: "idle",
  running: "running",
  waits: "waits for you",
  unknown: "outcome unknown",
  isDamaged: "damaged",
  keptForUndo: ({ versions, days }: { versions: number; days: number }) =>
    `${versions} file ${versions === 1 ? "version" : "versions"} kept for undo for more than ${days} ${days === 1 ? "day" : "days"}`,
  daysShape: ({ text }: { text: string }) => `--days takes a whole number from 0, not ${JSON.stringify(text)}`,
  remainders:
    "another process uses the store, or the disk is full: parts of what was removed may stay in its file until sessions are removed again",
  forceHint: "--force removes it anyway",
  lines: ({ count }: { count: number }) => `and ${count} ${count === 1 ? "line" : "lines"} of the chat's input history`,
  mayStill: ({ file, why }: { file: string; why: string }) =>
    `${file} may still hold what was typed: it could not be written (${why})`,
  emptyTitle: "the title is empty",
  called: ({ session, title }: { session: string; title: string }) => `${session} is now called ${title}`,
  noWord: "there is no word to search for",
  noWordHint: "agent sessions search flaky test",
  more: ({ most }: { most: number }) => `these are the first ${most}: search for more words to see fewer`,
  notSearched: ({ session, why }: { session: string; why: string }) =>
    `session ${session} could not be searched: ${why}`,
  noMessage: "no message has all of these words",
  worksFor: ({ goal, session, mode, text }: { goal: string; session: string; mode: string; text: string }) =>
    `works for ${goal} of ${session} (${mode}): ${text}`,
  figures: ({
    started,
    last,
    read,
    written,
    changed,
  }: {
    started: string;
    last: string;
    read: number;
    written: number;
    changed: string;
  }) => `started ${started}, last ${last}, ${read} tokens in, ${written} out${changed}`,
  notSeen:
    "looked for: secrets of this environment by the names of their variables and the values of agent secrets, also in base64 and hex, and passwords in addresses. Not seen: all other secrets, such as keys that stood in files, and those that were encoded or put together otherwise. Read the file before you give it away.",
});
