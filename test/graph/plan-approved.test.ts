import { expect, it } from "vitest";
import type { ToolCallInfo } from "../../src/core/call.ts";
import { parseStep, type StepId } from "../../src/core/step-id.ts";
import { modeOfTurns } from "../../src/graph/plan-approved.ts";
import type { TurnRow } from "../../src/store/types.ts";

const plan = (status: "awaiting_approval" | "pending" | "success", more: object = {}) =>
  ({ callId: "c1", toolName: "present_plan", status, ...more }) as ToolCallInfo;
const approved = { by: { actor: "person" } };

/** A journal of turns with a step each, and how often the calls of a step were read. */
function journalOf(calls: Record<string, ToolCallInfo[]>) {
  const turns = () => Object.keys(calls).map((id) => ({ turn: parseStep(id).turn }) as TurnRow);
  const isOpen = ({ status }: ToolCallInfo): boolean => status !== "success";
  const journal = {
    reads: 0,
    turns,
    steps: () => Object.keys(calls).map((id) => ({ id: parseStep(id), calls: 1 })),
    callsOf: ({ turn, step }: StepId) => {
      journal.reads += 1;
      return calls[`${turn}.${step}`] ?? [];
    },
    openCalls: () => Object.values(calls).flat().filter(isOpen),
  };
  return journal;
}

it("is that of planning until the turn's plan is approved, from then on ask, and that of planning in the next turn", () => {
  const calls: Record<string, ToolCallInfo[]> = { "1.1": [plan("awaiting_approval")] };
  const journal = journalOf(calls);
  const mode = modeOfTurns("plan", journal);
  expect([mode(), mode()]).toEqual(["plan", "plan"]);
  expect(journal.reads).toBe(1);
  calls["1.1"] = [plan("pending", approved)];
  expect([mode(), mode()]).toEqual(["ask", "ask"]);
  calls["1.1"] = [plan("success", approved)];
  expect([mode(), journal.reads]).toEqual(["ask", 2]);
  expect(modeOfTurns("plan", journal)()).toBe("ask");
  // Also while the older turn's plan is still open.
  calls["1.1"] = [plan("pending", approved)];
  calls["2.1"] = [];
  expect([mode(), mode()]).toEqual(["plan", "plan"]);
});

it("is the one that was given, where that is another one", () => {
  const journal = journalOf({ "1.1": [plan("pending", approved)] });
  expect([modeOfTurns("read-only", journal)(), journal.reads]).toEqual(["read-only", 0]);
});
