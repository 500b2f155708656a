import type { Model } from "../model/port.ts";
import { offersFor } from "../policy/grants.ts";
import type { Journal } from "../store/types.ts";
import type { Sha } from "../tools/contract/json.ts";
import type { SeenFiles, Tool } from "../tools/contract/tool.ts";
import { createToolRegistry } from "../tools/registry.ts";
import type { AgentParts, Opening } from "./agent.ts";
import { type Live, openLive } from "./live.ts";
import { createRenderer } from "./render.ts";
import type { Runtime } from "./runtime.ts";

/**
 * Takes the lease, opens store and model, builds the graph: all that is heavy, at the first need. Rules that are broken end
 * it here, before the model is asked anything.
 */
export async function openSessionLive(parts: AgentParts, opening: Opening, tools: Tool[]): Promise<Live> {
  const { id: session, workspace, mode } = opening;
  const [store, model] = await Promise.all([
    parts.openStore(),
    parts.openModel(opening.model),
    parts.loadPolicy({ session, workspace, mode }),
  ]);
  await opening.before(store);
  const lease = await store.acquire(opening.id, { takeOver: opening.takeOver ?? false });
  const journal = store.journal(lease);
  return openLive(runtimeOf(parts, opening, tools, journal, model), lease, store);
}

function runtimeOf(parts: AgentParts, opening: Opening, tools: Tool[], journal: Journal, model: Model): Runtime {
  const { id, workspace } = opening;
  let prompt: Promise<string> | undefined;
  return {
    sessionId: id,
    workspace,
    journal,
    model,
    mode: opening.mode,
    registry: createToolRegistry(tools),
    renderer: createRenderer((callId) => journal.call(callId)),
    seen: seenFiles(journal),
    services: {},
    config: parts.config ?? {},
    toolChoice: parts.toolChoice ?? "auto",
    signal: new AbortController().signal,
    ending: null,
    budget: { taken: 0, max: parts.maxSteps },
    changes: new Map(),
    clock: parts.clock,
    emit: opening.stream.emit,
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
  const seen = new Map<string, Sha>();
  for (const call of journal.allCalls()) {
    const metadata = call.status === "success" ? call.result.metadata : undefined;
    const path = metadata?.["path"];
    const sha = metadata?.["sha"];
    if (typeof path === "string" && typeof sha === "string") seen.set(path, sha);
  }
  return {
    last: (real) => seen.get(real),
    note: (real, sha) => {
      seen.set(real, sha);
    },
  };
}
