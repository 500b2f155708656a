import type { CallOf, ToolCallInfo } from "../core/call.ts";
import { gaveUpMark } from "../tools/ending/end-tools.ts";
import { type OutputRead, outputOf } from "./output.ts";
import type { SessionRuntime } from "./runtime.ts";

/** The call by which the model ended the turn, and what it ended it with. */
export interface EndingCall {
  readonly call: CallOf<"success">;
  /** Where the turn is to end with JSON: that of the result, or what is wrong with it. */
  readonly output: OutputRead | undefined;
}

type Ended = Pick<SessionRuntime, "registry" | "journal">;

/**
 * The last of these calls by whose result, as its tool says, the turn ends. Where it is to end with JSON, one that has none does not end it,
 * unless the model gave up with it.
 */
export function endingCall(
  { registry, journal }: Ended,
  turn: number,
  calls: readonly ToolCallInfo[],
): EndingCall | undefined {
  const ends = (call: ToolCallInfo): call is CallOf<"success"> => {
    const said = registry.get(call.toolName)?.endsTurn;
    if (said === undefined || call.status !== "success") return false;
    return typeof said === "function" ? said(call.result) : said;
  };
  const output = outputOf(journal, turn);
  return calls
    .filter(ends)
    .map((call) => ({ call, output: output?.read(call.result.output) }))
    .findLast(({ call, output: read }) => read?.ok !== false || call.result.metadata?.[gaveUpMark] === true);
}
