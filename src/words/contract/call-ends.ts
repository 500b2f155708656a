import type { Clause } from "../coded.ts";

interface Changed {
  files: readonly string[];
  undone: boolean;
  open: boolean;
  end: Clause;
}

const changed = ({ files, undone, open, end }: Changed, verb: "was" | "were"): string =>
  `${files.join(", ")} ${verb} ${undone ? "put back" : "changed"}; the rest ${open ? "is not known" : "was not"}: ${end}`;

/**
 * The ends of calls that did not come to their end by themselves, as `graph/talk/call-words.ts` says them to models and the journal. These are
 * what a person's screen has of that: their twins say the same there.
 */
export const callEnds = {
  outcomeUnknown: ({ end }: { end: Clause }) => `Outcome unknown: ${end}`,
  unseen: "its process ended while it ran",
  unwritten: "its end could not be written down",
  unseenAnd: ({ note }: { note: Clause }) => `its process ended while it ran; ${note}`,
  unwrittenAnd: ({ note }: { note: Clause }) => `its end could not be written down; ${note}`,
  denied: "denied by the person",
  deniedFor: ({ reason }: { reason: string }) => `denied by the person: ${reason}`,
  deniedByScript: "denied by the script",
  deniedByScriptFor: ({ reason }: { reason: string }) => `denied by the script: ${reason}`,
  policy: ({ because }: { because: Clause }) => `denied by policy: ${because}`,
  stopped: "the person stopped the turn before it ran",
  superseded: "the person sent a new message instead of an answer",
  forked: "the session was forked before it ran",
  lapsed: ({ note }: { note: Clause }) => `it can no longer be done: ${note}`,
  changedMeanwhile: "what it was about has changed",
  raced: "another program saved the file in the last instant",
  overstepped: "it changed what is protected",
  partly: "part of it was already done",
  unclear: "it failed while it ran",
  unknownDenied: ({ known }: { known: Clause }) => `${known}; the call that it worked for was denied`,
  unknownPolicy: ({ known }: { known: Clause }) => `${known}; policy denied the call that it worked for`,
  unknownStopped: ({ known }: { known: Clause }) => `${known}; the person stopped the turn`,
  unknownSuperseded: ({ known }: { known: Clause }) => `${known}; the person went on with a new message`,
  unknownForked: ({ known }: { known: Clause }) => `${known}; the session was forked`,
  unknownGivenUp: ({ known }: { known: Clause }) => `${known}; the person gave up on it`,
  unknownLapsed: ({ known }: { known: Clause }) => `${known}; the call that it worked for has ended`,
  changed: (about: Changed) => changed(about, "was"),
  changedSome: (about: Changed) => changed(about, "were"),
  processGone: ({ pid }: { pid: string }) => `it had started process ${pid}, which has ended`,
  processEnded: ({ pid }: { pid: string }) => `it had started process ${pid}, which was still running and was ended`,
  processUnsure: ({ note }: { note: string }) => `a process that it had started may still be running: ${note}`,
  stoppedByPerson: "stopped by the person",
  newMessage: "the person went on with a new message",
  ofItsCall: ({ because }: { because: Clause }) => `the call that it worked for: ${because}`,
  withItsCall: "with the call that it worked for",
  overBefore: "it ended before this one",
  toolEnded: "its tool ended this session alone",
  withHelpers: ({ because }: { because: Clause }) => `it was ended with its helpers: ${because}`,
  notCovered: "what it changes cannot be taken back",
  notCoveredFor: ({ note }: { note: string }) => `what it changes cannot be taken back: ${note}`,
};
