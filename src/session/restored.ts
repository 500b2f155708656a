import type { CallStatus } from "../core/call.ts";
import type { AgentEventBody } from "../graph/events.ts";
import { contextUsed } from "../graph/talk/message-usage.ts";
import { historyOf } from "../records/history.ts";
import type { Journal } from "../store/types.ts";
import { endLostJobs, lostJobText } from "./lost-jobs.ts";
import type { SessionGraph } from "./run.ts";

/**
 * What is told of a session that was opened again: what it was, jobs of an earlier process that are gone, and what the person said
 * that waits still.
 * @param most about so many of the last messages and calls
 */
export async function restoredEvents(graph: SessionGraph, most?: number): Promise<AgentEventBody[]> {
  const { journal } = graph.runtime;
  const was = restoredEvent(graph, most);
  const lost = await endLostJobs(journal);
  const gone = lost.map((job): AgentEventBody => ({ type: "notice", code: "job_gone", text: lostJobText(job) }));
  return [was, ...gone, ...waitingMessages(journal)];
}

function restoredEvent({ runtime, position, settings }: SessionGraph, most?: number): AgentEventBody {
  const { journal, workspace } = runtime;
  const { model, mode } = settings();
  const open = journal.openCalls();
  const idsOf = (status: CallStatus) => open.filter((call) => call.status === status).map((call) => call.callId);
  const { transcript, earlier } = historyOf(journal, most);
  const used = contextUsed(position.values.messages);
  return {
    type: "session_restored",
    model: model.spec,
    workspace,
    mode,
    messages: transcript,
    ...(earlier === 0 ? {} : { earlier }),
    waiting: idsOf("awaiting_approval"),
    interrupted: idsOf("interrupted"),
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
