import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { AgentEventBody } from "../graph/events.ts";
import { costOf } from "../model/model-entries.ts";
import type { Model, ModelReply } from "../model/port.ts";
import { titleOfReply, titleQuestion } from "../records/title.ts";
import type { Journal } from "../store/types.ts";
import { endings } from "../words/contract/session.ts";
import { told } from "../words/contract/told.ts";
import type { AgentParts } from "./agent-parts.ts";
import type { SessionGraph } from "./run.ts";

/** The things that a title is made with. */
interface Naming {
  readonly journal: Journal;
  /** An instance of its own: the session's may be asked for the next turn meanwhile. */
  openModel(): Promise<Model>;
  emit(body: AgentEventBody): void;
  /** Keeps why there is no title; nobody is told. */
  log(error: unknown): void;
}

/** The model's name for a session, asked for once, beside all else. */
export class Titling {
  readonly #naming: Naming;
  readonly #work = new AbortController();
  #asked: Promise<void> | undefined;

  constructor(naming: Naming) {
    this.#naming = naming;
  }

  /** A turn has ended as it should. Returns at once; nothing is asked where the session has been named, or is past its first turn. */
  turnDone(): void {
    const { journal, log } = this.#naming;
    const isFirst = journal.turns().filter(({ state }) => state === "done").length === 1;
    if (this.#asked !== undefined || !isFirst || journal.title().by !== undefined) return;
    this.#asked = this.#ask().catch((error: unknown) => {
      if (!this.#work.signal.aborted) log(new Error(endings.untitled, { cause: error }));
    });
  }

  /** Gives up what is under way. Resolves when it has ended. */
  async end(): Promise<void> {
    this.#work.abort(new Error(endings.closing));
    await this.#asked;
  }

  async #ask(): Promise<void> {
    const { journal, emit } = this.#naming;
    const question = titleQuestion(journal);
    if (question === undefined) return;
    const { text, usage, model } = await this.#reply(question);
    const title = titleOfReply(text);
    const { price, spec } = model;
    const cost = usage === undefined || price === undefined ? undefined : costOf(usage, price);
    const kept = await journal.noteModelTitle(title, { inputTokens: 0, outputTokens: 0, ...usage, cost, model: spec });
    if (kept && title !== undefined) emit({ type: "session_titled", title });
  }

  async #reply(question: string): Promise<Pick<ModelReply, "text" | "usage"> & { model: Model }> {
    const model = await this.#naming.openModel();
    const messages = [new SystemMessage(told.titling), new HumanMessage(question)];
    const request = { messages, tools: [], toolChoice: "none" } as const;
    for await (const event of model.stream({ ...request, tools: [] }, this.#work.signal))
      if (event.type === "done") return { ...event.reply, model };
    throw new Error(endings.noReply);
  }
}

export const titlingOf = (
  { openModel, reportDefect }: AgentParts,
  emit: Naming["emit"],
  graph: SessionGraph,
): Titling =>
  new Titling({
    journal: graph.runtime.journal,
    openModel: () => openModel(graph.settings().model.spec),
    emit,
    log: (error) => reportDefect?.(error),
  });
