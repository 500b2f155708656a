import { type AskableModel, type ModelAnswer, ModelNotAsked, type ModelQuestion } from "../../core/model-question.ts";
import { costOf } from "../../model/model-entries.ts";
import { type Model, ModelFailure, type ModelReply } from "../../model/port.ts";
import type { Journal } from "../../store/types.ts";
import { isOverOwnCost, type LimitReached, type TreeLimits } from "../tree-limits.ts";

/** As a runtime has them. */
interface Asking {
  readonly model: Model;
  readonly journal: Pick<Journal, "noteSpent" | "spent">;
  readonly limits: TreeLimits | undefined;
  readonly costEver?: number | undefined;
}

// Keeps graph 19.
/**
 * The session's model, as it is now, for somebody whom a call speaks to; undefined where it plays a script, which has no line for that. It
 * gets the question and nothing of the session, and what it takes counts as the turn's.
 */
export function askableModel(runtime: Asking, turn: number): AskableModel | undefined {
  const { model, limits } = runtime;
  if (model.scripted === true) return undefined;
  const overspent = (why: LimitReached | "stopped"): never => {
    throw new ModelNotAsked(why === "stopped" ? "it was stopped" : "the turn has cost as much as it may");
  };
  return {
    spec: model.spec,
    sees: model.vision === true,
    async ask(question, signal) {
      if (isOverOwnCost({ ...runtime, model })) return overspent("max_cost");
      const answered = () => askOnce({ ...runtime, model }, turn, question, signal);
      return limits === undefined ? answered() : limits.askBeside({ model, signal }, answered, overspent);
    },
  };
}

async function askOnce(
  { model, journal, limits }: Asking,
  turn: number,
  question: ModelQuestion,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const heard = await hear(model, question, signal);
  const { spec, price } = model;
  const { usage } = heard;
  const cost = usage === undefined || price === undefined ? undefined : costOf(usage, price);
  await journal.noteSpent({ inputTokens: 0, outputTokens: 0, ...usage, cost, model: spec, turn });
  if (cost !== undefined) limits?.noteCostBeside({ model }, cost);
  if (heard.failure !== undefined) throw heard.failure;
  return {
    ...{ text: heard.text, isCut: heard.isCut },
    ...(usage === undefined ? {} : { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens }),
    ...(cost === undefined ? {} : { cost }),
  };
}

interface Heard {
  text: string;
  isCut: boolean;
  usage?: ModelReply["usage"];
  /** It began to answer, or was stopped before anyone could say whether it had: that is paid for, and did not come to an end. */
  failure?: unknown;
}

/** @throws ModelNotAsked; ModelFailure where it did not begin to answer */
async function hear(model: Model, question: ModelQuestion, signal: AbortSignal): Promise<Heard> {
  if (signal.aborted) throw new ModelNotAsked("it was stopped");
  const { maxTokens } = question;
  // Only here: what runs a tool alone loads no message of LangChain's.
  const { messagesOf } = await import("./question-messages.ts");
  let text = "";
  try {
    const request = { messages: messagesOf(question), tools: [], toolChoice: "none" as const, maxTokens };
    for await (const event of model.stream(request, signal)) {
      if (event.type === "text") text += event.text;
      if (event.type === "done") return { text: event.reply.text, isCut: false, usage: event.reply.usage };
    }
    throw new ModelFailure("cut", "its answer has no end");
  } catch (error) {
    const cut = error instanceof ModelFailure && error.kind === "cut" ? error : undefined;
    if (cut === undefined && !signal.aborted) throw error;
    return { text, isCut: true, usage: cut?.usage, ...(cut?.told === true ? {} : { failure: error }) };
  }
}
