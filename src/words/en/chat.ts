import { room } from "../room.ts";

/** The chat at large: what it says of keys that had another meaning by the time they came, and of its own end. */
export const chat = room("chat", {
  questionGone: "the question is gone, and with it what is typed for it: that goes nowhere",
  listDue: "not sent, as the list that you asked for had not come: enter sends it once you have paused",
  escAgain: "esc again goes on from an earlier message",
  leaves: "ctrl+c again leaves; the session stays saved",
  /** A question was put off. */
  aside: "the call stays waiting: enter alone brings it back, a new message cancels it · ctrl+c again leaves",
  helperAside:
    "the call stays waiting, or all end where another helper worked: enter alone brings it back, a new message cancels it · ctrl+c again leaves",
  planFolded: "the plan is folded: ctrl+t shows it, /goals all of it",
  listWhileWriting: "the list came while you were writing, and was not opened",
  questionBeforeList: "a question came before the list, which was not opened",
  takesWords: ({ command }: { command: string }) =>
    `${command} takes words, and your draft is none of them: it comes into an empty input`,
  noEarlierMessage: "there is no earlier message to go on from",
  memoryTakenBack: ({ title }: { title: string }) => `taken back · ${title}`,
  memoryGone: ({ title }: { title: string }) => `it is not among the memories any more · ${title}`,
  tooSmall: "This window is too small: make it 40x10 or more.",
  tooSmallToAnswer: "This window is too small: make it 40x10 or more. A call waits for you.",
  notSentStayed: "your message was not sent: this is still the session before",
  notSentElsewhere: "your message was not sent: this is another session than it was meant for",
  answeredAlike: ({ times, rule }: { times: number; rule: string }) =>
    `you answered alike ${times} times: /suggest shows a rule for it (${rule})`,
  screenFailed: ({ why }: { why: string }) => `the screen failed: ${why}`,
  screenFailedSee: ({ why, log }: { why: string; log: string }) => `the screen failed: ${why} (details are in ${log})`,
  saved: "The session is saved. Go on with:",
});
