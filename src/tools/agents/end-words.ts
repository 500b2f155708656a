import type { ChildEnd } from "../../core/child-session.ts";
import { fence } from "../../core/fence.ts";
import type { JsonObject } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import { shownPath } from "../../core/shown-path.ts";
import type { ToolResult } from "../../core/tool.ts";

/**
 * Makes the result on helpers that the model reads: the end of each, its changes and usage, and its last message, marked as data and cut.
 */
export function endWords(came: readonly ChildEnd[], workspace: string): ToolResult {
  const room = Math.floor(limits.childReport.most / came.length);
  const output = came.map((one) => wordsOf(one, workspace, room)).join("\n\n");
  const done = came.filter(({ status }) => status === "done").length;
  const [first] = came;
  const title =
    came.length === 1 && first !== undefined
      ? `${first.agent}: ${statusOf(first)}, ${steps(first.steps)}`
      : `${done} of ${came.length} done`;
  const helpers = came.map(tookOf);
  if (done > 0) return { output, title, metadata: { helpers } };
  return {
    output,
    title,
    error: `no helper came to its end: ${came.map(statusOf).join(", ")}`,
    metadata: { code: "FAILED", helpers },
  };
}

/** Returns a helper's usage, with its session and agent. */
export const tookOf = (end: ChildEnd): JsonObject => {
  const { session, agent, status, steps: taken, inputTokens, outputTokens, cost } = end;
  const took = { session, agent, status, steps: taken, inputTokens, outputTokens };
  return cost === undefined ? took : { ...took, cost };
};

const notBegun = {
  max_steps: "the turn has taken as many steps as it may, with all its helpers",
  max_cost: "the turn has cost as much as it may, with all its helpers",
  no_agent: "there is no agent of that name any more",
};

/** Of what helpers are told what is too long for one text, in words for the model; undefined where nothing is. */
export function longText(texts: readonly string[]): string | undefined {
  const { most } = limits.childTask;
  const long = texts.find(({ length }) => length > most);
  return long === undefined
    ? undefined
    : `a text has ${long.length} characters, of at most ${most}: write it into a file and name that`;
}

/** Returns the line on a helper: its name, its end, and its usage. */
export function headOf(end: ChildEnd): string {
  const { session, agent, status, steps: taken, inputTokens, outputTokens } = end;
  if (session === "") return `${agent}: not begun, for ${notBegun[status as keyof typeof notBegun]}`;
  return `${agent} (${session}): ${statusOf(end)} after ${steps(taken)}, ${inputTokens} + ${outputTokens} tokens`;
}

function wordsOf(end: ChildEnd, workspace: string, room: number): string {
  if (end.session === "") return headOf(end);
  const files = end.files.map((file) => shownPath(workspace, file));
  const named = files.length > mostNamed ? [...files.slice(0, mostNamed), `${files.length - mostNamed} more`] : files;
  const { text, cut } = fence(end.text, room);
  return [
    headOf(end),
    named.length === 0 ? "It changed no file." : `It changed ${named.join(", ")}.`,
    ...(end.text === "" ? ["It said nothing at its end."] : [`It said${cut ? " (cut)" : ""}:`, text]),
  ].join("\n");
}

/** A call whose helpers were all ended does not come to its words: here one was ended alone. */
function statusOf({ status, limit }: ChildEnd): string {
  if (status === "cancelled") return "stopped by the person";
  return limit === undefined ? status : `${status} (${limit === "own" ? "its own limit" : "the turn's limit"})`;
}

const mostNamed = 40;
const steps = (count: number): string => `${count} step${count === 1 ? "" : "s"}`;
