import { room } from "../room.ts";

/** The question about a call whose end was not seen. */
export const recovery = room("recovery", {
  title: "the end of this call was not seen",
  /** Behind the title, where there are several. */
  firstOf: ({ count }: { count: number }) => ` (1 of ${count})`,
  choices: {
    look: "look at what it was",
    retry: "do it again",
    done: "it worked: mark it as done",
    cancel: "cancel it",
  },
  started: ({ at }: { at: string }) => `started ${at}`,
  /** Before what is known of it. */
  known: "known: ",
  hint: "↑↓ enter · ctrl+c leaves it for later",
  /** While other helpers work a stop ends them all, and this one with them. */
  helperHint: "↑↓ enter · ctrl+c stops",
  pasted: "a paste decides nothing here",
  noChoice: ({ typed }: { typed: string }) => `“${typed}” is no choice here`,
  lines: {
    title: ({ call }: { call: string }) => `The end of this call was not seen: ${call}`,
    helper: ({ agent }: { agent: string }) => `Of the sub-agent ${agent}`,
    facts: ({ at, known }: { at: string; known: string }) => `Started ${at}. Known: ${known}`,
    arguments: ({ text }: { text: string }) => `Arguments: ${text}`,
    asked: ({ choices }: { choices: readonly string[] }) => `What now? Type ${choices.join(", ")}:`,
    undecided: ({ choices }: { choices: readonly string[] }) => `Nothing was decided. Type ${choices.join(", ")}.`,
  },
});
