import { room } from "../room.ts";

/** The texts on all that was said and done, as it stays on the screen, and on all that is under way. */
export const transcript = room("transcript", {
  /** Between two parts of a change. */
  unchanged: ({ lines }: { lines: number }) => `⋯ ${lines} unchanged ${lines === 1 ? "line" : "lines"} ⋯`,
  /** The states of a call, where its mark does not say them. */
  states: {
    pending: "next",
    waiting: "waits for you",
    cancelled: "cancelled",
    denied: "denied by you",
    partly: "partly done",
    unknown: "outcome unknown",
    lost: "outcome unknown",
  },
  /** A call whose name is not known yet. */
  call: "tool call",
  writing: "writing the arguments",
  moreLines: ({ lines }: { lines: number }) => `… ${lines} more lines`,
  moreOfChange: ({ lines, by }: { lines: number; by: string }) => `… ${lines} more lines · ${by} shows all`,
  moreOfResult: ({ lines, call }: { lines: number; call: string }) =>
    `… ${lines === 1 ? "1 more line" : `${lines} more lines`} · agent sessions show has all of ${call}`,
  moreOfSession: ({ lines }: { lines: number }) => `… ${lines} more lines · agent sessions show --diff prints them`,
  moreOfLine: "… more of this line",
  noChanges: "no changes",
  /** The digits that go over to a session that is offered. */
  goesOn: ({ sessions }: { sessions: number }) =>
    `${sessions === 1 ? "1 and enter goes on with it" : `1 to ${sessions} and enter goes on with one`}; /sessions lists all`,
  /** A message that waits, and for what. */
  forNextStep: ({ text }: { text: string }) => `for its next step: ${text}`,
  afterTurn: ({ text }: { text: string }) => `after this turn: ${text}`,
  afterCommand: ({ text }: { text: string }) => `after this command: ${text}`,
  onItsWay: ({ text }: { text: string }) => `on its way: ${text}`,
  moreWait: ({ messages }: { messages: number }) => `… and ${messages} more wait`,
});
