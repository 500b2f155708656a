import type { JsonObject } from "../core/json.ts";
import { waitForAll } from "../core/wait-for-all.ts";
import type { SessionRuntime, Settings } from "../graph/runtime.ts";
import { type Model, ModelFailure } from "../model/port.ts";
import { addedThen, type Rights } from "../policy/rights.ts";
import type { Mode } from "../policy/types.ts";
import { type Journal, type Lease, type Store, StoreFailure, type TurnRow } from "../store/types.ts";
import type { AgentParts } from "./agent-parts.ts";
import { ModelUnopened } from "./exit-codes.ts";
import { newTurn } from "./human-message.ts";
import type { Opening } from "./opening.ts";
import { SessionGraph } from "./run.ts";

/**
 * Opens the parts that a session needs before its tools. Rules that are broken end it here.
 * @param then the rights that it has at most
 * @throws each failure of these.
 */
export async function firstParts(
  parts: AgentParts,
  at: { session: string; workspace: string; mode: Mode },
  opening: Model | Promise<Model>,
  then?: Rights,
) {
  const { workspace } = at;
  const [store, model, maxSteps, maxObserve, checks = [], addDirs = [], secrets, hooks] = await waitForAll(
    parts.openStore(),
    opening,
    typeof parts.maxSteps === "number" ? parts.maxSteps : parts.maxSteps(workspace),
    parts.maxObserve?.(workspace),
    parts.checks?.(workspace),
    parts.addDirs?.(workspace),
    parts.secrets?.(),
    parts.hooks?.(workspace),
    parts.loadPolicy(at),
  );
  return { store, model, maxSteps, maxObserve, checks, addDirs: addedThen(addDirs, then), secrets, hooks };
}

/** A new session is stored with the person's first words, so that none is ever found without. */
export function takeLease(
  store: Store,
  opening: Opening,
  model: Model,
  outputSchema: JsonObject | undefined,
): Promise<{ lease: Lease; turn?: TurnRow }> {
  const { id, workspace, isNew, takeOver, first } = opening;
  if (isNew && first !== undefined && store.sessions.get(id) === undefined)
    return store.begin({ id, workspace, model: model.spec }, newTurn(first, outputSchema));
  return store.acquire(id, { takeOver }).then((lease) => ({ lease, ...storedBefore(store, opening) }));
}

/** The words that a try of this process stored before it failed to open the session. */
function storedBefore(store: Store, { id, isNew, first }: Opening): { turn?: TurnRow } {
  const turn = isNew ? store.readJournal(id).turns().at(-1) : undefined;
  return turn?.state === "queued" && turn.text === first?.text ? { turn } : {};
}

/** An older session's model that cannot be opened is opened again when it is asked: its failure is then that turn's. A child without one of its own has its parent's. */
export async function modelOf({ openModel }: AgentParts, { model: spec, isNew, above }: Opening): Promise<Model> {
  if (above !== undefined && above.model === undefined) return above.settings().model;
  try {
    return await openModel(spec);
  } catch (error) {
    if (isNew) throw error;
    return {
      spec,
      async *stream(request, signal) {
        yield* (await openModel(spec).catch(unopened)).stream(request, signal);
      },
    };
  }
}

const unopened = (error: unknown): never => {
  throw error instanceof ModelFailure ? error : new ModelUnopened(error);
};

/** The graph of a session whose lease was taken; the lease is given back where it cannot be opened. */
export async function openGraph(
  store: Store,
  lease: Lease,
  settings: () => Settings,
  runtimeWith: (journal: Journal) => SessionRuntime,
): Promise<SessionGraph> {
  let journal: Journal | undefined;
  try {
    journal = store.journal(lease);
    return await SessionGraph.open(runtimeWith(journal), settings, store);
  } catch (error) {
    // Listings show it from now on. If even that cannot be stored, the failure below says so anyway.
    if (error instanceof StoreFailure && error.kind === "corrupt")
      await journal?.setState("broken").catch(() => undefined);
    lease.release();
    throw error;
  }
}
