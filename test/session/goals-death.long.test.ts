import { expect, it } from "vitest";
import { goalLines } from "../../src/core/goal-lines.ts";
import { goalsOf } from "../../src/core/goals.ts";
import { fateOf } from "../support/mortal.ts";
import { calls, type Life, openStage, says, sessionIn } from "../support/play.ts";

const add = (text: string, parent?: string): [string, Record<string, string>] => [
  "goal",
  { action: "add", text, ...(parent === undefined ? {} : { parent }) },
];
const goal = (action: string, more: Record<string, string> = {}): [string, Record<string, string>] => [
  "goal",
  { action, ...more },
];

const treeOf = (life: Pick<Life, "journal">): string[] => goalLines(goalsOf(life.journal().allCalls()));

it("a process that dies at any write of a turn with goals has each of them once, with its own id", async () => {
  const lines = [
    calls(add("one"), add("two", "g1"), goal("start", { id: "g2" })),
    calls(goal("done", { summary: "well" }), add("three")),
    says("Planned."),
  ];
  const whole = ["g1 pending: one", "  g2 done: two → well", "g3 pending: three"];
  const peaceful = fateOf();
  const alive = await openStage({ lines });
  expect(treeOf(await alive.begin("plan", { wrap: peaceful.wrap }))).toEqual(whole);
  for (let write = 2; write <= peaceful.writes.length; write += 1)
    for (const when of ["before", "after"] as const) {
      const fate = fateOf({ write, when });
      const stage = await openStage({ lines });
      await stage.begin("plan", { wrap: fate.wrap }).catch((error: unknown) => {
        if (!fate.dead) throw error;
      });
      const last = await stage.resume(await sessionIn(stage), { takeOver: true });
      const where = `${when} write ${write} (${peaceful.writes[write - 1]})`;
      expect(treeOf(last), where).toEqual(whole);
      expect(
        last
          .journal()
          .allCalls()
          .map(({ status }) => status),
        where,
      ).toEqual(Array(5).fill("success"));
      await last.close();
    }
});
