/** The public SDK: tools of one's own, the default tools, policy's decision and the agent itself. */

export type { CallStatus, ToolCallInfo } from "./core/call.ts";
export { advance, callMoves } from "./core/call.ts";
export type { ErrorCode } from "./core/codes.ts";
export { ToolRefusal } from "./core/codes.ts";
export { digestOf } from "./core/digest.ts";
export type { Json, JsonObject } from "./core/json.ts";
export type { Effect, Plan, RiskLevel, Tool, ToolContext, ToolResult } from "./core/tool.ts";
export { defineTool } from "./core/tool.ts";
export { executeTool } from "./graph/calls/execute-tool.ts";
export type { AnswerOutcome, CallDecision } from "./graph/decisions.ts";
export type { AgentEvent, UnsettledCall, WaitingCall } from "./graph/events.ts";
export { openModel } from "./model/open-model.ts";
export type { Model, ModelEvent, ModelReply, ModelRequest } from "./model/port.ts";
export { ModelFailure } from "./model/port.ts";
export { decide } from "./policy/decide.ts";
export { openGrantBook } from "./policy/files/grant-book.ts";
export { loadPolicy } from "./policy/files/load.ts";
export type { CallFacts, Grant, GrantBook, Mode, Policy, Rule, Verdict } from "./policy/types.ts";
export type { Agent, AgentParts, ResumedSession, ResumeOptions, StartOptions } from "./session/create-agent.ts";
export { createAgent } from "./session/create-agent.ts";
export type { Session } from "./session/session.ts";
export { openStore } from "./store/open-store.ts";
export type { Journal, Store } from "./store/types.ts";
export { createDefaultTools } from "./tools/create-default-tools.ts";
export type { ToolRegistry } from "./tools/registry.ts";
export { createToolRegistry } from "./tools/registry.ts";
