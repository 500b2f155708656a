import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import type { CallEnd, CallStatus, ToolCallInfo } from "../../src/core/call.ts";
import { createOverlay } from "../../src/graph/calls/prepared-call.ts";
import { afterCalls, afterObservation, afterReasoning } from "../../src/graph/routes.ts";
import { markCut } from "../../src/graph/talk/cut-reply.ts";
import { observationText } from "../../src/graph/talk/observation-text.ts";
import { reasonOf } from "../../src/graph/turn-end.ts";
import { ModelFailure, type ModelFailureKind } from "../../src/model/port.ts";
import { PolicyProblem } from "../../src/policy/problem.ts";
import { failureOf } from "../../src/session/exit-codes.ts";
import { countCalls, exitCodeOf } from "../../src/session/turn-ended-event.ts";
import { SessionBusy, StoreFailure } from "../../src/store/types.ts";

const base = {
  callId: "c1",
  modelCallId: "m1",
  toolName: "ring",
  arguments: { bell: "big" },
  risk: "medium" as const,
  effect: "once" as const,
  attempt: 1,
  times: { proposed: 1 },
};
const digest = "d".repeat(64);
const person = { actor: "person" as const };

const made = {
  pending: { ...base, status: "pending" },
  awaiting_approval: { ...base, status: "awaiting_approval", digest },
  executing: { ...base, status: "executing" },
  success: { ...base, status: "success", result: { output: "Rung." } },
  error: { ...base, status: "error", errorCode: "TIMEOUT", errorMsg: "too slow" },
  cancelled: { ...base, status: "cancelled", by: person, ended: { why: "denied" } },
  interrupted: { ...base, status: "interrupted", ended: { why: "unseen" } },
} satisfies { [S in CallStatus]: Extract<ToolCallInfo, { status: S }> };

const ended = (end: CallEnd): ToolCallInfo => ({ ...made.cancelled, ended: end });

const state = (...statuses: CallStatus[]) => {
  const calls = statuses.map((status) => made[status]);
  const isDone = (call: ToolCallInfo) => ["success", "error", "cancelled"].includes(call.status);
  return {
    pendingToolCalls: calls.filter((call) => !isDone(call)),
    completedToolCalls: calls.filter(isDone),
  };
};

describe("the way through the graph", () => {
  it("goes from the model to its calls, or ends", () => {
    const at = (...calls: CallStatus[]) => ({ ...state(...calls), messages: [], ending: null, turn: 1, step: 1 });
    expect(afterReasoning(at(), 50)).toBe("__end__");
    expect(afterReasoning(at("pending"), 50)).toBe("tool_routing");
    expect(afterReasoning(at("error"), 50)).toBe("tool_routing");
  });

  it("goes on with the model after a reply that was cut off, as long as the turn may", () => {
    const cut = new AIMessage({ id: "m1.1", content: "half", additional_kwargs: markCut("why") });
    const at = { ...state(), messages: [cut], ending: null, turn: 1, step: 2 };
    expect(afterReasoning({ ...at, step: 1 }, 2)).toBe("__end__");
    expect(afterReasoning(at, 2)).toBe("reasoning");
    expect(afterReasoning(at, 1)).toBe("__end__");
    expect(afterReasoning({ ...at, ending: "cut" }, 2)).toBe("__end__");
    expect([reasonOf(at), reasonOf({ ...at, ending: "cut" })]).toEqual(["max_steps", "failed"]);
  });

  it.each<[CallStatus[], string]>([
    [["interrupted", "awaiting_approval", "pending"], "recovery"],
    [["pending", "awaiting_approval", "success"], "human_approval"],
    [["success", "pending"], "tool_execution"],
    [["executing"], "tool_execution"],
    [["success", "error", "cancelled"], "observation"],
    [[], "observation"],
  ])("with calls that are %j goes to %s", (statuses, next) => {
    expect(afterCalls({ ...state(...statuses), waitingChildren: {} })).toBe(next);
  });

  it("goes back to the model until the steps are used up or the turn is to end", () => {
    expect(afterObservation({ ending: null, step: 50 }, 50)).toBe("reasoning");
    expect(afterObservation({ ending: null, step: 51 }, 50)).toBe("__end__");
    expect(afterObservation({ ending: "stuck", step: 2 }, 50)).toBe("__end__");
  });
});

describe("what the model reads of a call", () => {
  it.each<[ToolCallInfo, string | RegExp]>([
    [made.success, "Rung."],
    [made.error, "Error TIMEOUT: too slow"],
    [{ ...made.error, result: { output: "ding" } }, "Error TIMEOUT: too slow\nOutput until then:\nding"],
    [made.cancelled, "Not run: denied by the person"],
    [{ ...made.cancelled, reason: "too loud" }, "Not run: denied by the person: too loud"],
    [ended({ why: "policy", note: "no bells" }), "Not run: denied by policy: no bells"],
    [ended({ why: "stopped" }), "Not run: the person stopped the turn before it ran"],
    [ended({ why: "superseded" }), "Not run: the person sent a new message instead of an answer"],
    [
      ended({ why: "superseded", unknown: true }),
      "Outcome unknown: its process ended while it ran; the person went on with a new message",
    ],
    [ended({ why: "forked" }), "Not run: the session was forked before it ran"],
    [ended({ why: "given_up", unknown: true, note: "it hung" }), "Outcome unknown: it hung; the person gave up on it"],
    [ended({ why: "lapsed", note: "no such file" }), "Not run: it can no longer be done: no such file"],
    [ended({ why: "raced", note: "a.txt was saved" }), "Not applied: a.txt was saved"],
    [
      ended({ why: "denied", files: ["a.txt"] }),
      "Partly done: a.txt was changed; the rest was not: denied by the person",
    ],
    [
      ended({ why: "given_up", unknown: true, note: "it hung", files: ["a", "b"] }),
      "Outcome unknown: a, b were changed; the rest is not known: it hung; the person gave up on it",
    ],
    [{ ...made.error, ended: { why: "partly", files: ["a"] } }, "Error TIMEOUT: too slow; before that, a was changed"],
    [{ ...made.success, ended: { why: "partly", files: ["a"] } }, "Rung.\nBefore that, a was changed."],
    [made.interrupted, /^Outcome unknown: .*its process ended while it ran.* Look before you repeat it\.$/],
    [made.executing, /^Outcome unknown: .* Look before you repeat it\.$/],
    [made.pending, "Not run: the turn ended before it was decided."],
    [made.awaiting_approval, "Not run: the turn ended before it was decided."],
  ])("says how it is: %#", (call, text) => {
    const said = observationText(call, call.arguments);
    if (typeof text === "string") expect(said).toBe(text);
    else expect(said).toMatch(text);
  });

  it("tells of arguments that the person changed, whatever the order of their keys", () => {
    const call = { ...made.success, times: { proposed: 1, started: 2, settled: 3 }, arguments: { a: 1, b: 2 } };
    expect(observationText(call, { b: 2, a: 1 })).toBe("Rung.");
    expect(observationText(call, { a: 1 })).toBe(
      '(The arguments were changed by the person, or by a hook of theirs, before it ran: {"a":1,"b":2})\nRung.',
    );
    expect(observationText({ ...call, rawArguments: "{" }, {})).toBe("Rung.");
  });
});

it("an overlay tells a file that will be gone from one that nobody touches", () => {
  const overlay = createOverlay();
  overlay.write("/a", { before: null, after: Buffer.from("1") });
  overlay.write("/b", { before: Buffer.from("2"), after: null });
  expect([String(overlay.read("/a")), overlay.read("/b"), overlay.read("/c")]).toEqual(["1", null, undefined]);
});

describe("the end of a turn", () => {
  it("is named and numbered as other programs read it", () => {
    const denied = countCalls([made.cancelled, made.success, made.interrupted, made.error, made.pending]);
    expect(denied).toEqual({ success: 1, error: 1, cancelled: 1, interrupted: 1 });
    expect(exitCodeOf("done", false)).toBe(0);
    expect(exitCodeOf("done", true)).toBe(10);
    expect(
      (
        ["awaiting_approval", "awaiting_recovery", "max_steps", "cancelled", "stuck", "context_full", "failed"] as const
      ).map((reason) => exitCodeOf(reason, true)),
    ).toEqual([11, 11, 53, 130, 53, 1, 1]);
    const said = { messages: [new AIMessage({ id: "m1.2", content: "Done." })], turn: 1, step: 2 };
    const observed = { messages: [new ToolMessage({ content: "ok", tool_call_id: "c1" })], turn: 1, step: 2 };
    expect([
      reasonOf({ ...said, ending: null }),
      reasonOf({ ...said, ending: null, step: 3 }),
      reasonOf({ ...observed, ending: null }),
      reasonOf({ ...observed, ending: "ends_turn" }),
      reasonOf({ ...observed, ending: "stuck" }),
      reasonOf({ ...observed, ending: "cancelled" }),
    ]).toEqual(["done", "max_steps", "max_steps", "done", "stuck", "cancelled"]);
  });

  it.each<[unknown, number, string]>([
    ...(
      [
        ["credentials", 41, "CREDENTIALS"],
        ["context_full", 1, "CONTEXT_FULL"],
        ["unavailable", 1, "MODEL_UNAVAILABLE"],
        ["cut", 1, "REPLY_CUT"],
        ["refused", 1, "MODEL_REFUSED"],
        ["script", 1, "SCRIPT"],
      ] as [ModelFailureKind, number, string][]
    ).map(([kind, exit, code]): [unknown, number, string] => [new ModelFailure(kind, "no"), exit, code]),
    [new SessionBusy("no"), 75, "SESSION_BUSY"],
    [new StoreFailure("full", "no"), 74, "STORE"],
    [new PolicyProblem([{ file: "p", line: 1, message: "no" }]), 52, "CONFIGURATION"],
    [new TypeError("no"), 70, "INTERNAL"],
    ["no", 70, "INTERNAL"],
  ])("by a throw has an exit code and a name: %#", (error, exitCode, code) => {
    expect(failureOf(error)).toMatchObject({ exitCode, code });
    expect(failureOf(error).message).toContain("no");
  });
});
