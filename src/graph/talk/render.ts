import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { isFinal, type ToolCallInfo } from "../../core/call.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ImageRef } from "../../core/tool.ts";
import { commandMark, foldMark, noticeMark } from "../../model/port.ts";
import type { Compaction, JournalReading } from "../../store/types.ts";
import { cutOf, shownCut } from "./cut-reply.ts";
import { followUpOf } from "./follow-up.ts";
import { isWordless, shownWordless } from "./no-words.ts";
import type { Notices } from "./notices.ts";
import { type Look, prunedObservation, shownObservation } from "./observation-text.ts";
import { imagesCutKey, imagesKey } from "./show-images.ts";

type Readable = Pick<JournalReading, "call" | "compactions">;

/** Works out what the model sees from the stored messages and the journal. Keeps what it rendered of settled calls. */
export interface Renderer {
  /** @param cuts those that are committed and in force, unless others are tried. */
  render(messages: readonly BaseMessage[], cuts?: readonly Compaction[]): BaseMessage[];
}

/** The form in which a call is shown: read for the first time or later, or cut to so many characters. */
type Shape = Look | number;

// Keeps graph 8.
/**
 * Each assistant message is followed by one tool message a call, made from the journal; stored tool messages only mark
 * that the step was observed, so neither a lost nor a doubled one can reach the model. What a committed compaction is about is cut, or
 * one message stands for it. Pure but for what it keeps: the same messages and the same journal give the same bytes in any process.
 * @param notices what the agent itself tells the model between them.
 */
export function createRenderer(journal: Readable, notices: Notices = { behind: () => [], beside: () => [] }): Renderer {
  const settled = new Map<Shape, WeakMap<BaseMessage, BaseMessage[]>>();
  const keptIn = (shape: Shape): WeakMap<BaseMessage, BaseMessage[]> => {
    const kept = settled.get(shape) ?? new WeakMap();
    settled.set(shape, kept);
    return kept;
  };

  const observationsOf = (message: AIMessage, shape: Shape): BaseMessage[] => {
    const kept = keptIn(shape).get(message);
    if (kept !== undefined) return kept;
    let final = true;
    const made = (message.tool_calls ?? []).map((asked) => {
      const callId = asked.id ?? "";
      const call = journal.call(callId);
      final &&= call !== undefined && isFinal(call);
      const args = asked.args as JsonObject;
      return new ToolMessage({
        id: `o-${callId}`,
        tool_call_id: callId,
        name: asked.name,
        content:
          call === undefined
            ? unrecorded
            : typeof shape === "number"
              ? prunedObservation(call, args, shape)
              : shownObservation(call, args, shape),
        status: call?.status === "success" ? "success" : "error",
        // Not sent to any server: for a scripted model, which goes by what became of its calls, and for whoever shows pictures.
        artifact: { status: call?.status ?? "executing", ...picturesOf(call, shape) },
      });
    });
    if (final) keptIn(shape).set(message, made);
    return made;
  };

  const cut = new WeakMap<BaseMessage, BaseMessage[]>();
  const wholeOrCut = (message: AIMessage): BaseMessage[] => {
    const why = cutOf(message);
    if (why === undefined && !isWordless(message)) return [message];
    const made = cut.get(message) ?? (why === undefined ? [shownWordless(message)] : shownCut(message, why));
    cut.set(message, made);
    return made;
  };

  const summaries = new Map<string, BaseMessage>();
  const summaryOf = ({ id, shown }: Summary, folded: readonly BaseMessage[]): BaseMessage => {
    const made = summaries.get(id) ?? foldedInto(id, shown, folded);
    if (id !== "") summaries.set(id, made);
    return made;
  };

  return {
    render(messages, cuts = journal.compactions()) {
      const { fold, keptOf } = cutsIn(messages, cuts);
      const first = fold === undefined ? 0 : fold.at + 1;
      const lastWords = messages.findLastIndex(isWords);
      const resultsOf = (reply: AIMessage, at: number) =>
        observationsOf(reply, keptOf(at) ?? (at < lastWords ? "later" : "first"));
      const shown = shownFrom(messages, first, { wholeOrCut, resultsOf, notices, fresh: fold?.madeAt ?? -1 });
      if (fold === undefined) return shown;
      const folded = messages.slice(0, first);
      return [summaryOf(fold.cut, folded), ...stillHolds(notices, folded, messages.slice(first)), ...shown];
    },
  };
}

interface Shown {
  wholeOrCut(reply: AIMessage): readonly BaseMessage[];
  resultsOf(reply: AIMessage, at: number): readonly BaseMessage[];
  notices: Notices;
  /** The last message that was there when the summary was written, which tells of all beside those before it. */
  fresh: number;
}

/** Walked anew for each request: a list for each message would be most of the work. */
function shownFrom(
  messages: readonly BaseMessage[],
  first: number,
  { wholeOrCut, resultsOf, notices, fresh }: Shown,
): BaseMessage[] {
  const shown: BaseMessage[] = [];
  for (let at = first; at < messages.length; at += 1) {
    const message = messages[at] as BaseMessage;
    const type = message.getType();
    if (type === "tool") continue;
    if (type !== "ai") {
      shown.push(message, ...notices.behind(message, []), ...(at > fresh ? notices.beside(message) : []));
      continue;
    }
    const results = resultsOf(message as AIMessage, at);
    shown.push(...wholeOrCut(message as AIMessage), ...results, ...notices.behind(message, results, messages[at + 1]));
  }
  return shown;
}

/** One that is only tried has no id. */
type Summary = Extract<Compaction, { kind: "summary" }>;

interface Cuts {
  /** The last summary, the place of the last message that it stands for, and of the last that was there when it was written. */
  fold?: { cut: Summary; at: number; madeAt: number };
  /** Characters that are left of what the calls of this message said; undefined where they are not cut. */
  keptOf(at: number): number | undefined;
}

/** The cuts that mean these messages: one about messages that are not there means nothing. */
function cutsIn(messages: readonly BaseMessage[], cuts: readonly Compaction[]): Cuts {
  const inForce = cuts.filter(({ undone }) => undone === undefined);
  if (inForce.length === 0) return { keptOf: () => undefined };
  const places = new Map(messages.map(({ id }, at) => [id, at]));
  const placed = inForce.flatMap((cut) => {
    const at = places.get(cut.upTo);
    return at === undefined ? [] : [{ cut, at }];
  });
  const pruned = placed.flatMap(({ cut, at }) => (cut.kind === "prune" ? [{ kept: cut.kept, at }] : []));
  const fold = placed.findLast((one): one is { cut: Summary; at: number } => one.cut.kind === "summary");
  return {
    ...(fold === undefined ? {} : { fold: { ...fold, madeAt: places.get(fold.cut.madeAfter) ?? fold.at } }),
    keptOf(at) {
      const kept = pruned.flatMap((one) => (one.at >= at ? [one.kept] : []));
      return kept.length === 0 ? undefined : Math.min(...kept);
    },
  };
}

/** A scripted model counts the replies that the summary stands for. */
function foldedInto(id: string, shown: string, folded: readonly BaseMessage[]): BaseMessage {
  const replies = folded.filter((one) => AIMessage.isInstance(one) && one.additional_kwargs[commandMark] === undefined);
  const marks = { [noticeMark]: true, [foldMark]: replies.length };
  return new HumanMessage({ id, content: shown, additional_kwargs: marks });
}

const unrecorded = "Outcome unknown: nothing is recorded of this call. Look before you repeat it.";

/** Lists the notices that the model was sent of the turn under way, where the message that began it is among those that were folded. */
function stillHolds(
  notices: Notices,
  folded: readonly BaseMessage[],
  rest: readonly BaseMessage[],
): readonly BaseMessage[] {
  const last = rest.some(isPerson) ? undefined : folded.findLast(isPerson);
  return last === undefined ? [] : notices.behind(last, []);
}

const isPerson = (message: BaseMessage): boolean => message.getType() === "human";

/** The model has spoken, having read all before it: in words or by calls, whole, and not by a command of the person. */
const isWords = (message: BaseMessage): boolean =>
  AIMessage.isInstance(message) &&
  cutOf(message) === undefined &&
  message.additional_kwargs[commandMark] === undefined &&
  !isWordless(message) &&
  followUpOf(message)?.why !== "empty_reply";

/** Of a call that was cut they are not shown any more, but told of. */
function picturesOf(call: ToolCallInfo | undefined, shape: Shape): { [imagesKey]?: ImageRef[]; [imagesCutKey]?: true } {
  const images = call !== undefined && "result" in call ? call.result?.images : undefined;
  if (images === undefined) return {};
  return { [imagesKey]: images, ...(typeof shape === "number" ? { [imagesCutKey]: true } : {}) };
}
