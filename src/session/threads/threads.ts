import { AsyncResource } from "node:async_hooks";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { pinRoots } from "../../files/pinned-roots.ts";
import type { AgentEventBody } from "../../graph/events.ts";
import { modeOfTurns } from "../../graph/plan-approved.ts";
import { Leaving, type SessionRuntime, type Settings } from "../../graph/runtime.ts";
import type { AgentStateValue } from "../../graph/state.ts";
import { fillObservations } from "../../graph/talk/observation-text.ts";
import type { Thread } from "../../graph/thread.ts";
import { TreeLimits } from "../../graph/tree-limits.ts";
import type { Rights } from "../../policy/rights.ts";
import type { Mode } from "../../policy/types.ts";
import type { ChildRow, Lease, Store } from "../../store/types.ts";
import { checkWorkspace } from "../../tools/use/own-workspace.ts";
import { endings } from "../../words/contract/session.ts";
import type { AgentParts } from "../agent-parts.ts";
import { childOpening, rightsNow } from "../child-opening.ts";
import { Children } from "../children.ts";
import type { Origin } from "../event-stream.ts";
import { firstParts } from "../first-parts.ts";
import { openSession } from "../open-session.ts";
import type { Opening } from "../opening.ts";
import { runtimeOf } from "../session-runtime.ts";
import { closeTools } from "../tools-of-session.ts";
import { checkCalls, checkJournal, inMemory, isDurable, noDurableJournal } from "./journal-missing.ts";
import { RunStreams } from "./run-streams.ts";
import type { RunStart } from "./thread-graph.ts";

/** The parts that threads are put together from; each is a session. */
export interface ThreadParts extends Omit<AgentParts, "sessionClosed" | "grants" | "titles"> {
  /** Absolute, symlinks resolved. */
  workspace: string;
  /** The name that `openModel` is asked for. */
  model: string;
  mode: Mode;
  /** True if the checkpointer outlives the process; by default each does but MemorySaver. */
  durable?: boolean | undefined;
  /** Gets what happens, as a session's stream tells it, but for questions: those are the interrupt's value. Must not throw. */
  emit?(thread: string, body: AgentEventBody): void;
}

interface Opened {
  session: SessionRuntime;
  children: Children;
  store: Store;
  settings: () => Settings;
  lease: Lease;
  maxSteps: number;
  /** The streams of the run that is in a node now. */
  streams: RunStreams | undefined;
  /** Of its run. */
  limits: TreeLimits;
  /** Runs under way. */
  runs: number;
  close(): Promise<void>;
}

/** So many threads that nobody runs are kept open: each has tools and a descriptor of its folder. */
const mostIdle = 32;

/** The sessions of threads that LangGraph drives alone, opened with their first run in this process. */
export class Threads {
  readonly #parts: ThreadParts;
  /** A graph that is run from a node of another one would count as part of that: this is where no node runs. */
  readonly #outside = new AsyncResource("holdfast.threads");
  /** In the order in which they were run last. */
  readonly #opened = new Map<string, Promise<Opened>>();

  constructor(parts: ThreadParts) {
    this.#parts = parts;
  }

  // Keeps session 7.
  /**
   * Opens the session of a thread for a run.
   * @throws JournalMissing where the run's checkpointer, or what it has of the thread, is more than the journal's; SessionBusy; what stops a
   * session. Nothing of the run is written then.
   */
  async begin({ configurable, checkpointer }: RunStart): Promise<() => void> {
    const thread = threadIn(configurable);
    const store = await this.#parts.openStore();
    const { parent } = store.sessions.get(thread) ?? {};
    if (parent !== undefined) throw new TypeError(`${thread} goes on with ${parent}, whose call drives it: run that`);
    if (checkpointer !== undefined && checkpointer !== store.saver) {
      const { durable = isDurable(checkpointer) } = this.#parts;
      if (durable && inMemory(store)) throw noDurableJournal();
    }
    const { checkpoint_ns = "", checkpoint_id } = configurable;
    const at = { thread_id: thread, checkpoint_ns, ...(checkpoint_id === undefined ? {} : { checkpoint_id }) };
    const saved = await checkpointer?.getTuple({ configurable: at });
    if (saved !== undefined) checkJournal(store, thread, saved);
    const opened = await this.#open(thread);
    opened.runs += 1;
    opened.limits = new TreeLimits(opened.session);
    return () => {
      opened.runs -= 1;
      void this.#closeIdle();
    };
  }

  /** The thread of a node, or of a way between two of them. */
  async of(config: LangGraphRunnableConfig, state: AgentStateValue): Promise<Thread> {
    const opened = await this.#open(threadIn(config.configurable ?? {}));
    const { session, store, settings, maxSteps, limits } = opened;
    checkCalls(store, session.journal, state.pendingToolCalls);
    const lastStep = Math.ceil(state.step / maxSteps) * maxSteps;
    const signal = leavingWith(config.signal);
    return {
      session,
      run: { signal, ending: null, lastStep, limits, settings, writesEnd: true },
      within: (work) => heard(opened, new RunStreams(config), work),
    };
  }

  #open(thread: string): Promise<Opened> {
    const opening = this.#opened.get(thread) ?? openThread(this.#parts, thread, this.#outside);
    const forget = () => {
      if (this.#opened.get(thread) === opening) this.#opened.delete(thread);
    };
    if (this.#opened.has(thread)) this.#opened.delete(thread);
    // Whoever asks next takes the lease anew, or is told who has it.
    else opening.then(({ lease }) => lease.lost.addEventListener("abort", forget, { once: true }), forget);
    this.#opened.set(thread, opening);
    return opening;
  }

  /** Ends sessions that were not run for the longest time, and in which nothing goes on in the background. */
  async #closeIdle(): Promise<void> {
    const { reportDefect } = this.#parts;
    for (const [thread, opening] of [...this.#opened].slice(0, -mostIdle)) {
      const opened = await opening.catch(() => undefined);
      if (opened === undefined || opened.runs > 0 || this.#opened.get(thread) !== opening) continue;
      if (opened.lease.lost.aborted || hasJobs(opened)) continue;
      this.#opened.delete(thread);
      await opened.close().catch((error: unknown) => reportDefect?.(error));
    }
  }
}

/** Of its own, or of a child that has not come to its end. */
const hasJobs = ({ session, children }: Opened): boolean =>
  [session, ...children.all()].some(({ journal }) => journal.runningJobs().length > 0);

/** A session's id is a name of files, and is shown. */
const wellFormed = /^[A-Za-z0-9_][A-Za-z0-9_.:@+=~-]{0,199}$/;

function threadIn(configurable: Readonly<Record<string, unknown>>): string {
  const thread: unknown = configurable["thread_id"];
  if (typeof thread !== "string" || thread === "")
    throw new TypeError("a run of the agent needs a thread_id in config.configurable");
  if (wellFormed.test(thread)) return thread;
  throw new TypeError(
    `thread_id ${JSON.stringify(thread.slice(0, 80))} cannot name a session: it may have up to 200 of a-z A-Z 0-9 _ . : @ + = ~ - and begins with a letter, a digit or _`,
  );
}

async function heard<T>(opened: Opened, streams: RunStreams, work: () => Promise<T>): Promise<T> {
  opened.streams = streams;
  try {
    const done = await work();
    await streams.end();
    return done;
  } catch (error) {
    await streams.end(error);
    throw error;
  } finally {
    if (opened.streams === streams) opened.streams = undefined;
  }
}

const leavingSignals = new WeakMap<AbortSignal, AbortSignal>();

/** LangGraph gives up a run whose signal is aborted, and keeps where it stood: so the turn is left, not ended. */
function leavingWith(signal: AbortSignal | undefined): AbortSignal {
  const known = signal && leavingSignals.get(signal);
  if (known !== undefined) return known;
  const run = new AbortController();
  const leave = () => run.abort(new Leaving(endings.aborted));
  if (signal?.aborted === true) leave();
  signal?.addEventListener("abort", leave, { once: true });
  if (signal !== undefined) leavingSignals.set(signal, run.signal);
  return run.signal;
}

async function openThread(parts: ThreadParts, thread: string, outside: AsyncResource): Promise<Opened> {
  const { workspace, mode } = parts;
  const pins = pinRoots(workspace);
  try {
    const first = await firstParts(parts, { session: thread, workspace, mode }, parts.openModel(parts.model));
    const { store, model, maxSteps } = first;
    pins.add(...first.addDirs);
    const tools = await parts.openTools({ id: thread, workspace, pins });
    try {
      for (const tool of tools.tools) await checkWorkspace(tool, workspace);
      if (store.sessions.get(thread) === undefined)
        await store.sessions.create({ id: thread, workspace, model: model.spec, title: "" });
      fillObservations(store);
      const lease = await store.acquire(thread);
      const journal = store.journal(lease);
      const modeNow = modeOfTurns(mode, journal);
      const settings = (): Settings => ({ model, mode: modeNow() });
      const opening = threadOpening(parts, { id: thread, pins, settings }, (body, of) =>
        opened.streams?.tell(body, of),
      );
      const above = { settings, limits: () => opened.limits };
      const open = (row: ChildRow) =>
        openSession(parts, childOpening(opening, row, { ...above, paths: session.paths }));
      const rights = (before?: Rights) => rightsNow(session, settings().mode, before);
      const parent = { store, journal, opening, ...above, rights, open };
      const children = outside.runInAsyncScope(() => new Children(parent));
      const copiedTo = store.sessions.get(thread)?.forkedFrom?.at;
      const session = runtimeOf(parts, opening, { ...first, journal, tools, children, copiedTo, sendsAside: false });
      const end = async () => {
        try {
          await children.close().finally(() => pins.close());
        } finally {
          await closeTools(tools);
        }
      };
      const lost = () => void end().catch((error: unknown) => parts.reportDefect?.(error));
      lease.lost.addEventListener("abort", lost, { once: true });
      const close = async () => {
        lease.lost.removeEventListener("abort", lost);
        await end().finally(() => lease.release());
      };
      const limits = new TreeLimits(session);
      const held = { session, children, store, settings, lease, maxSteps, close };
      const opened: Opened = { ...held, limits, streams: undefined, runs: 0 };
      await children.openLeft();
      return opened;
    } catch (error) {
      await closeTools(tools).catch(() => undefined);
      throw error;
    }
  } catch (error) {
    pins.close();
    throw error;
  }
}

/** With what the children of a thread are opened: as it was itself. @param tell the streams of the run that is in a node now */
function threadOpening(
  parts: ThreadParts,
  { id, pins, settings }: Pick<Opening, "id" | "pins"> & { settings: () => Settings },
  tell: (body: AgentEventBody, of?: Origin) => void,
): Opening {
  const { workspace, mode, model } = parts;
  return {
    ...{ id, workspace, model, mode, isNew: false, takeOver: false, pins },
    emit: (body, heard, of) => {
      parts.emit?.(of?.session ?? id, body);
      tell(body, of);
      heard?.();
    },
    allHeard: async () => undefined,
    stored: () => undefined,
    settingsWith: () => settings,
  };
}
