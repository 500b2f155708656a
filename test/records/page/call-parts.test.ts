import { expect, it } from "vitest";
import type { ToolCallInfo } from "../../../src/core/call.ts";
import type { Plan } from "../../../src/core/tool.ts";
import { callParts } from "../../../src/records/page/call-parts.ts";
import type { PagePart } from "../../../src/records/page/page-part.ts";
import type { AnswerRow, CallEvent } from "../../../src/store/types.ts";
import { pageWords } from "../../support/page-words.ts";

const digest = "ab".repeat(32);
const base = {
  ...{ callId: "c1", modelCallId: "m1", toolName: "write_file", arguments: { file_path: "a.txt" } },
  ...({ risk: "medium", effect: "file", attempt: 1, digest, times: { proposed: 1 } } as const),
};
const plan: Plan = { summary: "write a.txt (+1 -0)", cwd: "/w", diff: "+a\n" };

interface Told {
  answers?: Partial<AnswerRow>[];
  events?: Partial<CallEvent>[];
  undoneBy?: string;
  asked?: { file_path: string };
}

function partsOf(call: ToolCallInfo, { answers = [], events = [], undoneBy, asked }: Told = {}): PagePart[] {
  const about = {
    life: {
      session: "s1",
      call,
      answers: answers.map((one) => ({ callId: "c1", digest, at: 5, decision: "approve", ...one }) as AnswerRow),
      events: events.map(
        (one, seq) => ({ seq, callId: "c1", from: null, attempt: 1, at: 4, hash: "", ...one }) as CallEvent,
      ),
    },
    journal: { session: "s1", planOf: () => plan, askedArguments: () => asked },
    ...{ home: "s1", undoneBy, words: pageWords },
  };
  return [...callParts(about, () => [{ kind: "facts", rows: ["driven"] }])];
}

const headOf = (parts: readonly PagePart[]) => {
  const [head] = parts;
  if (head?.kind !== "open" || head.what !== "call") throw new Error("no call was opened");
  return [head.end, head.mark, head.title, head.decided];
};
const textIn = (parts: readonly PagePart[], label: string) =>
  parts.flatMap((part) => (part.kind === "text" && part.label === label ? [part.text] : []));
const by = { actor: "person" } as const;

it.each<[string, ToolCallInfo, unknown[], string[]]>([
  [
    "success",
    { ...base, status: "success", by, result: { output: "out", title: "wrote a.txt" } },
    ["success", "done", "wrote a.txt", undefined],
    [],
  ],
  [
    "error",
    { ...base, status: "error", errorMsg: "two\nlines", errorCode: "NOT_FOUND" },
    ["error", "failed", plan.summary, undefined],
    ["NOT_FOUND: two\nlines"],
  ],
  [
    "denied",
    { ...base, status: "cancelled", by, ended: { why: "denied" }, reason: "not so" },
    ["denied", "denied", plan.summary, undefined],
    ["denied by the person: not so"],
  ],
  [
    "denied by a rule",
    { ...base, status: "cancelled", by: { actor: "policy" }, ended: { why: "policy", note: "sealed" } },
    ["denied", "denied", plan.summary, undefined],
    ["denied by policy: sealed"],
  ],
  [
    "stopped",
    { ...base, status: "cancelled", by, ended: { why: "stopped" } },
    ["cancelled", "denied", plan.summary, undefined],
    ["the person stopped the turn before it ran"],
  ],
  [
    "partly done",
    { ...base, status: "cancelled", by, ended: { why: "partly", files: ["a.txt"] } },
    ["partly done", "denied", plan.summary, undefined],
    ["a.txt was changed; the rest was not: part of it was already done"],
  ],
  [
    "unseen",
    { ...base, status: "interrupted", ended: { why: "unseen" } },
    ["outcome unknown", "open", plan.summary, undefined],
    ["its process ended while it ran"],
  ],
  [
    "given up",
    { ...base, status: "cancelled", by, ended: { why: "given_up", unknown: true } },
    ["outcome unknown", "denied", plan.summary, undefined],
    ["its process ended while it ran; the person gave up on it"],
  ],
  ["waiting", { ...base, status: "awaiting_approval" }, ["waits for you", "open", plan.summary, undefined], []],
  ["running", { ...base, status: "executing" }, ["executing", "open", plan.summary, undefined], []],
])("how a call ended is told: %s", (_, call, head, why) => {
  const parts = partsOf(call);
  expect(headOf(parts)).toEqual(head);
  expect([...textIn(parts, "error"), ...textIn(parts, "why")]).toEqual(why);
  expect(parts.filter(({ kind }) => kind === "open")).toHaveLength(parts.filter(({ kind }) => kind === "close").length);
  expect(parts).toContainEqual({ kind: "facts", rows: ["driven"] });
});

it.each<[string, Told, string]>([
  ["a person", { answers: [{ by: "person" }] }, "approved by the person"],
  ["a flag", { answers: [{ by: "flag" }] }, "approved by the person, by a flag"],
  ["a script", { answers: [{ by: "script" }] }, "approved by a script"],
  ["who typed it", { answers: [{ by: "typed" }] }, "approved by the person, who typed the command"],
  ["an old store", { answers: [{}] }, "approved by whom the record does not name"],
  [
    "another process",
    { answers: [{ by: "flag", request: 3 }] },
    "approved by the person, by a flag, from another process",
  ],
  ["a denial", { answers: [{ by: "person", decision: "deny", reason: "no" }] }, "denied by the person: no"],
  [
    "a grant",
    { answers: [{ by: "person", grant: { tool: "x" } }] },
    'approved by the person, and from then on: {"tool":"x"}',
  ],
  [
    "a rule",
    { events: [{ to: "executing", by: "policy", rule: "user:p.json:4" }] },
    "allowed by policy, rule user:p.json:4",
  ],
  ["a rule's no", { events: [{ to: "cancelled", by: "policy", rule: "sealed" }] }, "denied by policy, rule sealed"],
])("who decided is told with the digest: %s", (_, told, words) => {
  const parts = partsOf({ ...base, status: "success", by, result: { output: "" } }, told);
  expect(headOf(parts)[3]).toBe(`${words} · ${digest.slice(0, 12)}`);
  const [, facts] = parts;
  expect(facts?.kind === "facts" && facts.rows.at(-1)).toMatch(/^[45] {2}/u);
  expect(facts?.kind === "facts" && facts.rows.at(-1)?.slice(3)).toBe(`${words} · digest ${digest}`);
});

it("each approval is told with the digest that it was for, and what was taken back", () => {
  const old = "cd".repeat(32);
  const parts = partsOf(
    { ...base, status: "success", by, result: { output: "" } },
    {
      answers: [
        { by: "person", digest: old },
        { by: "script", at: 7 },
      ],
      undoneBy: "c9",
      asked: { file_path: "b.txt" },
    },
  );
  expect(headOf(parts)[3]).toBe(`approved by a script · ${digest.slice(0, 12)} · taken back by call c9`);
  const [, facts] = parts;
  expect(facts?.kind === "facts" && facts.rows.slice(-2)).toEqual([
    `5  approved by the person · digest ${old}`,
    `7  approved by a script · digest ${digest}`,
  ]);
  expect(parts).toContainEqual({ kind: "json", label: "as the model asked for it", value: { file_path: "b.txt" } });
});

it("what a command was found to have changed is shown as far as it is kept", () => {
  const command: ToolCallInfo = {
    ...{ ...base, status: "success", effect: "once", by },
    result: { output: "out", display: "more", metadata: { changes: "-a\n+b\n" } },
  };
  const about = {
    life: { session: "s2", call: command, answers: [], events: [] },
    journal: {
      session: "s2",
      planOf: () => ({ summary: "make", cwd: "/w", command: "make" }),
      askedArguments: () => undefined,
    },
    ...{ home: "s1", undoneBy: undefined, words: pageWords },
  };
  const parts = [...callParts(about, () => [])];
  expect(parts[0]).toMatchObject({ name: "s2:c1", title: "make" });
  expect(parts).toContainEqual({ kind: "change", label: "what changed", change: "-a\n+b\n" });
  expect([textIn(parts, "command"), textIn(parts, "shown"), textIn(parts, "output")]).toEqual([
    ["make"],
    ["more"],
    ["out"],
  ]);
});
