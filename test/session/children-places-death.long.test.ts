import { expect, it } from "vitest";
import { askHelpers } from "../support/ask-helpers.ts";
import { apart } from "../support/models-apart.ts";
import { fateOf } from "../support/mortal.ts";
import { calls, type Life, type Line, openStage, type Stage, says, sessionIn } from "../support/play.ts";

const asking = (name: string): Line[] => [
  calls(["write_file", { file_path: `${name}.txt`, content: `${name}\n` }]),
  says(`Wrote ${name}.`),
];

const stageOf = (): Promise<Stage> =>
  openStage({
    lines: [calls(["ask_helpers", { tasks: ["a", "b"], atOnce: 1 }]), says("All done.")],
    tools: [askHelpers()],
    wrapModel: apart({ a: asking("a"), b: asking("b") }),
  });

/** Each is answered, the last one first, until nothing waits. */
async function answerAll({ session, store }: Life): Promise<void> {
  for (;;) {
    await session.settled();
    const waiting = store.sessions.children(session.id).flatMap(({ id }) =>
      store
        .readJournal(id)
        .openCalls()
        .flatMap(({ status, callId: call }) => (status === "awaiting_approval" ? [{ session: id, call }] : [])),
    );
    const last = waiting.at(-1);
    if (last === undefined) return;
    const { digest = "" } = store.readJournal(last.session).call(last.call) ?? {};
    expect(await session.answer(last, { decision: "approve", digest })).toEqual({ ok: true });
  }
}

const ends = ({ session, store }: Life) =>
  store.sessions.children(session.id).map(({ id, place }) => [
    place,
    ...store
      .readJournal(id)
      .allCalls()
      .map(({ toolName, status }) => `${toolName} ${status}`),
  ]);

it("helpers of whom one works at a time, and that wait, go on to the same end behind whichever write their process dies", async () => {
  const peaceful = fateOf();
  const alive = await (await stageOf()).begin("go", { wrap: peaceful.wrap });
  await answerAll(alive);
  const whole = ends(alive);
  expect(whole).toEqual([
    [0, "write_file success"],
    [1, "write_file success"],
  ]);
  await alive.close();
  for (let write = 2; write <= peaceful.writes.length; write += 1) {
    const fate = fateOf({ write, when: "after" });
    const stage = await stageOf();
    await stage
      .begin("go", { wrap: fate.wrap })
      .then(answerAll)
      .catch((error: unknown) => {
        if (!fate.dead) throw error;
      });
    const last = await stage.resume(await sessionIn(stage), { takeOver: true });
    await answerAll(last);
    const where = `behind write ${write} (${peaceful.writes[write - 1]})`;
    expect(ends(last), where).toEqual(whole);
    expect([stage.text("a.txt"), stage.text("b.txt")], where).toEqual(["a\n", "b\n"]);
    expect(stage.observation().match(/: done: /gu), where).toHaveLength(2);
    expect(last.store.readJournal(last.session.id).turns(), where).toMatchObject([{ state: "done", reason: "done" }]);
    await last.close();
  }
});
