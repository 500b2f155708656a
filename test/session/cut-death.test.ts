import { expect, it } from "vitest";
import { fateOf } from "../support/mortal.ts";
import { openStage, type Stage, sessionIn } from "../support/play.ts";

const lines = [{ text: "One and", finish: "length" }, { text: "two." }];

const stage = (): Promise<Stage> => openStage({ lines, tools: [], files: {} });

/** What the model was told at last, by who said it. */
const heard = ({ requests }: Stage) =>
  requests
    .at(-1)
    ?.messages.slice(1)
    .map((message) => [message.getType(), message.content]);

it("a process that dies at any write of a turn whose reply was cut keeps what came of it, once, and goes on", async () => {
  const peaceful = fateOf();
  const alive = await stage();
  await (await alive.begin("count", { wrap: peaceful.wrap })).session.settled();
  const writes = peaceful.writes.length;
  expect(peaceful.writes.filter((name) => name === "commitReply")).toHaveLength(2);
  for (let write = 2; write <= writes; write += 1)
    for (const when of ["before", "after"] as const) {
      const fate = fateOf({ write, when });
      const scene = await stage();
      await scene.begin("count", { wrap: fate.wrap }).catch((error: unknown) => {
        if (!fate.dead) throw error;
      });
      const last = await scene.resume(await sessionIn(scene), { takeOver: true });
      await last.session.settled();
      const where = `${when} write ${write}`;
      const replies = last
        .journal()
        .steps()
        .map(({ id }) => last.journal().findReply(id)?.message.content);
      expect(replies, where).toEqual(["One and", "two."]);
      expect(heard(scene)?.slice(0, 2), where).toEqual([
        ["human", "count"],
        ["ai", "One and"],
      ]);
      expect(last.journal().turns(), where).toMatchObject([{ state: "done" }]);
    }
});
