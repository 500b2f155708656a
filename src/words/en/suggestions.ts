import { room } from "../room.ts";

const callsText = (calls: number): string => (calls === 1 ? "1 call" : `${calls} calls`);

/** A rule that is made of what was answered alike. */
export const suggestions = room("suggestions", {
  /** `decided`: how many calls it would have decided. */
  saidYes: ({ times, last, decided }: { times: number; last: string; decided: number }) =>
    `you said yes ${times === 1 ? "once" : `${times} times`} (last on ${last}) and never otherwise; it would have decided ${callsText(decided)} that you were asked about`,
  saidNo: ({ times, last, decided }: { times: number; last: string; decided: number }) =>
    `you said no ${times === 1 ? "once" : `${times} times`} (last on ${last}) and never otherwise; it would have decided ${callsText(decided)} that you were asked about`,
  nothingElse: "of all that is recorded here it would have decided nothing else",
  alsoDecides: ({ calls }: { calls: number }) => `it would have decided ${callsText(calls)} more:`,
  holds: ({ where }: { where: readonly string[] }) => `it holds ${where.join(", ")}`,
  /** The places and conditions in which it holds. */
  in: ({ folder }: { folder: string }) => `in ${folder}`,
  inFolder: ({ workspace, folder }: { workspace: string; folder: string }) => `in ${workspace}, in ${folder}`,
  anyChange: "for any change of the file by this tool",
  sandboxed: "only in the sandbox and without the network",
  notPiped: "with nothing piped into it",
  whileAsNow: ({ files }: { files: readonly string[] }) =>
    `while ${files.join(", ")} ${files.length === 1 ? "is" : "are"} as now`,
  asked: "asked",
  notAsked: "not asked",
  more: ({ calls }: { calls: number }) => `and ${calls} more`,
  otherRule: ({ file }: { file: string }) => `${file}: the rule would be read as another one: nothing was written`,
});
