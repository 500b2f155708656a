/** The public SDK: tools of one's own, the default tools, policy's decision and the agent itself. */

export { z } from "zod";
export type { AgentDefinition } from "./core/agent-definition.ts";
export { MissingPackage } from "./core/agent-packages.ts";
export type {
  Actor,
  CallChange,
  CallEnd,
  CallOf,
  CallResult,
  CallStatus,
  CallTimes,
  Decider,
  EndReason,
  NextOf,
  ToolCallInfo,
} from "./core/call.ts";
export { advance, callMoves, IllegalMove } from "./core/call.ts";
export type { CallRef } from "./core/call-ref.ts";
export { refOf } from "./core/call-ref.ts";
export type { ChildNote } from "./core/child.ts";
export type { ChildEnd, ChildSpec } from "./core/child-session.ts";
export type { ErrorCode } from "./core/codes.ts";
export { ToolRefusal } from "./core/codes.ts";
export type { DigestParts } from "./core/digest.ts";
export { digestOf } from "./core/digest.ts";
export { FolderLost } from "./core/folder-lost.ts";
export type { Goal, Goals } from "./core/goals.ts";
export type { Json, JsonObject, Sha } from "./core/json.ts";
export type { Outcome } from "./core/outcome.ts";
export { EffectStopped } from "./core/outcome.ts";
export type { PathFact } from "./core/path-fact.ts";
export type { Progress } from "./core/progress.ts";
export type { GivenSecrets } from "./core/secrets/given-secrets.ts";
export type { Skill } from "./core/skill.ts";
export type {
  DiffNote,
  Effect,
  FileBytes,
  FilePlan,
  GivenImage,
  Hunk,
  HunkLine,
  ImageRef,
  JsonSchemaArgs,
  LineEnding,
  Overlay,
  Plan,
  RiskLevel,
  SeenFiles,
  TextDiff,
  TextEncoding,
  Tool,
  ToolArgs,
  ToolContext,
  ToolOutput,
  ToolResult,
} from "./core/tool.ts";
export { defineTool } from "./core/tool.ts";
export type { ToolDisplay } from "./core/tool-display.ts";
export type { StatOrder, ToolStats } from "./core/tool-stats.ts";
export type { ExecuteOptions } from "./graph/calls/execute-tool.ts";
export { executeTool } from "./graph/calls/execute-tool.ts";
export type { NotShown } from "./graph/calls/partial.ts";
export type { AnswerOutcome, AnswerRefusal, CallDecision } from "./graph/decisions.ts";
export type {
  AgentEvent,
  AgentEventBody,
  CallDelta,
  RecoveryChoice,
  TranscriptEntry,
  TurnReason,
  UnsettledCall,
  WaitingCall,
} from "./graph/events.ts";
export type { ToolRow } from "./graph/talk/describe-tools.ts";
export { describeTools } from "./graph/talk/describe-tools.ts";
export type { PromptSources } from "./graph/talk/prompt/make-prompt.ts";
export { makePrompt } from "./graph/talk/prompt/make-prompt.ts";
export type { ModelEntry } from "./model/model-entries.ts";
export type { OpenModelOptions } from "./model/open-model.ts";
export { openModel } from "./model/open-model.ts";
export type {
  Model,
  ModelEvent,
  ModelFailureKind,
  ModelMessage,
  ModelReply,
  ModelRequest,
  Price,
  RawCall,
  ScriptedAnswer,
  ScriptedTurn,
  ToolChoice,
  ToolFormat,
  Usage,
} from "./model/port.ts";
export { ModelFailure } from "./model/port.ts";
export type { ServerSettings } from "./model/servers.ts";
export { formatMarkdownInstructions, formatXmlInstructions } from "./model/xml/instructions.ts";
export type {
  DescribedTool,
  ParsedToolCalls,
  XmlCallError,
  XmlErrorKind,
  XmlToolCall,
} from "./model/xml/parse-calls.ts";
export { parseXmlToolCalls } from "./model/xml/parse-calls.ts";
export { decide } from "./policy/decide.ts";
export type {
  CallFacts,
  Decision,
  Grant,
  GrantOffer,
  GrantScope,
  Mode,
  Policy,
  Rule,
  RuleSource,
  Sealed,
  Verdict,
} from "./policy/types.ts";
export type { OutsideAnswer, OutsideDecision, OutsideStop } from "./records/ask-driver.ts";
export type { CallLife } from "./records/call-life.ts";
export type { ExportedSession } from "./records/export-script.ts";
export { UnknownSession } from "./records/find-session.ts";
export type { Forked } from "./records/fork.ts";
export type { History } from "./records/history.ts";
export { SessionInUse } from "./records/remove.ts";
export type { FileDiffText } from "./records/session-diff.ts";
export type { SessionInfo } from "./records/session-info.ts";
export type { OpenCall } from "./records/session-progress.ts";
export type { StatsStore, TopOptions } from "./records/statistics.ts";
export { toolStats, topTools } from "./records/statistics.ts";
export type { UndoTarget } from "./records/undo/changes.ts";
export type { StoreCheck } from "./records/verify.ts";
export type { AgentOptions, ResumeOptions, SessionOptions } from "./sdk/agent-options.ts";
export type { AgentSessions } from "./sdk/agent-sessions.ts";
export type { Agent } from "./sdk/create-agent.ts";
export { createAgent } from "./sdk/create-agent.ts";
export type { Toolkit, Toolkits } from "./sdk/toolkits.ts";
export { createToolkits } from "./sdk/toolkits.ts";
export { formatXmlToolResult } from "./sdk/xml-result.ts";
export type { CallProgress } from "./session/calls-in-progress.ts";
export type { EventsAsked } from "./session/event-stream.ts";
export { EventsGone } from "./session/kept-events.ts";
export type { ResumedSession } from "./session/open-agent.ts";
export type { Session, UndoOutcome } from "./session/session.ts";
export type { StoreFailureKind } from "./store/problems.ts";
export { DriverMissing, SessionBusy, StoreFailure } from "./store/problems.ts";
export type { AnswerGiver, AnswerRow, CallEvent, CallFilter, SessionState, Spent, Verified } from "./store/types.ts";
export type { AgentToolOptions } from "./tools/agents/agent-tool.ts";
export { createAgentTool } from "./tools/agents/agent-tool.ts";
export { createEvaluateTool } from "./tools/agents/evaluate-tool.ts";
export { createArtifactTools } from "./tools/artifacts/artifact-tools.ts";
export type { DefaultToolsOptions } from "./tools/create-default-tools.ts";
export { createDefaultTools } from "./tools/create-default-tools.ts";
export type { ToolClass, ToolFactory, ToolRegistry, ToolSource } from "./tools/registry.ts";
export { createToolRegistry } from "./tools/registry.ts";
export type { SkillToolOptions } from "./tools/skills/skill-tool.ts";
export { createSkillTool } from "./tools/skills/skill-tool.ts";
export type { ToolSchema } from "./tools/use/schema.ts";
export { toolSchema } from "./tools/use/schema.ts";
