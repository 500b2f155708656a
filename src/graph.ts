/** The agent as an ordinary LangGraph graph, for programs that drive it by LangGraph's own API. */

export type { ApprovalQuestion, Question, RecoveryQuestion } from "./graph/calls/question.ts";
export type { ResumeAnswer, ResumeValue } from "./graph/calls/take-answers.ts";
export { MalformedAnswer } from "./graph/calls/take-answers.ts";
export type { Change, UnsettledCall, WaitingCall } from "./graph/events.ts";
export type { AgentGraph, GraphOptions, GraphParts } from "./sdk/create-graph.ts";
export { createGraph } from "./sdk/create-graph.ts";
export { JournalMissing } from "./session/threads/journal-missing.ts";
export { openStore } from "./store/open-store.ts";
export type { Store } from "./store/types.ts";
