/** The public SDK: tools of one's own, the default tools, policy's decision and the agent itself. */

export type { Agent, AgentParts, ResumedSession, ResumeOptions, StartOptions } from "./graph/agent.ts";
export { createAgent } from "./graph/agent.ts";
export type { AgentEvent, UnsettledCall, WaitingCall } from "./graph/events.ts";
export type { AnswerOutcome, CallDecision, Session } from "./graph/session.ts";
export { openModel } from "./model/open-model.ts";
export type { Model, ModelEvent, ModelReply, ModelRequest } from "./model/port.ts";
export { ModelFailure } from "./model/port.ts";
export { decide } from "./policy/decide.ts";
export { openGrantBook } from "./policy/grant-book.ts";
export { loadPolicy } from "./policy/load.ts";
export type { CallFacts, Grant, GrantBook, Mode, Policy, Rule, Verdict } from "./policy/types.ts";
export { openStore } from "./store/open-store.ts";
export type { Journal, Store } from "./store/types.ts";
export type { CallStatus, ToolCallInfo } from "./tools/contract/call.ts";
export { advance, callMoves } from "./tools/contract/call.ts";
export type { ErrorCode } from "./tools/contract/codes.ts";
export { ToolRefusal } from "./tools/contract/codes.ts";
export type { Json, JsonObject } from "./tools/contract/json.ts";
export type { Effect, Plan, RiskLevel, Tool, ToolContext, ToolResult } from "./tools/contract/tool.ts";
export { defineTool } from "./tools/contract/tool.ts";
export { createDefaultTools } from "./tools/create-default-tools.ts";
export { digestOf } from "./tools/digest.ts";
export { executeTool } from "./tools/execute-tool.ts";
export type { ToolRegistry } from "./tools/registry.ts";
export { createToolRegistry } from "./tools/registry.ts";
