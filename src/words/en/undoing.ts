import { room } from "../room.ts";

/** Taking back what calls changed. */
export const undoing = room("undoing", {
  leftOut: ({ why }: { why: string }) => `! ${why}: it is left out`,
  showsCalls: ({ id }: { id: string }) => `agent sessions show ${id} shows its calls`,
  rest: ({ id, calls }: { id: string; calls: readonly string[] }) =>
    `agent undo ${id} ${calls.join(" ")} takes back the rest; with --rest such calls are left out`,
  callsOrTurn: "name calls or a --turn, not both",
  badTurn: ({ text }: { text: string }) => `--turn takes a number from 1, or last, not ${JSON.stringify(text)}`,
  /** `without`: some of the calls are left out. */
  question: ({ without, partial }: { without: boolean; partial: boolean }) => {
    const what = without ? "the rest" : partial ? "it" : "this";
    return `${partial ? "Not all of it is shown. " : ""}Take ${what} back? [${partial ? "yes" : "y"}/N] `;
  },
});
