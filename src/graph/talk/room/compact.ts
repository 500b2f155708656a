import type { BaseMessage } from "@langchain/core/messages";
import { faultPoint } from "../../../core/fault-point.ts";
import { costOf } from "../../../model/model-entries.ts";
import { compactionMark, ModelFailure, type ModelReply } from "../../../model/port.ts";
import { type Compaction, type NewCompaction, SessionBusy, type Spending, StoreFailure } from "../../../store/types.ts";
import type { TokenFigures } from "../../events.ts";
import type { Runtime } from "../../runtime.ts";
import { noticeOf } from "../listen.ts";
import type { Measure } from "./measure.ts";
import { whatIsOpen } from "./record.ts";
import { summaryRequest } from "./summary-request.ts";
import { cleanSummary, summaryText } from "./summary-text.ts";
import { roughTokens } from "./token-estimate.ts";

export type Compacting = Pick<Runtime, "journal" | "renderer" | "model" | "signal" | "emit" | "reportDefect">;

export interface CompactionRequest {
  by: Compaction["by"];
  /** As they are stored. */
  messages: readonly BaseMessage[];
  /** The first of them that stays. */
  from: number;
  /** The person's own words on what is to be kept. */
  keep?: string | undefined;
  /** The turn whose request needs the room. */
  turn?: number;
}

/** A window that nobody knows is taken to be so large, for how much a summary may take. Tokens. */
const plain = 32_768;

/** Shares of the window: the talk in the request, the person's words, the summary. Characters are 4 to a token. */
const shares = { talk: 0.75, persons: 0.08, summary: 0.08 };

/** More words of a summary than models say in one reply without being cut. */
const mostWords = 2_500;

/**
 * Lets the model sum up what is before a message, and keeps its summary in the place of that. Nothing that is stored changes; where it
 * fails, nothing is cut. @throws SessionBusy, StoreFailure where the talk cannot be read or the summary not be kept.
 */
export async function compact(
  runtime: Compacting,
  measure: Measure,
  wanted: CompactionRequest,
): Promise<Compaction | { error: string }> {
  const { journal, emit } = runtime;
  const { by, messages, from } = wanted;
  const cuts = journal.compactions();
  const id = `k${cuts.length + 1}`;
  const rendered = runtime.renderer.render(messages);
  const before = measure.size(rendered);
  const folded = messages.slice(0, from);
  const upTo = folded.at(-1)?.id ?? "";
  emit({ type: "compaction_started", id, by, contextUsed: before });
  const window = measure.window ?? plain;
  const answer = await ask(runtime, measure, wanted, folded, cuts).catch((error: unknown) => failed(runtime, error));
  const took = answer.isAnswered ? spendingOf(runtime, answer.usage, wanted.turn) : undefined;
  const figures = answer.usage === undefined || took === undefined ? {} : { usage: figuresOf(took) };
  const refuse = async (error: string): Promise<{ error: string }> => {
    if (took !== undefined) await journal.noteSpent(took);
    emit({ type: "compaction_done", id, ok: false, upTo, before, after: before, error, ...figures });
    return { error };
  };
  if (answer.error !== undefined) return refuse(answer.error);
  const summary = cleanSummary(answer.text, Math.ceil(window * shares.summary * 4));
  if (summary === undefined) return refuse("the model gave no summary");
  const shown = summaryText(journal, folded, summary, Math.ceil(window * shares.persons * 4));
  const madeAfter = messages.at(-1)?.id ?? "";
  const made: NewCompaction = { kind: "summary", by, upTo, madeAfter, before, after: 0, summary, shown };
  const after = measure.size(runtime.renderer.render(messages, [...cuts, tried(made)]));
  if (after >= before) return refuse("a summary would take no less room than the talk does");
  const kept = await journal.addCompaction({ ...made, after }, took);
  emit({ type: "compaction_done", id: kept.id, ok: true, upTo, before, after, summary, ...figures });
  return kept;
}

/** The outcome of the request. Where the model answered it is paid for, whatever it said, as far as its server told of it. */
type Answer = { isAnswered: boolean; usage?: ModelReply["usage"] } & (
  | { text: string; error?: undefined }
  | { error: string }
);

/** The model gave none, was stopped, or is broken: the last is a defect, which is told where defects are. */
function failed({ signal, reportDefect }: Compacting, error: unknown): Answer {
  if (error instanceof StoreFailure || error instanceof SessionBusy) throw error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ModelFailure) return { isAnswered: error.kind === "cut", usage: error.usage, error: message };
  if (!signal.aborted) reportDefect(error);
  return { isAnswered: false, error: message };
}

/** A cut that is not committed, to see what it would bring. */
export const tried = (made: NewCompaction): Compaction => ({ ...made, id: "", at: 0 });

async function ask(
  { journal, renderer, model, signal, emit }: Compacting,
  { window = plain, ratio }: Measure,
  { keep }: CompactionRequest,
  folded: readonly BaseMessage[],
  cuts: readonly Compaction[],
): Promise<Answer> {
  const open = whatIsOpen(journal);
  const messages = summaryRequest({
    number: summariesIn(cuts) + 1,
    talk: renderer.render(folded),
    room: Math.floor((window * shares.talk) / Math.max(ratio, 1)) - roughTokens(open.join("\n")),
    words: Math.min(mostWords, Math.ceil(window * shares.summary * 0.6)),
    open,
    keep,
  });
  for await (const event of model.stream({ messages, tools: [], toolChoice: "none" }, signal)) {
    if (event.type === "done") return { isAnswered: true, text: event.reply.text, usage: event.reply.usage };
    if (event.type === "notice" || event.type === "retry") emit(noticeOf(event));
    faultPoint("mid summary");
  }
  throw new ModelFailure("cut", `the model did not answer ${compactionMark}`);
}

/** Those that were taken back count: each has its own answer in a script. */
export const summariesIn = (cuts: readonly Compaction[]): number =>
  cuts.filter(({ kind }) => kind === "summary").length;

function spendingOf(
  { model: { spec, price } }: Compacting,
  usage: ModelReply["usage"],
  turn: number | undefined,
): Spending & { turn?: number } {
  const cost = usage === undefined || price === undefined ? undefined : costOf(usage, price);
  return { inputTokens: 0, outputTokens: 0, ...usage, cost, model: spec, ...(turn === undefined ? {} : { turn }) };
}

const figuresOf = ({ inputTokens, cachedTokens = 0, outputTokens, cost }: Spending): TokenFigures => ({
  ...{ inputTokens, cachedTokens, outputTokens },
  ...(cost === undefined ? {} : { cost }),
});
