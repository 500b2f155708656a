import type { JsonObject } from "../core/json.ts";
import { titleOf } from "../graph/talk/message-text.ts";
import type { Model } from "../model/port.ts";
import type { Lease, NewTurn, Store, TurnRow } from "../store/types.ts";
import { humanMessage } from "./human-message.ts";
import type { AgentParts } from "./open-agent.ts";
import type { Opening } from "./open-session.ts";
import type { Said } from "./said.ts";

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
  return store.acquire(id, { takeOver }).then((lease) => ({ lease }));
}

export const newTurn = (said: Said, outputSchema: JsonObject | undefined): NewTurn => ({
  text: said.text,
  ...humanMessage(said, outputSchema),
  queued: true,
  title: titleOf(said.text),
});

/** An older session's model that cannot be opened is opened again when it is asked: its failure is then that turn's. */
export async function modelOf({ openModel }: AgentParts, { model: spec, isNew }: Opening): Promise<Model> {
  try {
    return await openModel(spec);
  } catch (error) {
    if (isNew) throw error;
    return {
      spec,
      async *stream(request, signal) {
        yield* (await openModel(spec)).stream(request, signal);
      },
    };
  }
}
