import { type Runtime, toolContext } from "../graph/runtime.ts";
import type { AgentStateValue } from "../graph/state.ts";
import { offered, offeredSchemas } from "../graph/talk/offered-tools.ts";
import { promptNow } from "../graph/talk/prompt/planning.ts";
import { compact, summariesIn } from "../graph/talk/room/compact.ts";
import { placesIn } from "../graph/talk/room/cut-places.ts";
import { measureOf } from "../graph/talk/room/measure.ts";
import type { Compaction, Journal } from "../store/types.ts";
import { refusals } from "../words/contract/session.ts";

/** `told`: the events of the compaction, which began, have said it already. */
export type CompactOutcome = { ok: true; compaction: Compaction } | { ok: false; message: string; told?: true };

/** The parts of the talk that stay whole where a person has it summed up: of the window, and of the talk. */
const stays = { ofWindow: 0.25, ofTalk: 0.3 };

/**
 * Has the model sum up the talk but for its end, because the person wants it. Calls that are open stay as they are, and nothing that is
 * stored changes.
 */
export async function compactByPerson(
  runtime: Runtime,
  { messages, turn, step }: AgentStateValue,
  keep: string | undefined,
): Promise<CompactOutcome> {
  const { journal, renderer, model } = runtime;
  if (model.scripted === true && (model.summaries ?? 0) <= summariesIn(journal.compactions()))
    return refused(refusals.noSummary);
  // The first message was acknowledged, and the graph has not had it yet.
  if (turn === 0) return refused(refusals.nothingToSumUp);
  const ctx = toolContext(runtime, { callId: "", stepId: { turn, step } });
  const [system, tools] = await Promise.all([promptNow(runtime), offeredSchemas(runtime, offered(runtime, turn), ctx)]);
  const rendered = renderer.render(messages);
  const measure = await measureOf(runtime, messages, { system, tools }, rendered);
  const { window = Number.POSITIVE_INFINITY, ratio } = measure;
  const room = Math.min(window * stays.ofWindow, measure.of(rendered) * stays.ofTalk) / ratio;
  const from = placesIn(journal, messages, rendered).staysFrom(room);
  if (from === undefined) return refused(refusals.nothingToSumUp);
  const made = await compact(runtime, measure, { by: "person", messages, from, keep });
  return "error" in made ? { ok: false, message: made.error, told: true } : { ok: true, compaction: made };
}

/** Takes back the newest summary, else the newest cut of outputs: the model reads again what was there. */
export async function undoCompaction(journal: Journal): Promise<CompactOutcome> {
  const inForce = journal.compactions().filter(({ undone }) => undone === undefined);
  const last = inForce.findLast(({ kind }) => kind === "summary") ?? inForce.at(-1);
  if (last === undefined) return refused(refusals.nothingCompacted);
  await journal.undoCompaction(last.id);
  return { ok: true, compaction: last };
}

const refused = (message: string): CompactOutcome => ({ ok: false, message });
