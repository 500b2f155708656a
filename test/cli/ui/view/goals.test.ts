import { expect, test } from "vitest";
import { cleanLine } from "../../../../src/cli/ui/safe-text.ts";
import { reduce } from "../../../../src/cli/ui/view/view-state.ts";
import type { AgentEventBody } from "../../../../src/graph/events.ts";
import { eventOf } from "../../../support/fake-session.ts";
import { play } from "../../../support/views.ts";

const call = (
  callId: string,
  args: Record<string, string>,
  status: "success" | "error" = "success",
): AgentEventBody => ({
  type: "tool_call",
  call: {
    ...{ callId, modelCallId: callId, toolName: "goal", arguments: args, risk: "low", effect: "store", attempt: 1 },
    times: { proposed: 1, started: 2, settled: 3 },
    ...(status === "success"
      ? { status, result: { output: "done" } }
      : { status, errorCode: "NOT_FOUND" as const, errorMsg: "no" }),
  },
});

const loud = "one \u001b[31mred";

test("the view has the plan that the session's calls made, safe to draw", () => {
  const { goals } = play(
    call("c1", { action: "add", text: loud }),
    call("c2", { action: "add", text: "two" }, "error"),
    call("c3", { action: "start", id: "g1" }),
  );
  expect(goals).toEqual([{ id: "g1", text: cleanLine(loud), state: "active" }]);
  expect(goals[0]?.text).not.toContain("\u001b");
});

test("a helper's plan is its own, and a session that is opened again brings its plan along", () => {
  const restored = play({
    ...{ type: "session_restored", model: "demo", workspace: "/home/ada/proj", mode: "ask", messages: [] },
    ...{ waiting: [], interrupted: [], goals: [{ id: "g1", text: "one", state: "pending" }] },
  });
  const theirs = { ...eventOf(call("c1", { action: "add", text: "theirs" })), session: "s@1", parent: "s" };
  const begun: AgentEventBody = {
    ...{ type: "session_started", model: "demo", workspace: "/home/ada/proj", mode: "ask" },
    works: { goal: "g1", mode: "explore" },
  };
  const helped = ["s@1", "s@2", "s@2"].reduce(
    (view, session) => reduce(view, { ...eventOf(begun), session, parent: "s" }),
    restored,
  );
  expect(helped.goals).toMatchObject([
    { state: "pending", type: "agent_call", agentCallMode: "explore", subSessionIds: ["s@1", "s@2"] },
  ]);
  expect(reduce(restored, theirs).goals).toEqual([{ id: "g1", text: "one", state: "pending" }]);
  expect(reduce(restored, eventOf(call("c2", { action: "drop", id: "g1" }))).goals).toMatchObject([
    { state: "dropped" },
  ]);
});
