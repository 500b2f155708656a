import type { BaseMessage } from "@langchain/core/messages";
import { type CallOf, isFinal, type ToolCallInfo } from "../../core/call.ts";
import { oneLine } from "../../core/fence.ts";
import type { HookSaid } from "../../core/hooks.ts";
import type { JsonObject } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import type { StepId } from "../../core/step-id.ts";
import type { HookRun, HookUse } from "../../store/types.ts";
import type { Hook } from "../../tools/hooks/hooks.ts";
import { turnNotices } from "../../words/contract/turn-notices.ts";
import { type Runtime, stayUnlessLeaving, TurnLeft } from "../runtime.ts";
import { hookWords } from "../talk/hook-words.ts";
import { textOf } from "../talk/message-text.ts";
import { isCommandCall } from "../talk/person-call.ts";
import { hooksGoOn, timesGoneOn } from "./hooks-asked.ts";
import { endLeftChildren } from "./left-children.ts";

/** The outcome of the hooks before a call. `arguments`: in the place of its own. */
export interface HeardBefore {
  denied?: string;
  arguments?: JsonObject;
}

/** Lists the runs of hooks before this attempt of the call, whichever hooks are set by now. */
const heardOf = ({ journal }: Runtime, { callId, attempt }: ToolCallInfo): HookRun[] =>
  journal.hookRuns().filter((run) => run.event === "PreToolUse" && run.callId === callId && run.attempt === attempt);

/** Tells whether hooks have something to do with a call: some are set that mean it, or some have looked at it. */
export const concernsHooks = (runtime: Runtime, call: ToolCallInfo): boolean =>
  hooksBefore(runtime, call).length > 0 || heardOf(runtime, call).length > 0;

/** Those that are to look at a call before it is run; none at what the person commands themselves. */
const hooksBefore = ({ hooks, catalogue }: Runtime, call: ToolCallInfo): readonly Hook[] =>
  hooks === undefined || isCommandCall(catalogue, call) ? [] : hooks.of("PreToolUse", call.toolName);

/**
 * Runs the hooks of a call that policy does not deny, each with the arguments as those before it have left them, until one says no. What was heard
 * of one holds, also where it is set no more. That one wants a person to be asked is read from the journal by whoever prepares the call.
 */
export async function hearBefore(
  runtime: Runtime,
  { call, stepId, given }: { call: CallOf<"pending">; stepId: StepId; given: JsonObject },
): Promise<HeardBefore> {
  const hooks = hooksBefore(runtime, call);
  const heard = heardOf(runtime, call);
  let changed = heard.findLast(({ said }) => said?.input !== undefined)?.said?.input;
  const heardIs = (denied?: string): HeardBefore => ({
    ...(denied === undefined ? {} : { denied }),
    ...(changed === undefined ? {} : { arguments: changed }),
  });
  const denial = heard.find(({ said }) => said?.decision === "deny");
  if (denial !== undefined) {
    const of = hooks.find(({ id }) => id === denial.hook);
    const name = of === undefined ? hookWords.gone : nameOf(runtime, of);
    return heardIs(hookWords.denied(name, denial.said?.reason ?? ""));
  }
  for (const hook of hooks) {
    const use = { step: stepId, event: "PreToolUse", callId: call.callId, attempt: call.attempt } as const;
    const input = { ...about(runtime, call, hook), tool_input: changed ?? given };
    const said = await runOnce(runtime, hook, use, input);
    if (said.decision === "deny") return heardIs(hookWords.denied(nameOf(runtime, hook), said.reason ?? ""));
    changed = said.input ?? changed;
  }
  return heardIs();
}

/** Runs the hooks of each call of this step that has come to a success and that they have not seen yet. */
export async function hearAfter(runtime: Runtime, stepId: StepId): Promise<void> {
  const { hooks, journal, catalogue } = runtime;
  if (hooks === undefined) return;
  for (const call of journal.callsOf(stepId)) {
    if (call.status !== "success" || !isFinal(call) || isCommandCall(catalogue, call)) continue;
    for (const hook of hooks.of("PostToolUse", call.toolName)) {
      if (runtime.leaving) throw new TurnLeft();
      if (runtime.signal.aborted) return;
      const use = { step: stepId, event: "PostToolUse", callId: call.callId, attempt: call.attempt } as const;
      const output = call.result.output.slice(0, limits.hookResponse.most);
      const tool_response = { output, ...(call.result.metadata && { metadata: call.result.metadata }) };
      await runOnce(runtime, hook, use, { ...about(runtime, call, hook), tool_input: call.arguments, tool_response });
    }
  }
}

/** Runs the hooks on the model's last words of a turn, which are stored by now, and tells whether they have it go on. Helpers end without them. */
export async function hearStop(runtime: Runtime, stepId: StepId, words: BaseMessage): Promise<boolean> {
  const { hooks, journal } = runtime;
  const due = hooks === undefined || runtime.agent !== undefined ? [] : hooks.of("Stop");
  const rounds = timesGoneOn(journal, stepId);
  if (due.length > 0 && rounds >= limits.hookRounds.most) {
    runtime.emit({ type: "notice", code: "hook", text: turnNotices.hooksEnough({ rounds }) });
    return false;
  }
  const more = { stop_hook_active: rounds > 0, last_assistant_message: textOf(words) };
  for (const hook of due) {
    if (runtime.leaving) throw new TurnLeft();
    if (runtime.signal.aborted) break;
    await runOnce(runtime, hook, { step: stepId, event: "Stop", attempt: 1 }, { ...base(runtime, "Stop"), ...more });
  }
  // Also what was heard of one that is set no more.
  return hooksGoOn(journal, stepId);
}

const base = ({ sessionId, workspace, mode, agent }: Runtime, event: HookUse["event"]): JsonObject => ({
  session_id: sessionId,
  cwd: workspace,
  hook_event_name: event,
  permission_mode: mode,
  ...(agent === undefined ? {} : { agent }),
});

const about = (runtime: Runtime, { callId, toolName, status }: ToolCallInfo, hook: Hook): JsonObject => ({
  ...base(runtime, status === "pending" ? "PreToolUse" : "PostToolUse"),
  tool_name: hook.toolName,
  tool: toolName,
  tool_use_id: callId,
});

// Keeps graph 24.
/**
 * At most once for each use, however often a node is run: it is written down before it begins, and one whose end was not seen is not run
 * again. Of such a one of PreToolUse a person is asked.
 */
async function runOnce(runtime: Runtime, hook: Hook, use: Omit<HookUse, "hook">, input: JsonObject): Promise<HookSaid> {
  const { journal, signal, pins, workspace } = runtime;
  const { step, event, callId, attempt } = use;
  const known = journal
    .hookRuns()
    .find(
      (run) =>
        run.hook === hook.id &&
        run.event === event &&
        run.attempt === attempt &&
        (callId === undefined ? run.step.turn === step.turn && run.step.step === step.step : run.callId === callId),
    );
  if (known?.said !== undefined) return known.said;
  if (known !== undefined) {
    await endLeftChildren(known.child === undefined ? [] : [known.child]);
    return ended(runtime, hook, use, known.seq, unseen(use));
  }
  // One that was written down and has no end counts as begun.
  stayUnlessLeaving(runtime);
  const seq = await journal.beginHook({ ...use, hook: hook.id });
  const noteChild = (child: Parameters<typeof journal.noteHookChild>[1]) => journal.noteHookChild(seq, child);
  const mask = (words: string): string => shown(runtime, words);
  const said = await hook.run(input, { signal, noteChild, workspace, mask, ...(pins === undefined ? {} : { pins }) });
  // What was ended with the process has said nothing: its end is not seen.
  if (runtime.leaving && said.trouble !== undefined) throw new TurnLeft();
  return ended(runtime, hook, use, seq, said);
}

/** Words as those of calls: with no value of a secret. A command may have one in its text. */
const shown = ({ secrets }: Pick<Runtime, "secrets">, words: string): string => secrets?.masking.text(words) ?? words;

/** A hook's command, short enough for one line. */
const nameOf = (runtime: Runtime, { command }: Hook): string => oneLine(shown(runtime, command), 80);

const unseen = ({ event }: Pick<HookUse, "event">): HookSaid => ({
  decision: event === "PreToolUse" ? "ask" : "none",
  ...(event === "PreToolUse" ? { reason: hookWords.unseen } : {}),
  trouble: hookWords.unseen,
});

async function ended(
  runtime: Runtime,
  hook: Hook,
  use: Omit<HookUse, "hook">,
  seq: number,
  said: HookSaid,
): Promise<HookSaid> {
  await runtime.journal.endHook(seq, said);
  const text = hookWords.notice(nameOf(runtime, hook), use, said);
  if (text !== undefined) runtime.emit({ type: "notice", code: "hook", text });
  return said;
}
