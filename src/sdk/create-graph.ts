import type { AgentEventBody } from "../graph/events.ts";
import { makeDefaultPrompt, type Prompt } from "../graph/talk/prompt/make-prompt.ts";
import type { Model } from "../model/port.ts";
import { threadGraphs } from "../session/threads/create-thread-graph.ts";
import { type Checkpointer, inMemory, isDurable, noDurableJournal } from "../session/threads/journal-missing.ts";
import type { ThreadGraph } from "../session/threads/thread-graph.ts";
import type { Store } from "../store/types.ts";
import type { HeldTools, ToolSource } from "../tools/registry.ts";
import { type AgentOptions, checkLimits } from "./agent-options.ts";
import { lazyStore, realWorkspace, sharedParts } from "./create-agent.ts";
import { priced, sessionModels } from "./session-model.ts";

/** The parts of a graph that LangGraph alone drives; a thread is a session, and has tools as a session of `createAgent` has. */
export interface GraphParts extends Omit<AgentOptions, "model" | "store" | "systemPrompt"> {
  /** As for `createAgent`, or a function that opens one for each thread. */
  model: string | Model | (() => Promise<Model>);
  /**
   * Holds the journal of each thread, whose lease is taken at its first run and kept for the runs after it. `"memory"` is the default; a file that is
   * named by its path is opened with the first run and stays open; what `openStore` gave, its maker closes.
   */
  store?: string | Store;
  /** Its text, or what `gatherPrompt` makes; what is told of it becomes a notice. */
  systemPrompt?(): Promise<string | Prompt>;
  /** Milliseconds since the epoch. */
  clock?(): number;
  /** Gets what happens, as a session's stream tells it, but for questions: those are the interrupt's value. Must not throw. */
  emit?(thread: string, body: AgentEventBody): void;
  reportDefect?(error: unknown): void;
}

export interface GraphOptions {
  checkpointer?: Checkpointer;
  /**
   * True if a checkpointer, this one or one that is set on the graph later, keeps threads for another process. By default each does but
   * LangGraph's own MemorySaver.
   */
  durable?: boolean;
}

/** The agent as a graph of LangGraph's. */
export type AgentGraph = ThreadGraph;

/**
 * The agent as an ordinary LangGraph graph: `invoke({ messages: [new HumanMessage("…")] }, { configurable: { thread_id } })`,
 * `getState`, `Command`. It interrupts with `{ kind: "approval" | "recovery", calls }`, as in the events
 * `approval_requested` and `recovery_requested`, and is resumed with `{ answers: { [callId]: { decision: "approve", digest }
 * | { decision: "deny", reason? } | { decision: "edit", arguments } | { choice: "retry" | "done" | "cancel" } } }`; a call
 * that is left out, or approved by another digest, goes on waiting. Where the signal of a run is aborted, what runs is
 * ended, and `invoke(null)` goes on with the rest. A turn that ran out of steps or money, or failed by replies that were cut off or empty (the event
 * `error` says which), goes on with `invoke({ messages: [] })`. The stream `messages` carries the model's words, `custom` all other events.
 * @throws TypeError for parts that cannot be, as `createAgent`; JournalMissing where the checkpointer outlives the journal. From a run:
 * JournalMissing, MalformedAnswer, TypeError for an input or a `thread_id` that cannot be, and what stops a session (ModelFailure, StoreFailure,
 * SessionBusy, PolicyProblem).
 */
export function createGraph<Sources extends readonly ToolSource[] | []>(
  parts: Omit<GraphParts, "tools"> & HeldTools<Sources>,
  { checkpointer, durable }: GraphOptions = {},
): AgentGraph {
  const { model, store = "memory", systemPrompt, emit, reportDefect, clock = Date.now, services = {}, ...rest } = parts;
  const workspace = realWorkspace(parts.workspace);
  const options = { ...rest, workspace, model: typeof model === "function" ? "" : model };
  checkLimits(options);
  const isMemory = typeof store === "string" ? store === "memory" : inMemory(store);
  const isOwn = typeof store !== "string" && store.saver === checkpointer;
  if (checkpointer !== undefined && !isOwn && isMemory && (durable ?? isDurable(checkpointer)))
    throw noDurableJournal();
  const openStore = typeof store === "string" ? lazyStore(store).open : async () => store;
  const { folderIgnore, ...shared } = sharedParts({ ...options, isKept: !isMemory }, openStore, () => undefined);
  const models = sessionModels(options, typeof model === "function" ? [] : [model]);
  const { maxSteps = 50, mode = "ask", uid } = parts;
  const graphs = threadGraphs(
    {
      ...shared,
      ...{ workspace, mode, durable, clock, uid, model: models.spec, maxSteps },
      openModel: typeof model === "function" ? async () => priced(await model(), parts.maxCost) : models.open,
      openTools: async (at) => ({ ...(await shared.openTools(at)), services }),
      systemPrompt: async () => systemPrompt?.() ?? makeDefaultPrompt(workspace, clock, await shared.secrets?.()),
      ...(systemPrompt === undefined && folderIgnore !== undefined ? { folderIgnore } : {}),
      ...(emit === undefined ? {} : { emit: (thread, body) => emit(thread, body) }),
      ...(reportDefect === undefined ? {} : { reportDefect: (error) => reportDefect(error) }),
    },
    maxSteps,
  );
  return graphs(checkpointer);
}
