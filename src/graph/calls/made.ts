import type { ToolCallInfo } from "../../core/call.ts";
import type { Sha } from "../../core/json.ts";
import type { FilePlan } from "../../core/tool.ts";
import type { JournalReading } from "../../store/types.ts";
import { isBuiltIn } from "../../tools/built-in.ts";
import type { ToolCatalogue } from "../../tools/tool-catalogue.ts";

type Recorded = Pick<JournalReading, "allCalls" | "planOf">;

interface Origin {
  journal: Recorded;
  catalogue: Pick<ToolCatalogue, "get">;
  /** Of a fork: the last of the calls that came along. */
  copiedTo?: string;
}

// Keeps graph 17.
/**
 * Files whose bytes are known whole from calls of this session, each with their hash: what write_file wrote, and what edit_file then made of just
 * those bytes. Any other call that was about such a file ends that, whatever became of it. What a fork brought along are calls of another
 * session, and what a command wrote is in no plan.
 */
export function madeFiles({ journal, catalogue, copiedTo }: Origin): ReadonlyMap<string, Sha> {
  const made = new Map<string, Sha>();
  const ours = (name: string): boolean => {
    const tool = catalogue.get(name);
    return tool !== undefined && isBuiltIn(tool);
  };
  const isKnown = { write_file: ours("write_file"), edit_file: ours("edit_file") };
  for (const call of ownCalls(journal, copiedTo)) {
    const isOurs = (name: keyof typeof isKnown): boolean => call.toolName === name && isKnown[name] && isSeen(call);
    for (const file of journal.planOf(call.callId)?.files ?? []) {
      // One that found just these bytes wrote nothing, and was asked about by nobody: they are whose they were.
      const isWritten = isOurs("write_file") && file.before !== file.after;
      const isWhole = isWritten || ((isOurs("write_file") || isOurs("edit_file")) && leadsOn(file, made));
      if (isWhole && file.after !== null) made.set(file.real, file.after);
      else if (call.status !== "cancelled") made.delete(file.real);
    }
  }
  return made;
}

const leadsOn = ({ real, before }: FilePlan, made: ReadonlyMap<string, Sha>): boolean =>
  before !== null && made.get(real) === before;

/** It came to its end; that a person says so of one that was not seen to end is not enough. */
const isSeen = (call: ToolCallInfo): boolean => call.status === "success" && call.by?.rule !== "recovery";

function ownCalls(journal: Recorded, copiedTo: string | undefined): ToolCallInfo[] {
  const all = journal.allCalls();
  if (copiedTo === undefined) return all;
  const last = all.findIndex(({ callId }) => callId === copiedTo);
  return last < 0 ? [] : all.slice(last + 1);
}
