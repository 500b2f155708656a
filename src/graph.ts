/** The agent as an ordinary LangGraph graph, for programs that drive it by LangGraph's own API. */

export type { Change } from "./graph/calls/present.ts";
export type { ApprovalQuestion, Question, RecoveryQuestion } from "./graph/calls/question.ts";
export type { ResumeAnswer, ResumeValue } from "./graph/calls/resume-value.ts";
export { MalformedAnswer } from "./graph/calls/resume-value.ts";
export type { AgentGraph, GraphParts } from "./graph/create-graph.ts";
export { createGraph } from "./graph/create-graph.ts";
export type { UnsettledCall, WaitingCall } from "./graph/events.ts";
export { openStore } from "./store/open-store.ts";
export type { Store } from "./store/types.ts";
