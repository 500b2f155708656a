import type { BaseMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import type { ToolCallInfo } from "../core/call.ts";
import type { StepId } from "../core/step-id.ts";
import { addLostGrants } from "../graph/calls/answers.ts";
import type { EndedWith } from "../graph/calls/ended-with.ts";
import type { Question } from "../graph/calls/question.ts";
import { settleOpen } from "../graph/calls/settle-open.ts";
import { type AgentGraph, compileGraph, superstepsPerStep } from "../graph/compile-graph.ts";
import type { AgentEventBody, TurnReason } from "../graph/events.ts";
import { forRun, type Run, type Runtime, type SessionRuntime, type Settings, TurnLeft } from "../graph/runtime.ts";
import { type AgentStateValue, type Ending, stepIdOf } from "../graph/state.ts";
import { fillObservations } from "../graph/talk/observation-text.ts";
import { TreeLimits } from "../graph/tree-limits.ts";
import { endTurn } from "../graph/turn-end.ts";
import { ModelFailure } from "../model/port.ts";
import type { SessionState, Store, TurnRow } from "../store/types.ts";
import { notices } from "../words/contract/session.ts";
import { failureOf, ModelUnopened, tooManyFiles } from "./exit-codes.ts";
import type { Position, RunEnd, Start } from "./position.ts";
import { openCallsOf, runningTurn } from "./unfinished-work.ts";

type Config = { configurable: { thread_id: string } };
type Input = Parameters<AgentGraph["invoke"]>[0];

/** The graph of one session, and where it stands. */
export class SessionGraph {
  readonly runtime: SessionRuntime;
  readonly #graph: AgentGraph;
  readonly #config: Config;
  readonly settings: () => Settings;
  readonly store: Pick<Store, "sessions" | "requests">;
  #position: Position;
  #limits: TreeLimits | undefined;
  /** It came to its question beside children that stood, or failed beside such that wait: what is answered there goes on under the same limits. */
  #askedBeside = false;

  private constructor(
    runtime: SessionRuntime,
    { settings, store }: { settings: () => Settings; store: Store },
    graph: AgentGraph,
    position: Position,
  ) {
    this.runtime = runtime;
    this.settings = settings;
    this.store = store;
    this.#graph = graph;
    this.#config = configOf(runtime);
    this.#position = position;
  }

  /** @param settings the model and the mode that the person has chosen by now */
  static async open(runtime: SessionRuntime, settings: () => Settings, store: Store): Promise<SessionGraph> {
    fillObservations(store, runtime.journal);
    const graph = compileGraph(
      ({ configurable }) => ({ session: runtime, run: configurable?.["run"] as Run }),
      store.saver,
    );
    const opened = new SessionGraph(runtime, { settings, store }, graph, await positionOf(graph, configOf(runtime)));
    await addLostGrants(opened.runtimeUnder(new AbortController().signal));
    return opened;
  }

  get position(): Position {
    return this.#position;
  }

  /** Of the run that is under way, or was last. */
  get limits(): TreeLimits | undefined {
    return this.#limits;
  }

  get stepId(): StepId {
    return stepIdOf(this.#position.values);
  }

  /** For what is done between runs: answers, and the plans that they need. */
  runtimeUnder(signal: AbortSignal): Runtime {
    return forRun(this.runtime, this.#run(signal, null));
  }

  /**
   * Lets the graph run until it ends or waits, and writes down how it ended. Never throws: a failure is an end too.
   * @param how whether children wait that stay asked meanwhile; whether it goes on with what the last run came to without a word of the
   * person: under its limits then
   */
  async run(start: Start, signal: AbortSignal, { isBeside = false, isAgain = false } = {}): Promise<RunEnd> {
    const keepsLimits = isAgain || (this.#askedBeside && start.from === "position");
    this.#askedBeside = false;
    try {
      this.runtime.pins?.check();
      // So that a session whose process dies is known by its open calls, and is not taken for one that is done.
      await this.runtime.journal.setState("running");
      if (!keepsLimits) this.#limits = this.runtime.limitsAbove?.() ?? new TreeLimits(this.runtime);
      const run = this.#run(signal, null, start.from === "message");
      await this.#drive(start, run);
      const { question, values } = this.#position;
      this.#askedBeside = isBeside && question !== undefined;
      if (question !== undefined) return await this.#asks(question);
      return { kind: "ended", reason: await endTurn(forRun(this.runtime, run), values) };
    } catch (error) {
      if (error instanceof TurnLeft) return this.#left();
      this.#askedBeside = this.#askedOfChildren().length > 0;
      return this.failed(error);
    }
  }

  /** Settles what this turn left open and lets the graph take it in: a new message came, or what drives it was stopped. */
  async leave(turn: number, signal: AbortSignal, cause: EndedWith): Promise<void> {
    const { next, values } = this.#position;
    if (values.turn !== turn || next.length === 0) return;
    if (!(await settleOpen(this.runtimeUnder(signal), this.stepId, cause))) return;
    await this.#drive(
      { from: "position" },
      this.#run(signal, cause.ended.why === "superseded" ? "superseded" : "cancelled"),
    );
  }

  /** Emits a failure and notes it with the turn, which can be continued. Never throws. */
  async failed(error: unknown): Promise<RunEnd> {
    const { emit, reportDefect } = this.runtime;
    const failure = failureOf(error);
    const { code, message, hint, reason, exitCode, writable } = failure;
    if (code === "INTERNAL") reportDefect(error);
    const stays = failure.mendable && this.#stays(error, code);
    // The person is told the failure; that it could not be noted either tells them nothing more.
    const unfinished = writable ? await this.#noteFailed(stays ? undefined : reason).catch(() => 0) : 0;
    emit({ type: "error", code, message, ...(hint === undefined ? {} : { hint }) });
    if (unfinished > 0) emit(helpersUnfinished(unfinished, this.#askedOfChildren().length, this.runtime.sessionId));
    return stays ? { kind: "stays", error } : { kind: "ended", reason, exitCode };
  }

  readonly #askedOfChildren = () => (this.runtime.children?.openCalls() ?? []).filter(({ call }) => isAsked(call));

  // Keeps session 10.
  /** Tells whether a child stays where it is: one with a model of its own that has never answered ends, and its parent's model is told. */
  #stays(error: unknown, code: string): boolean {
    const { agent, hasOwnModel, journal } = this.runtime;
    const isOfModel = error instanceof ModelFailure || (error instanceof ModelUnopened && code !== tooManyFiles);
    return agent !== undefined && !(hasOwnModel === true && isOfModel && journal.steps().length === 0);
  }

  /** @param reason none where the turn is only held up @returns how many of its children have not come to their end */
  async #noteFailed(reason: TurnReason | undefined): Promise<number> {
    const { journal, children } = this.runtime;
    const running = reason === undefined ? undefined : runningTurn(journal);
    if (running !== undefined) await journal.setTurn(running.turn, "running", reason);
    await journal.setState(this.#state());
    return children?.unfinished() ?? 0;
  }

  async #asks(question: Question): Promise<RunEnd> {
    await this.runtime.journal.setState(this.#state());
    return { kind: "asks", question };
  }

  /** The turn stays as it is: open calls, approvals and all. */
  async #left(): Promise<RunEnd> {
    await this.runtime.journal.setState(this.#state()).catch(() => undefined);
    return { kind: "ended", reason: "cancelled" };
  }

  #state(): SessionState {
    const { waiting, interrupted } = openCallsOf(this.runtime);
    if (interrupted > 0) return "awaiting_recovery";
    return waiting > 0 ? "awaiting_approval" : "idle";
  }

  #run(signal: AbortSignal, ending: Ending | null, isNewTurn = false): Run {
    const { runtime } = this;
    const { values } = this.#position;
    const replied = !isNewTurn && runtime.journal.findReply(stepIdOf(values)) !== undefined;
    const firstStep = isNewTurn ? 1 : replied ? values.step + 1 : values.step;
    const lastStep = Math.min(firstStep + runtime.maxSteps - 1, runtime.lastStepEver ?? Number.POSITIVE_INFINITY);
    const limits = this.#limits === undefined ? {} : { limits: this.#limits };
    return { signal, ending, lastStep, ...limits, settings: this.settings };
  }

  async #drive(start: Start, run: Run): Promise<void> {
    const { thread_id } = this.#config.configurable;
    const recursionLimit = (this.runtime.maxSteps + 2) * superstepsPerStep;
    // Nodes say what happens by events: nobody asks LangGraph for the whole state after each of them.
    const how = { durability: "sync", recursionLimit, streamMode: "custom" } as const;
    try {
      const stream = await this.#graph.stream(this.#input(start), { configurable: { thread_id, run }, ...how });
      for await (const _ of stream);
    } catch (error) {
      this.#position = await positionOf(this.#graph, this.#config).catch(() => this.#position);
      throw error;
    }
    this.#position = await positionOf(this.#graph, this.#config);
  }

  #input(start: Start): Input {
    switch (start.from) {
      case "position":
        // The answers are in the journal by now.
        return this.#position.question === undefined ? null : (new Command({ resume: { answers: {} } }) as Input);
      case "model":
        return { ending: null };
      case "message":
        return { messages: this.#unheard(start.turn), turn: start.turn.turn, step: 1, ending: null };
    }
  }

  /**
   * Lists the messages that were acknowledged but not heard: they are part of the conversation, also if their turn was left before the graph had it.
   */
  #unheard({ turn }: TurnRow): BaseMessage[] {
    const { journal } = this.runtime;
    const { turn: heard, messages } = this.#position.values;
    const known = new Set(messages.map(({ id }) => id));
    const told = journal.steers().filter(({ messageId }) => !known.has(messageId));
    const toldIn = (of: (turn: number) => boolean) =>
      told.flatMap(({ step, message }) => (step !== undefined && of(step.turn) ? [message] : []));
    const unheard = journal
      .turns()
      .filter((one) => one.turn === turn || (one.turn > heard && one.turn < turn && one.state !== "queued"));
    return [
      ...toldIn((of) => of <= heard),
      ...unheard.flatMap((one) => [journal.turnMessage(one.turn), ...toldIn((of) => of > heard && of === one.turn)]),
    ];
  }
}

const isAsked = ({ status }: ToolCallInfo): boolean => status === "awaiting_approval" || status === "interrupted";

/** @param asked how many of their calls wait for the person, who was not asked about each of them by now */
const helpersUnfinished = (count: number, asked: number, session: string): AgentEventBody => {
  const text = notices.helpersUnfinished({ helpers: count, asked, session });
  return { type: "notice", code: "helpers_unfinished", text };
};

const configOf = ({ sessionId }: SessionRuntime): Config => ({ configurable: { thread_id: sessionId } });

async function positionOf(graph: AgentGraph, config: Config): Promise<Position> {
  const snapshot = await graph.getState(config);
  const waiting = snapshot.tasks.find((task) => task.interrupts.length > 0 && snapshot.next.includes(task.name));
  const initial: AgentStateValue = {
    messages: [],
    pendingToolCalls: [],
    completedToolCalls: [],
    changes: {},
    waitingChildren: {},
    turn: 0,
    step: 1,
    ending: null,
  };
  return {
    // A task that wrote its result before the process died is no longer in `next`, yet its superstep is not done.
    next: snapshot.tasks.map((task) => task.name),
    question: waiting?.interrupts[0]?.value as Question | undefined,
    values: { ...initial, ...(snapshot.values as Partial<AgentStateValue>) },
  };
}
