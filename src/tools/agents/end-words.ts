import type { ChildEnd, ChildSpec } from "../../core/child-session.ts";
import { fence } from "../../core/fence.ts";
import { limits } from "../../core/limits.ts";
import { shownPath } from "../../core/shown-path.ts";
import type { ToolResult } from "../../core/tool.ts";

/** A helper, and what it came to. */
export interface Came {
  spec: ChildSpec;
  end: ChildEnd;
}

/** What the model reads of helpers: how each ended, what it changed and took, and its last message, marked as data and cut. */
export function endWords(came: readonly Came[], workspace: string): ToolResult {
  const room = Math.floor(limits.childReport.most / came.length);
  const output = came.map((one) => wordsOf(one, workspace, room)).join("\n\n");
  const done = came.filter(({ end }) => end.status === "done").length;
  const [first] = came;
  const title =
    came.length === 1 && first !== undefined
      ? `${nameOf(first)}: ${first.end.status}, ${steps(first.end.steps)}`
      : `${done} of ${came.length} done`;
  if (done > 0) return { output, title };
  return {
    output,
    title,
    error: `no helper came to its end: ${came.map(({ end }) => end.status).join(", ")}`,
    metadata: { code: "FAILED" },
  };
}

function wordsOf({ spec, end }: Came, workspace: string, room: number): string {
  const { session, status, steps: taken, inputTokens, outputTokens } = end;
  const files = end.files.map((file) => shownPath(workspace, file));
  const named = files.length > mostNamed ? [...files.slice(0, mostNamed), `${files.length - mostNamed} more`] : files;
  const { text, cut } = fence(end.text, room);
  return [
    `${nameOf({ spec, end })} (${session}): ${status} after ${steps(taken)}, ${inputTokens} + ${outputTokens} tokens`,
    named.length === 0 ? "It changed no file." : `It changed ${named.join(", ")}.`,
    ...(end.text === "" ? ["It said nothing at its end."] : [`It said${cut ? " (cut)" : ""}:`, text]),
  ].join("\n");
}

/** One that goes on has the name that the one before had. */
const nameOf = ({ spec }: Came): string => spec.agent ?? "helper";

const mostNamed = 40;
const steps = (count: number): string => `${count} step${count === 1 ? "" : "s"}`;
