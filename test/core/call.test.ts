import { describe, expect, test } from "vitest";
import {
  advance,
  answererOf,
  type CallChange,
  type CallOf,
  type CallStatus,
  callMoves,
  IllegalMove,
  isFinal,
  mayMove,
  type ToolCallInfo,
} from "../../src/core/call.ts";

const base = {
  callId: "c1",
  modelCallId: "m1",
  toolName: "edit_file",
  arguments: { file_path: "a.ts" },
  risk: "medium",
  effect: "file",
  attempt: 1,
  times: { proposed: 1 },
} as const;

const person = { actor: "person" } as const;

const calls: { [S in CallStatus]: CallOf<S> } = {
  pending: { ...base, status: "pending" },
  awaiting_approval: { ...base, status: "awaiting_approval", digest: "d1" },
  executing: { ...base, status: "executing", digest: "d1", by: person },
  success: { ...base, status: "success", result: { output: "ok" } },
  error: { ...base, status: "error", errorMsg: "no", errorCode: "FAILED" },
  cancelled: { ...base, status: "cancelled", by: person, ended: { why: "denied" }, reason: "not now" },
  interrupted: { ...base, status: "interrupted", digest: "d1", ended: { why: "unseen" } },
};

const changes: { [S in CallStatus]: CallChange<S> } = {
  pending: { status: "pending" },
  awaiting_approval: { status: "awaiting_approval", digest: "d2" },
  executing: { status: "executing" },
  success: { status: "success", result: { output: "ok" } },
  error: { status: "error", errorMsg: "no", errorCode: "FAILED" },
  cancelled: { status: "cancelled", by: person, ended: { why: "denied" }, reason: "not now" },
  interrupted: { status: "interrupted", ended: { why: "unseen" } },
};

const statuses = Object.keys(callMoves) as CallStatus[];
const legal: Record<CallStatus, CallStatus[]> = {
  pending: ["awaiting_approval", "executing", "error", "cancelled"],
  awaiting_approval: ["pending", "awaiting_approval", "cancelled"],
  executing: ["success", "error", "interrupted", "pending"],
  interrupted: ["pending", "success", "cancelled"],
  success: [],
  error: [],
  cancelled: [],
};
const pairs = statuses.flatMap((from) => statuses.map((to) => [from, to] as const));
/** As a caller without types would call it. */
const move = advance as (call: ToolCallInfo, change: CallChange<CallStatus>) => ToolCallInfo;

describe("advance", () => {
  test.each(pairs.filter(([from, to]) => legal[from].includes(to)))("goes from %s to %s", (from, to) => {
    expect(mayMove(from, to)).toBe(true);
    const next = move(calls[from], changes[to]);
    expect(next).toMatchObject({ ...changes[to], callId: "c1", arguments: { file_path: "a.ts" }, attempt: 1 });
  });

  test.each(pairs.filter(([from, to]) => !legal[from].includes(to)))("refuses to go from %s to %s", (from, to) => {
    expect(mayMove(from, to)).toBe(false);
    const refused = new IllegalMove(`call c1 cannot go from ${from} to ${to}`);
    expect(refused.name).toBe("IllegalMove");
    expect(() => move(calls[from], changes[to])).toThrow(refused);
  });

  test("does not touch the call it is given", () => {
    const before = structuredClone(calls.executing);
    advance(calls.executing, { status: "success", result: { output: "ok" }, times: { settled: 9 } });
    expect(calls.executing).toEqual(before);
  });

  test("keeps times and adds the new ones", () => {
    const begun = advance(calls.pending, { status: "executing", times: { started: 5 } });
    expect(begun.times).toEqual({ proposed: 1, started: 5 });
  });

  test("keeps digest and decider through to the end", () => {
    const done = advance(calls.executing, { status: "success", result: { output: "ok" } });
    expect(done).toMatchObject({ digest: "d1", by: person });
  });

  test("a call that awaits approval again has been decided by nobody", () => {
    const decided: CallOf<"pending"> = { ...calls.pending, by: person, digest: "d1" };
    const again = advance(decided, { status: "awaiting_approval", digest: "d2" });
    expect(again).toEqual({ ...base, status: "awaiting_approval", digest: "d2" });
  });

  test("drops what the new status does not name, why it was cut short above all", () => {
    const again = advance(calls.interrupted, { status: "pending", attempt: 2 });
    expect(again).toEqual({ ...base, status: "pending", attempt: 2, digest: "d1" });
    expect("result" in move(calls.executing, changes.pending)).toBe(false);
  });

  test("leaves no key undefined: the call is the same after JSON", () => {
    const next = advance(calls.executing, { status: "success", result: { output: "ok" } });
    expect(JSON.parse(JSON.stringify(next))).toStrictEqual(next);
  });
});

test.each([
  [{ actor: "person", rule: "r" } as const, { actor: "person" }],
  [{ actor: "script", rule: "r" } as const, { actor: "script" }],
  [{ actor: "policy", rule: "table" } as const, undefined],
  [{ actor: "recovery" } as const, undefined],
  [undefined, undefined],
])("who answered for a call that %j let go on is %j", (by, answerer) => {
  expect(answererOf(by)).toEqual(answerer);
});

test("success, error and cancelled are final, the others are not", () => {
  expect(statuses.filter((status) => isFinal(calls[status]))).toEqual(["success", "error", "cancelled"]);
});

test("illegal moves and incomplete states do not type", () => {
  const untyped = [
    // @ts-expect-error success is final
    () => advance(calls.success, { status: "pending" }),
    // @ts-expect-error a waiting call is not executed before it is decided
    () => advance(calls.awaiting_approval, { status: "executing" }),
    // @ts-expect-error an interrupted call is not made an error
    () => advance(calls.interrupted, { status: "error", errorMsg: "x", errorCode: "FAILED" }),
    // @ts-expect-error a cancelled call does not run
    () => advance(calls.cancelled, { status: "executing" }),
  ];
  for (const attempt of untyped) expect(attempt).toThrow(IllegalMove);

  // @ts-expect-error success has a result
  const bare: ToolCallInfo = { ...base, status: "success" };
  // @ts-expect-error what waits has a digest
  const waiting: ToolCallInfo = { ...base, status: "awaiting_approval" };
  expect([bare.status, waiting.status]).toEqual(["success", "awaiting_approval"]);
});
