import { expect, it } from "vitest";
import type { AgentParts } from "../../src/session/agent-parts.ts";
import { fateOf } from "../support/mortal.ts";
import { calls, type Line, openStage, says, sessionIn } from "../support/play.ts";

const lost = calls(["read_file", { file_path: "none.txt" }]);
const completes = (result: string) => calls(["attempt_completion", { result }]);
const outputSchema = { type: "object", required: ["age"] };

interface Scene {
  lines: Line[];
  parts: Partial<AgentParts>;
  end: object;
}

const scenes: [string, Scene][] = [
  [
    "that is stuck",
    { lines: [lost, lost, lost], parts: {}, end: { reason: "stuck", exitCode: 53, calls: { error: 3 } } },
  ],
  [
    "whose JSON never fits",
    { lines: [says("1"), completes("2"), says("3")], parts: { outputSchema }, end: { reason: "failed", exitCode: 1 } },
  ],
  [
    "whose JSON fits at last",
    { lines: [says("1"), says('{"age": 7}')], parts: { outputSchema }, end: { reason: "done", output: { age: 7 } } },
  ],
  [
    "that makes no call",
    { lines: [says("Hm."), says("No.")], parts: { toolChoice: "required" }, end: { reason: "failed", exitCode: 1 } },
  ],
];

/** Between a reply and what follows from it, and between the turn's last words and its end. */
const deathsIn = (writes: readonly string[]) =>
  writes.flatMap((name, index) => {
    const write = index + 1;
    if (name === "commitReply") return [{ write, when: "after" as const }];
    const isEnd = name === "setTurn" && index > writes.indexOf("commitReply");
    return isEnd ? (["before", "after"] as const).map((when) => ({ write, when })) : [];
  });

it.each(scenes)(
  "a turn %s comes to the same end, by as many replies, wherever in it its process dies",
  async (_, { lines, parts, end }) => {
    const stage = () => openStage({ lines: [...lines, says("never asked")] });
    const peaceful = fateOf();
    const alive = await (await stage()).begin("go", { wrap: peaceful.wrap, parts });
    expect(alive.last("turn_ended")).toMatchObject(end);
    for (const { write, when } of deathsIn(peaceful.writes)) {
      const fate = fateOf({ write, when });
      const scene = await stage();
      await scene.begin("go", { wrap: fate.wrap, parts }).catch((error: unknown) => {
        if (!fate.dead) throw error;
      });
      // What is stored with the turn needs no flag again.
      const again = parts.outputSchema === undefined ? { parts } : {};
      const last = await scene.resume(await sessionIn(scene), { takeOver: true, ...again });
      const where = `${when} ${peaceful.writes[write - 1]}, write ${write}`;
      expect(last.journal().steps(), where).toHaveLength(lines.length);
      const [turn] = last.journal().turns();
      expect(turn?.state, where).toBe("done");
      expect(last.last("turn_ended"), where).toMatchObject(end);
    }
  },
);
