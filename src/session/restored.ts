import type { CallStatus } from "../core/call.ts";
import { nameIn } from "../core/call-ref.ts";
import type { AgentEventBody } from "../graph/events.ts";
import { titleOf } from "../graph/talk/message-text.ts";
import { contextUsed } from "../graph/talk/message-usage.ts";
import type { Verdict } from "../policy/types.ts";
import { historyOf } from "../records/history.ts";
import { cutOffNotice, standingOf } from "../records/session-progress.ts";
import { openRewind } from "../records/undo/rewind.ts";
import type { Journal } from "../store/types.ts";
import { notices } from "../words/contract/session.ts";
import type { SessionGraph } from "./run.ts";

type RestoredEvent = Extract<AgentEventBody, { type: "session_restored" }>;

/**
 * Lists the events that tell of a session that was opened again: its state, and the messages of the person that wait still.
 * @param most about so many of the last messages and calls
 */
export function restoredEvents(graph: SessionGraph, most?: number): AgentEventBody[] {
  const { journal } = graph.runtime;
  const standing = standingOf(journal, false);
  const fellBack = graph.settings().mode === "ask" && standing.cutOff !== undefined && wasAllowedByMode(journal);
  const was = restoredEvent(graph, most);
  const { cutOff, filesChanged } = standing;
  const rewind = rewindOf(graph);
  const more = {
    ...(rewind && { rewind }),
    ...(cutOff && { cutOff }),
    ...(fellBack && { modeFellBack: true as const }),
    filesChanged,
  };
  const cut = cutOffNotice(standing, fellBack);
  return [
    { ...was, ...more },
    ...(cut === undefined ? [] : [{ type: "notice", code: "cut_off", text: cut } as const]),
    ...(rewind === undefined
      ? []
      : [
          {
            type: "notice",
            code: "rewind_unfinished",
            text: notices.rewindUnfinished({ message: titleOf(rewind.text) }),
          } as const,
        ]),
    ...waitingMessages(journal),
  ];
}

/** A rewind that an earlier process began and did not come to the end of. */
function rewindOf({ runtime, store }: SessionGraph): RestoredEvent["rewind"] {
  const open = openRewind(store, runtime.journal);
  if (open === undefined) return undefined;
  const text = runtime.journal.turns().find(({ turn }) => turn === open.turn)?.text ?? "";
  return { ...open, text };
}

/** Tells whether the newest call that ran was let run by a mode and not by the person, a rule or the table. */
function wasAllowedByMode(journal: Journal): boolean {
  const turn = journal.turns().findLast(({ state }) => state === "running")?.turn;
  const calls = journal.steps().flatMap(({ id }) => (id.turn === turn ? journal.callsOf(id) : []));
  const last = calls.findLast(({ effect, times }) => effect !== "none" && times.started !== undefined);
  const verdict = last && (journal.verdictOf(last.callId) as Verdict | undefined);
  return verdict?.decision === "allow" && verdict.rule.source === "mode";
}

function restoredEvent({ runtime, position, settings }: SessionGraph, most?: number): RestoredEvent {
  const { journal, workspace } = runtime;
  const { model, mode } = settings();
  const own = journal.openCalls().map((call) => ({ session: journal.session, call }));
  const open = [...own, ...(runtime.children?.openCalls() ?? [])];
  const namesOf = (status: CallStatus) =>
    open
      .filter(({ call }) => call.status === status)
      .map(({ session, call }) => nameIn(journal.session, { session, call: call.callId }));
  const { transcript, earlier } = historyOf(journal, most);
  const goals = runtime.goals.now();
  const used = contextUsed(position.values.messages);
  return {
    type: "session_restored",
    model: model.spec,
    workspace,
    mode,
    messages: transcript,
    ...(earlier === 0 ? {} : { earlier }),
    title: journal.title().text,
    ...(goals.length === 0 ? {} : { goals }),
    waiting: namesOf("awaiting_approval"),
    interrupted: namesOf("interrupted"),
    ...(used === undefined ? {} : { contextUsed: used }),
    ...(used === undefined || model.contextWindow === undefined ? {} : { contextWindow: model.contextWindow }),
  };
}

function waitingMessages(journal: Journal): AgentEventBody[] {
  const queued = journal.turns().filter(({ state }) => state === "queued");
  const steers = journal.steers().filter(({ step }) => step === undefined);
  return [
    ...queued.map((turn) => ({ type: "user_message", id: turn.messageId, text: turn.text, queued: true }) as const),
    ...steers.map(
      ({ messageId, text }) => ({ type: "user_message", id: messageId, text, queued: true, steer: true }) as const,
    ),
  ];
}
