import { room } from "../room.ts";

/** The texts below the talk, and in the window's title. */
export const status = room("status", {
  /** Calls that the person left for later. */
  waiting: ({ calls }: { calls: number }) =>
    `${calls === 1 ? "a call waits" : `${calls} calls wait`} for you · enter on an empty line to answer · a new message cancels ${calls === 1 ? "it" : "them"}`,
  /** `time` where the turn is no longer new. */
  working: ({ time }: { time?: string }) => (time === undefined ? "working" : `working · ${time}`),
  stops: "esc stops",
  /** Of a command that runs. */
  goesAside: "ctrl+s background",
  stopsAndTakesBack: "esc stops and takes back what waits",
  /** Before how a thought began, where there is room, and else. */
  thinksSoMuch: ({ characters }: { characters: string }) => `thinks, ${characters} characters:`,
  thinks: "thinks:",
  /** Behind a memory that was saved; `more`: others behind it. */
  takesBack: ({ more }: { more: number }) => `ctrl+x takes it back${more === 0 ? "" : `, then ${more} more`}`,
  tokens: ({ count }: { count: string }) => `${count} tokens`,
  contextUsed: ({ percent, of }: { percent: number; of: string }) => `${percent} % of ${of}`,
  contextFull: ({ percent }: { percent: number }) => `context ${percent} % full`,
  jobs: ({ jobs }: { jobs: number }) => (jobs === 1 ? "1 job" : `${jobs} jobs`),
  seconds: ({ seconds }: { seconds: number }) => `${seconds} s`,
  minutes: ({ minutes, seconds }: { minutes: number; seconds: number }) => `${minutes} min ${seconds} s`,
  keys: "shift+tab mode · /help",
  plan: ({ done, of }: { done: number; of: number }) => `Plan ${done}/${of}`,
  noneActive: "none is active",
  /** The files that calls changed in this session, before how many lines; `lately`: earlier calls are not counted. */
  changed: ({ files, lately }: { files: number; lately: boolean }) =>
    `${files === 1 ? "1 file" : `${files} files`} changed${lately ? " lately" : ""}`,
  more: ({ more }: { more: number }) => `… ${more} more`,
  title: { waiting: "waiting", working: "working" },
  /** The texts that call the person back to the window. */
  turnEnded: "the turn has ended",
  /** `what` is a call's own words; `more`: what else waits. */
  asked: ({ what, more }: { what: string; more: number }) =>
    more > 0 ? `${what} and ${more} more wait for you` : `${what} waits for you`,
  aCall: "a call",
  questionOf: ({ from }: { from: string }) => `a question of ${from}`,
});
