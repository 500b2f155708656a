/** A background job that has ended. */
interface Job {
  id: string;
  command: string;
  /** The last of what it said; empty where it said nothing, undefined where that is not known. */
  last: string | undefined;
}

/** One that an earlier process left behind, or that ended with its session. */
interface LostJob extends Job {
  /** With its session. */
  isEnded: boolean;
  /** From 1, of those that are told together. */
  at: number;
  of: number;
}

/** The state of a call that does not wait. */
interface NotWaiting {
  call: string;
  /** Its end; undefined while the agent works. */
  ended: string | undefined;
}

/** Helpers that have not come to their ends. */
interface Left {
  helpers: number;
  /** The number of their calls that wait for the person. */
  asked: number;
  session: string;
}

const driven = (session: string): string => `session ${session}, which is the one that is driven here`;

/**
 * The reasons why a session begins nothing, or takes no answer: as its `message` says them to whoever drives it, and the journal to the one who
 * asked from elsewhere.
 */
export const refusals = {
  nothingSaid: "nothing was said in this session yet: it begins with a message",
  nothingChanged: "this session has changed nothing yet",
  notAnswered: "your last message has not been answered yet: continue the session first",
  working: "the agent is working: stop it, or wait",
  callWaits: "a call waits for you: answer it first",
  noShell: "this session has no shell",
  noHelpers: ({ session }: { session: string }) => `session ${session} has no helpers`,
  noHelper: ({ session, helper }: { session: string; helper: string }) => `session ${session} has no helper ${helper}`,
  helperEnded: ({ helper }: { helper: string }) => `${helper} has ended already`,
  notItsCall: ({ call, session }: { call: string; session: string }) => `call ${call} is none of ${driven(session)}`,
  notItsJob: ({ job, session }: { job: string; session: string }) => `${job} is no job of ${driven(session)}`,
  notRunning: ({ call }: { call: string }) => `call ${call} does not run`,
  notAside: ({ call }: { call: string }) => `call ${call} cannot go on in the background`,
  notWaiting: ({ call, ended }: NotWaiting) =>
    `call ${call} does not wait: ${ended === undefined ? "the agent is working" : `it is ${ended}`}`,
  waitsNoMore: ({ call }: { call: string }) => `call ${call} does not wait any more`,
  neverShown: ({ call }: { call: string }) => `call ${call} was never shown: read it first, then approve it`,
  formClosed: "that is asked no more: nothing was sent",
  noSummary: "this model is a script, and it brings no summary",
  nothingCompacted: "nothing of this talk is summed up or left out",
  nothingToSumUp: "there is nothing before the last turns that could be summed up",
  imageNotRead: ({ file, why }: { file: string; why: string }) => `${file} may not be read: ${why}`,
  imageGuarded: ({ file, why }: { file: string; why: string }) =>
    `${file} is guarded, and not read for a message: ${why}`,
  noImage: ({ file }: { file: string }) => `${file} is no picture: PNG, JPEG, WebP and GIF are taken`,
};

const lastWords = (last: string | undefined): string =>
  last === undefined ? "" : last === "" ? "; it had said nothing" : `; its last words: ${last}`;

/** The notices of a session about itself, in its `notice` events. */
export const notices = {
  stopUnwritten:
    "stopped: nothing of it runs any more; another process keeps the store locked, and the stop is written down once it is free",
  empty: "this session is empty: its process ended before the first message was saved",
  rewindUnfinished: ({ message }: { message: string }) =>
    `the files were put back to before “${message}”, and the talk was not yet: go on from that message again`,
  attached: ({ pictures }: { pictures: readonly string[] }) => `attached: ${pictures.join(", ")}`,
  servedLeft: ({ left, most }: { left: number; most: number }) =>
    `not attached: ${left} of the pictures that servers gave, for a message has at most ${most}`,
  stopped: ({ pid }: { pid: number }) => `process ${pid} has it stopped`,
  helperStopped: ({ pid, helper }: { pid: number; helper: string }) => `process ${pid} has ${helper} stopped`,
  approved: ({ pid, call }: { pid: number; call: string }) => `process ${pid} approved ${call}`,
  denied: ({ pid, call }: { pid: number; call: string }) => `process ${pid} denied ${call}`,
  unknownTools: ({ agent, tools }: { agent: string; tools: readonly string[] }) =>
    `${agent} was to have tools that there are not: ${tools.join(", ")}`,
  helpersUnfinished: ({ helpers, asked, session }: Left) => {
    const [have, them] =
      helpers === 1
        ? ["1 helper has not come to its end", "it"]
        : [`${helpers} helpers have not come to their ends`, "them"];
    const ways = [
      `${have}: agent resume ${session} goes on with ${them}, a message in its place ends ${them}`,
      "while the session is open /agents, or agent stop with its id, ends one alone",
      ...(asked === 0 ? [] : [`calls that wait for you: ${asked}, agent sessions show ${session} --calls has them`]),
    ];
    return ways.join("; ");
  },
  lostJob: ({ id, command, isEnded, at, of, last }: LostJob) => {
    const how = isEnded ? "was ended with its session" : "is gone with the process that ran it";
    const which = of === 1 ? "" : `, ${at} of ${of}`;
    return `the background job ${id} (${command}) ${how}${which}${lastWords(last)}`;
  },
  endedJob: ({ id, command, how, last }: Job & { how: string }) =>
    `the background job ${id} (${command}) has ended: ${how}${lastWords(last)}`,
};

/** The reasons why a session's work, or a reader of its events, was ended: they are thrown, and given as the reason of a signal. */
export const endings = {
  stopped: "stopped by the person",
  closing: "the session is being closed",
  closed: "the session is closed",
  isClosed: ({ session }: { session: string }) => `session ${session} is closed`,
  aborted: "the run was aborted",
  takenBack: "the message was taken back",
  helperWaits: ({ helper }: { helper: string }) => `${helper} waits for the person`,
  helperStays: ({ helper }: { helper: string }) => `${helper} stays where it is`,
  noPlace: "its call came to its end before there was a place for this child: it was not begun",
  untitled: "the session was not given a title",
  noReply: "the model said nothing",
  noMove: ({ phase, move }: { phase: string; move: string }) => `a session that is ${phase} cannot ${move}`,
  noRelease: "a session that is being closed cannot release",
  eventsAhead: ({ session, had, asked, from }: { session: string; had: number; asked: number; from: number }) =>
    `session ${session} has had ${had} events since it was opened, and not ${asked}: they are counted anew each time it is opened; read its history, and its events after ${from}`,
  eventsGone: ({ session, first, last }: { session: string; first: number; last: number }) =>
    `the events ${first} to ${last} of session ${session} are no longer kept: read its history, and its events after ${last}`,
};
