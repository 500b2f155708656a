import { describe, expect, it } from "vitest";
import { leftBehind, reduce } from "../../../../src/cli/ui/view/view-state.ts";
import type { CallEnd, ToolCallInfo } from "../../../../src/core/call.ts";
import type { AgentEvent, AgentEventBody } from "../../../../src/graph/events.ts";
import { doneCall, eventOf, fakeCall, pendingCall, waitingEdit } from "../../../support/fake-session.ts";
import { banner, ended, play, start } from "../../../support/views.ts";

describe("what waits for the person", () => {
  it("opens as one batch, and a denied call leaves the others", () => {
    const asked = play({ type: "approval_requested", calls: [waitingEdit("c1"), waitingEdit("c2")] });
    expect(asked.ask?.requests.map((one) => one.call.callId)).toEqual(["c1", "c2"]);
    const label = "edit_file src/a.ts +1 −1";
    expect(asked.ask?.batch).toEqual([
      { ref: fakeCall("c1"), label },
      { ref: fakeCall("c2"), label },
    ]);
    const denied = reduce(
      asked,
      eventOf({ type: "decision", callId: "c1", decision: "deny", by: "person", reason: "not now" }),
    );
    expect(denied.ask?.requests.map((one) => one.call.callId)).toEqual(["c2"]);
    expect(denied.ask?.batch).toEqual([
      { ref: fakeCall("c1"), label, mark: "no" },
      { ref: fakeCall("c2"), label },
    ]);
    expect(denied.items.at(-1)).toEqual({
      kind: "decision",
      mark: "no",
      text: "denied by you · edit_file src/a.ts +1 −1 · not now",
    });
    expect(denied.running).toBe(false);
  });

  it("counts on from what an earlier process asked about, until the model replies anew or the person says something else", () => {
    const [yes, waits] = [pendingCall("c1", "write_file", { file_path: "a" }), waitingEdit("c2")];
    const by = { actor: "person" } as const;
    const approved = { ...yes, digest: "sha256:1", by } as ToolCallInfo;
    const ruled = { ...pendingCall("c3", "ls", {}), digest: "sha256:2", by: { actor: "policy" } } as ToolCallInfo;
    const told: AgentEventBody = {
      ...{ type: "session_restored", model: "demo", workspace: "/home/ada/proj", mode: "ask" },
      messages: [
        { role: "assistant", id: "a1", text: "", calls: ["c1", "c3"] },
        ...[approved, ruled].map((call) => ({ role: "call", session: start.session, call }) as const),
      ],
      ...{ waiting: ["c2"], interrupted: [] },
    };
    const asking: AgentEventBody = { type: "approval_requested", calls: [waits] };
    const marks = (...between: AgentEventBody[]) =>
      play(told, ...between, asking).ask?.batch.map(({ ref, mark }) => [ref.call, mark]);
    expect(marks()).toEqual([
      ["c1", "yes"],
      ["c2", undefined],
    ]);
    expect(play(told, asking).items.at(-1)).toMatchObject({
      text: "of 2 calls you have decided: 1 approved · 1 to go",
    });
    const args = { file_path: "/elsewhere/proj/a" };
    const whole = { ...pendingCall("c1", "write_file", args), digest: "sha256:1", by } as ToolCallInfo;
    const called = { role: "call", session: start.session, call: whole } as const;
    const elsewhere = { ...told, workspace: "/elsewhere/proj", messages: [called] } as AgentEventBody;
    expect(play(elsewhere, asking).ask?.batch[0]?.label).toBe("write_file a");
    expect(marks({ type: "user_message", id: "m1", text: "no" })).toEqual([["c2", undefined]]);
    expect(marks({ type: "assistant_message", id: "a2", text: "", calls: ["c2"] })).toEqual([["c2", undefined]]);
  });

  it("says of a helper's call whose it was", () => {
    const session = "brisk-otter-4f2a@explore-1-20261121T1015-002";
    const denied: AgentEventBody = { type: "decision", callId: "c1", decision: "deny", by: "person" };
    const view = reduce(play(), {
      ...eventOf(denied),
      ...{ session, parent: "brisk-otter-4f2a", agent: "reviewer 2" },
    } as AgentEvent);
    expect(view.items.at(-1)).toMatchObject({ text: "denied by you · reviewer 2 · c1" });
  });

  const approved: AgentEventBody = { type: "decision", callId: "c1", decision: "approve", by: "person" };
  const edited = doneCall("c1", "edit_file", { file_path: "src/a.ts" }, { output: "" });
  const cardLine = {
    ref: fakeCall("c1"),
    toolName: "edit_file",
    subject: "src/a.ts",
    counts: { added: 1, removed: 1 },
  };

  it("tells an approval beside its call, in the one line that says how it ended", () => {
    const asked: AgentEventBody = { type: "approval_requested", calls: [waitingEdit("c1")] };
    const view = play(asked, approved);
    expect(view).toMatchObject({ ask: undefined, running: true, items: [banner] });
    const decided = "approved once by you";
    expect(view.cards).toMatchObject([{ ...cardLine, state: "pending", decided }]);
    const runs: AgentEventBody = { type: "tool_call", call: { callId: "c1", status: "executing", attempt: 1 } };
    expect(play(asked, approved, runs).cards).toMatchObject([{ ...cardLine, state: "running", decided }]);
    const done = play(asked, approved, runs, { type: "tool_call", call: edited });
    expect(done.items.slice(1)).toMatchObject([{ kind: "call", card: { ...cardLine, state: "done", decided } }]);
    const { result: _, ...rest } = edited as Extract<typeof edited, { status: "success" }>;
    const failed = { ...rest, status: "error", errorCode: "STALE", errorMsg: "it changed" } as const;
    const outcome = play(asked, approved, runs, { type: "tool_call", call: failed });
    expect(outcome.items.slice(1)).toMatchObject([
      { kind: "call", card: { ...cardLine, state: "failed", note: "STALE: it changed", decided } },
    ]);
    // Asked anew: nobody has approved what is asked now.
    expect(play(asked, approved, asked).cards[0]).not.toHaveProperty("decided");
  });

  it("tells of a session that is read again who approved what, and what a call that was denied would have changed", () => {
    const at = { actor: "person" } as const;
    const arguments_ = { file_path: "src/a.ts" };
    const denied = {
      ...pendingCall("c2", "edit_file", arguments_),
      ...({ status: "cancelled", by: at, ended: { why: "denied" }, reason: "not now" } as const),
    };
    const view = play({
      type: "session_restored",
      ...{ model: "m", workspace: "/w", mode: "ask", waiting: [], interrupted: [], title: "Mend\u001b[31m it" },
      messages: [
        { role: "call", session: "s1", call: { ...edited, by: at } as typeof edited },
        { role: "call", session: "s1", call: denied, counts: { added: 2, removed: 1 } },
      ],
    });
    expect(view.items.slice(1)).toMatchObject([
      { kind: "call", card: { state: "done", decided: "approved by you" } },
      { kind: "decision", mark: "no", text: "denied by you · edit_file src/a.ts +2 −1 · not now" },
    ]);
    expect(view.title).not.toContain("\u001b");
  });

  it.each([
    ["policy", { why: "policy", note: "it is sealed" }, "refused", "denied by policy: it is sealed"],
    ["script", { why: "denied" }, "refused", "denied by the script"],
    ["person", { why: "stopped" }, "cancelled", "the person stopped the turn before it ran"],
    ["person", { why: "overstepped", note: "x changed" }, "cancelled", "x changed", "done, not accepted"],
    ["person", { why: "raced", note: "another's save won" }, "cancelled", "another's save won", "not applied"],
    ["person", { why: "given_up", unknown: true }, "lost", "its process ended while it ran; the person gave up on it"],
    [
      "person",
      { why: "superseded", files: ["a"] },
      "partly",
      expect.stringMatching(/^a was changed; the rest was not/),
    ],
  ] as const)(
    "says of a call that %s ended by %j that it is %s",
    (actor, ended, state, note, word: string = "cancelled") => {
      const call = {
        ...pendingCall("c1", "edit_file", { file_path: "src/a.ts" }),
        ...{ status: "cancelled" as const, by: { actor }, ended: ended as CallEnd },
      };
      const tells: AgentEventBody = { type: "decision", callId: "c1", decision: "deny", by: "script" };
      for (const told of [[tells], []] as AgentEventBody[][])
        expect(play(...told, { type: "tool_call", call }).items.slice(1)).toEqual([
          {
            kind: "call",
            card: {
              ...{ ref: fakeCall("c1"), toolName: "edit_file", subject: "src/a.ts", state, note },
              ...(state === "cancelled" && { word }),
            },
          },
        ]);
    },
  );

  it("keeps an edited call until its new plan comes, in its place", () => {
    const edited = play(
      { type: "approval_requested", calls: [waitingEdit("c1"), waitingEdit("c2")] },
      { type: "decision", callId: "c1", decision: "edit", by: "person" },
      { type: "approval_requested", calls: [waitingEdit("c1", { digest: "new" })] },
    );
    expect(edited.ask?.requests.map((one) => [one.call.callId, one.call.digest])).toEqual([
      ["c1", "new"],
      ["c2", "9f3c1122334455667788"],
    ]);
    expect(edited.ask?.batch.map(({ ref }) => ref.call)).toEqual(["c1", "c2"]);
  });

  it("tells a denial once, by its decision, whichever of the two events comes first", () => {
    const denied: AgentEventBody = {
      type: "tool_call",
      call: {
        ...pendingCall("c1", "edit_file", { file_path: "src/a.ts" }),
        status: "cancelled",
        by: { actor: "person" },
        ended: { why: "denied" },
        reason: "not now",
      },
    };
    const decision: AgentEventBody = {
      type: "decision",
      callId: "c1",
      decision: "deny",
      by: "person",
      reason: "not now",
    };
    const asked: AgentEventBody = { type: "approval_requested", calls: [waitingEdit("c1")] };
    const told = {
      items: [banner, { kind: "decision", mark: "no", text: "denied by you · edit_file src/a.ts +1 −1 · not now" }],
      cards: [],
      ask: undefined,
    };
    expect(play(asked, denied, decision)).toMatchObject(told);
    expect(play(asked, decision, denied)).toMatchObject(told);
  });

  it("names the grant that an approval added, and each later call that it allowed", () => {
    const view = play(
      { type: "approval_requested", calls: [waitingEdit("c1")] },
      {
        type: "decision",
        callId: "c1",
        decision: "approve",
        by: "person",
        rule: "grant:g-1a2b3c4d",
        reason: "from now on edit_file(src/**) for this session",
      },
      { type: "tool_call", call: pendingCall("c2", "edit_file", { file_path: "src/b.ts" }) },
      {
        type: "tool_call",
        call: { callId: "c2", status: "executing", attempt: 1, by: { actor: "policy", rule: "grant:g-1a2b3c4d" } },
      },
    );
    expect(view.cards[0]).toMatchObject({
      ref: fakeCall("c1"),
      decided: "approved by you · from now on edit_file(src/**) for this session (grant g-1a2b3c4d)",
    });
    expect(view.cards.at(-1)).toEqual({
      ref: fakeCall("c2"),
      toolName: "edit_file",
      subject: "src/b.ts",
      state: "running",
      allowedBy: "allowed by grant g-1a2b3c4d",
      since: expect.any(Number),
    });
    const done = doneCall("c2", "edit_file", { file_path: "src/b.ts" }, { output: "" });
    const rule = { actor: "policy", rule: "user:/home/ada/.config/holdfast/policy.json:4" } as const;
    expect(play({ type: "tool_call", call: { ...done, by: rule } as typeof done }).items.at(-1)).toMatchObject({
      card: { state: "done", allowedBy: "allowed by your rule policy.json:4" },
    });
  });

  it("says nothing about decisions of policy", () => {
    const view = play({ type: "decision", callId: "c1", decision: "approve", by: "policy", rule: "table" });
    expect(view.items).toEqual([banner]);
  });

  it("stays when the turn ends waiting, and shows the question of a call that a stop kept", () => {
    const view = play({ type: "approval_requested", calls: [waitingEdit("c1")] }, ended("awaiting_approval"));
    expect(view.ask?.requests).toHaveLength(1);
    expect(view.cards.map((card) => card.state)).toEqual(["waiting"]);
  });
});

describe("what is left", () => {
  it("says of a call that a failed turn leaves with its helpers that it has not come to its end", () => {
    const view = play(
      { type: "tool_call", call: pendingCall("c1", "agent", { task: "x" }) },
      { type: "tool_call", call: { callId: "c1", status: "executing", attempt: 1 } },
      ended("failed"),
    );
    expect(view.cards).toEqual([]);
    expect(view.items.at(-1)).toMatchObject({ card: { state: "running", note: "has not come to its end" } });
  });

  it("keeps the half answer and the calls that were on the screen", () => {
    const view = play(
      { type: "user_message", id: "u1", text: "go" },
      { type: "tool_call", call: pendingCall("c1", "ls", { path: "a" }) },
      { type: "tool_call", call: { callId: "c1", status: "executing", attempt: 1 } },
      { type: "text_delta", id: "a1", text: "Half a sen" },
    );
    expect(leftBehind(view)).toEqual({
      ...view,
      running: false,
      tail: undefined,
      cards: [],
      items: [
        ...view.items,
        { kind: "assistant", text: "Half a sen", continued: false },
        {
          kind: "call",
          card: {
            ref: fakeCall("c1"),
            toolName: "ls",
            subject: "a",
            state: "running",
            note: "still running when this chat was left",
            since: expect.any(Number),
          },
        },
      ],
    });
  });

  it("to do where another process took the session over is said with it", () => {
    expect(
      play({ type: "error", code: "SESSION_TAKEN", message: "it was taken over by process 7" }).items.at(-1),
    ).toEqual({
      kind: "notice",
      level: "error",
      text: "it was taken over by process 7",
      hint: "take it back: agent resume brisk-otter-4f2a --take-over",
    });
  });
});
