import type { Sha } from "../core/json.ts";
import type { SeenFiles, Tool } from "../core/tool.ts";
import { waitForAll } from "../core/wait-for-all.ts";
import type { Runtime } from "../graph/runtime.ts";
import { createRenderer } from "../graph/talk/render.ts";
import type { Model } from "../model/port.ts";
import { offersFor } from "../policy/grants.ts";
import { undoSource } from "../records/undo.ts";
import { type Journal, StoreFailure } from "../store/types.ts";
import { createToolRegistry } from "../tools/registry.ts";
import { createUndoTool } from "../tools/undo/undo-changes.ts";
import type { AgentParts, Opening } from "./create-agent.ts";
import { type Live, openLive } from "./live.ts";

/**
 * Takes the lease, opens store and model, builds the graph: all that is heavy, at the first need. Rules that are broken end
 * it here, before the model is asked anything.
 */
export async function openSessionLive(parts: AgentParts, opening: Opening, tools: Tool[]): Promise<Live> {
  const { id: session, workspace, mode } = opening;
  const [store, model, maxSteps, maxObserve] = await waitForAll(
    parts.openStore(),
    modelOf(parts, opening),
    typeof parts.maxSteps === "number" ? parts.maxSteps : parts.maxSteps(workspace),
    parts.maxObserve?.(workspace),
    parts.loadPolicy({ session, workspace, mode }),
  );
  await opening.before(store);
  const lease = await store.acquire(opening.id, { takeOver: opening.takeOver ?? false });
  const journal = store.journal(lease);
  try {
    return await openLive(runtimeOf(parts, opening, tools, { journal, model, maxSteps, maxObserve }), lease, store);
  } catch (error) {
    // Listings say so from now on. A store that cannot even keep that is what is told in any case.
    if (error instanceof StoreFailure && error.kind === "corrupt")
      await journal.setState("broken").catch(() => undefined);
    lease.release();
    throw error;
  }
}

/** Where it cannot be opened yet and need not be, one that is opened when it is asked: its failure is then that turn's. */
async function modelOf({ openModel }: AgentParts, { model: spec, lateModel }: Opening): Promise<Model> {
  try {
    return await openModel(spec);
  } catch (error) {
    if (lateModel !== true) throw error;
    return {
      spec,
      async *stream(request, signal) {
        yield* (await openModel(spec)).stream(request, signal);
      },
    };
  }
}

interface Opened {
  journal: Journal;
  model: Model;
  maxSteps: number;
  maxObserve: number | undefined;
}

function runtimeOf(parts: AgentParts, opening: Opening, tools: Tool[], opened: Opened): Runtime {
  const { id, workspace } = opening;
  const { journal, model, maxSteps, maxObserve } = opened;
  let prompt: Promise<string> | undefined;
  return {
    sessionId: id,
    workspace,
    journal,
    model,
    mode: opening.mode,
    registry: createToolRegistry([...tools, createUndoTool(undoSource(journal))]),
    renderer: createRenderer((callId) => journal.call(callId), maxObserve),
    seen: seenFiles(journal),
    services: {},
    config: parts.config ?? {},
    toolChoice: parts.toolChoice ?? "auto",
    signal: new AbortController().signal,
    ending: null,
    leaving: false,
    maxSteps,
    budget: { taken: 0, max: maxSteps },
    changes: new Map(),
    prepared: new Map(),
    clock: parts.clock,
    emit: opening.stream.emit,
    reportDefect: (error) => parts.reportDefect?.(error),
    // One prompt a process: a history whose first lines change costs the provider's cache.
    systemPrompt: () => {
      prompt ??= parts.systemPrompt({ workspace, tools });
      return prompt;
    },
    policy: (mode) => parts.loadPolicy({ session: id, workspace, mode }),
    offers: (facts, policy) => offersFor(facts, policy, { session: id, workspace, grantFile: parts.grantFile }),
    addGrant: (grant) => parts.grants.add(grant),
  };
}

/** What this session last saw of each file, from the results of its settled calls. */
function seenFiles(journal: Journal): SeenFiles {
  const here = new Map<string, Sha>();
  let before: Map<string, Sha> | undefined;
  return {
    last: (real) => {
      before ??= seenBefore(journal);
      return here.get(real) ?? before.get(real);
    },
    note: (real, sha) => {
      here.set(real, sha);
    },
  };
}

function seenBefore(journal: Journal): Map<string, Sha> {
  const seen = new Map<string, Sha>();
  for (const call of journal.allCalls()) {
    const metadata = call.status === "success" ? call.result.metadata : undefined;
    const path = metadata?.["path"];
    const sha = metadata?.["sha"];
    if (typeof path === "string" && typeof sha === "string") seen.set(path, sha);
  }
  return seen;
}
