import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { pinRoots } from "../files/pinned-roots.ts";
import type { Model } from "../model/port.ts";
import { openStore } from "../store/open-store.ts";
import type { Lease, Store } from "../store/types.ts";
import { createDefaultTools } from "../tools/create-default-tools.ts";
import { endToolsBeside } from "../tools/ending/end-tools.ts";
import { createToolCatalogue } from "../tools/tool-catalogue.ts";
import { LiveCalls } from "./calls/live-calls.ts";
import { fillObservations } from "./fill-observations.ts";
import type { GraphParts, Thread } from "./graph-parts.ts";
import { Leaving, type SessionRuntime } from "./runtime.ts";
import { seenFiles } from "./seen-files.ts";
import type { AgentStateValue } from "./state.ts";
import { noticesOf } from "./talk/notices.ts";
import { makeDefaultPrompt, tellPrompt } from "./talk/prompt/make-prompt.ts";
import { createRenderer } from "./talk/render.ts";
import { createImageShower } from "./talk/show-images.ts";

type Opened = { session: SessionRuntime; model: Model; lease: Lease };
type ThreadOf = (config: LangGraphRunnableConfig, state: AgentStateValue) => Promise<Thread>;

/** Finds the session of a thread, which is opened at its first step, for a graph that LangGraph alone drives. */
export function openThreads(parts: GraphParts, maxSteps: number): ThreadOf {
  const opened = new Map<string, Promise<Opened>>();
  let memory: Promise<Store> | undefined;
  const storeOf = async (): Promise<Store> => {
    memory ??= parts.store === undefined ? openStore({ file: ":memory:" }) : Promise.resolve(parts.store);
    return memory;
  };
  const open = (thread: string): Promise<Opened> => {
    const found = opened.get(thread);
    if (found !== undefined) return found;
    const opening = openThread(parts, thread, maxSteps, storeOf);
    const forget = () => opened.delete(thread);
    opened.set(thread, opening);
    // Whoever asks next takes the lease anew, or is told who has it.
    opening.then(({ lease }) => lease.lost.addEventListener("abort", forget, { once: true }), forget);
    return opening;
  };
  return async (config, state) => {
    const thread: unknown = config.configurable?.["thread_id"];
    if (typeof thread !== "string" || thread === "")
      throw new TypeError("a run of the agent needs a thread_id in config.configurable");
    const { session, model } = await open(thread);
    const settings = { model, mode: parts.mode ?? "ask" };
    const lastStep = Math.ceil(state.step / maxSteps) * maxSteps;
    const signal = leavingWith(config.signal);
    return { session, run: { signal, ending: null, lastStep, settings: () => settings, writesEnd: true } };
  };
}

const leavingSignals = new WeakMap<AbortSignal, AbortSignal>();

/** LangGraph gives up a run whose signal is aborted, and keeps where it stood: so the turn is left, not ended. */
function leavingWith(signal: AbortSignal | undefined): AbortSignal {
  const known = signal && leavingSignals.get(signal);
  if (known !== undefined) return known;
  const run = new AbortController();
  const leave = () => run.abort(new Leaving("the run was aborted"));
  if (signal?.aborted === true) leave();
  signal?.addEventListener("abort", leave, { once: true });
  if (signal !== undefined) leavingSignals.set(signal, run.signal);
  return run.signal;
}

async function openThread(
  parts: GraphParts,
  thread: string,
  maxSteps: number,
  storeOf: () => Promise<Store>,
): Promise<Opened> {
  const { workspace, clock = Date.now, policy } = parts;
  const [store, model] = await Promise.all([
    storeOf(),
    typeof parts.model === "function" ? parts.model() : parts.model,
  ]);
  if (store.sessions.get(thread) === undefined)
    await store.sessions.create({ id: thread, workspace, model: model.spec, title: "" });
  fillObservations(store);
  const lease = await store.acquire(thread);
  const journal = store.journal(lease);
  const tools = parts.tools ?? createDefaultTools({ workspace });
  const pins = pinRoots(workspace);
  const registry = createToolCatalogue([...tools, ...endToolsBeside(tools)]);
  const live = new LiveCalls({
    emit: (body) => parts.emit?.(thread, body),
    toolNamed: registry.get,
    reportDefect: (error) => parts.reportDefect?.(error),
  });
  let prompt: Promise<string> | undefined;
  const session: SessionRuntime = {
    sessionId: thread,
    workspace,
    pins,
    journal,
    registry,
    live,
    renderer: createRenderer(journal, noticesOf(journal)),
    images: createImageShower(journal),
    maxObserve: parts.maxObserve,
    compacts: parts.compact ?? true,
    seen: seenFiles(journal),
    services: parts.services ?? {},
    config: parts.config ?? {},
    toolChoice: parts.toolChoice ?? "auto",
    endTools: parts.endTools ?? false,
    toolTimeoutMs: parts.toolTimeoutMs,
    maxSteps,
    checks: [],
    prepared: new Map(),
    jobLooks: [],
    clock,
    emit: live.emit,
    reportDefect: (error) => parts.reportDefect?.(error),
    systemPrompt: () => {
      prompt ??= (parts.systemPrompt?.() ?? makeDefaultPrompt(workspace, clock)).then((made) =>
        tellPrompt(made, (notice) => parts.emit?.(thread, notice)),
      );
      return prompt;
    },
    policy: async (mode) =>
      policy?.({ session: thread, workspace, mode }) ?? { rules: [], grants: [], mode, sealed: { roots: [] } },
    // A resume value has no place for a grant.
    offers: () => [],
    addGrant: async () => undefined,
  };
  lease.lost.addEventListener("abort", pins.close, { once: true });
  return { session, model, lease };
}
