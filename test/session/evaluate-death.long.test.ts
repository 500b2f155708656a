import { expect, it } from "vitest";
import type { ToolCallInfo } from "../../src/core/call.ts";
import { recordedGoals } from "../../src/graph/ended-calls.ts";
import { createEvaluateTool } from "../../src/tools/agents/evaluate-tool.ts";
import { apart } from "../support/models-apart.ts";
import { fateOf } from "../support/mortal.ts";
import { calls, type Life, openStage, type Stage, says, sessionIn } from "../support/play.ts";

const goal = (action: string, more: Record<string, string> = {}): [string, Record<string, string>] => [
  "goal",
  { action, ...more },
];
const verdict = JSON.stringify({ verdict: "fail", reasons: [{ text: "it says one", file: "a.txt", line: 1 }] });

const stageOf = (): Promise<Stage> =>
  openStage({
    lines: [
      calls(goal("add", { text: "a.txt says two" }), goal("start", { id: "g1" }), ["evaluate", {}], goal("drop")),
      says("Not reached."),
    ],
    files: { "a.txt": "one\n" },
    tools: [createEvaluateTool()],
    wrapModel: apart({ "Judge whether": [calls(["read_file", { file_path: "a.txt" }]), says(verdict)] }),
  });

const ends = ({ journal }: Pick<Life, "journal">): unknown[] =>
  journal()
    .allCalls()
    .map((call: ToolCallInfo) => (call.status === "success" ? (call.result.title ?? "") : call.status));

it("a process that dies at any write of a turn with evaluate has one helper and one verdict", async () => {
  const peaceful = fateOf();
  const alive = await stageOf();
  const whole = ends(await alive.begin("go", { wrap: peaceful.wrap }));
  expect(whole).toEqual([
    "g1 added: a.txt says two",
    "g1 active: a.txt says two",
    "g1 fail",
    "g1 dropped: a.txt says two",
  ]);
  for (let write = 2; write <= peaceful.writes.length; write += 1)
    for (const when of ["before", "after"] as const) {
      const fate = fateOf({ write, when });
      const stage = await stageOf();
      await stage.begin("go", { wrap: fate.wrap }).catch((error: unknown) => {
        if (!fate.dead) throw error;
      });
      const id = await sessionIn(stage);
      const last = await stage.resume(id, { takeOver: true });
      const where = `${when} write ${write} (${peaceful.writes[write - 1]})`;
      expect(ends(last), where).toEqual(whole);
      const helpers = last.store.sessions.children(id);
      expect(recordedGoals(last.store, id), where).toMatchObject([
        { state: "dropped", agentCallMode: "evaluate", subSessionIds: [expect.stringContaining("@evaluate-3-")] },
      ]);
      expect(
        helpers.map((one) => last.store.readJournal(one.id).allCalls().length),
        where,
      ).toEqual([1]);
      await last.close();
    }
});
