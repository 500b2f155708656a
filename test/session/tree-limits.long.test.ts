import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ChildSpec } from "../../src/core/child-session.ts";
import { defineTool, type Tool } from "../../src/core/tool.ts";
import { openStore } from "../../src/store/open-store.ts";
import { askHelpers } from "../support/ask-helpers.ts";
import { apart } from "../support/models-apart.ts";
import { fateOf } from "../support/mortal.ts";
import { calls, type Life, openStage, type Stage, says } from "../support/play.ts";

const looks = (times: number) => Array.from({ length: times }, () => calls(["ls", {}]));
const asks = (tasks: string[], inTurn = false) => calls(["ask_helpers", { tasks, inTurn }]);

/** As `askHelpers`, for one task, with what else is set for the helper. */
const handsOver = (spec: ChildSpec): Tool =>
  defineTool({
    name: "hand_over",
    description: "of the test",
    args: z.strictObject({}),
    risk: "low",
    effect: "child",
    execute: async (_, ctx) => {
      const end = await ctx.runChild?.(spec);
      return `${end?.status} after ${end?.steps}`;
    },
  });

/** Steps of all sessions in the store. */
const stepsIn = ({ store, session }: Life): Record<string, number> =>
  Object.fromEntries(
    [session.id, ...store.sessions.children(session.id).map(({ id }) => id)].map((id) => [
      id.slice(session.id.length),
      store.readJournal(id).steps().length,
    ]),
  );

describe("steps that a turn may take", () => {
  it("are those of all answers that are given one after another where several wait and nobody works", async () => {
    const writes = (file: string) => [
      calls(["write_file", { file_path: file, content: "new" }]),
      ...looks(1),
      says("ok"),
    ];
    const stage = await openStage({
      lines: [asks(["write a", "write b", "write c"]), says("All done.")],
      maxSteps: 4,
      tools: [askHelpers()],
      wrapModel: apart({ "write a": writes("a.txt"), "write b": writes("b.txt"), "write c": writes("c.txt") }),
    });
    const life = await stage.begin("go");
    for (const nth of [1, 2, 3]) {
      const ref = { session: `${life.session.id}@c1.${nth}`, call: "c1" };
      expect(await life.session.answer(ref, { decision: "approve" })).toEqual({ ok: true });
      await life.session.settled();
    }
    expect(stepsIn(life)).toEqual({ "": 1, "@c1.1": 3, "@c1.2": 3, "@c1.3": 1 });
    expect(life.last("turn_ended")).toMatchObject({ session: life.session.id, reason: "max_steps" });
    await life.close();
  });

  it("are those of all that it drives, also where they ask side by side", async () => {
    const stage = await openStage({
      lines: [asks(["long a", "long b", "long c"]), says("All done.")],
      maxSteps: 8,
      tools: [askHelpers()],
      wrapModel: apart({ "long a": looks(9), "long b": looks(9), "long c": looks(9) }),
    });
    const life = await stage.begin("go");
    const { id } = life.session;
    const steps = stepsIn(life);
    expect(Object.values(steps).reduce((all, one) => all + one)).toBe(8);
    expect(stage.requests).toHaveLength(1);
    const end = life.last("turn_ended");
    expect(end).toMatchObject({ session: id, reason: "max_steps", exitCode: 53, steps: 1 });
    expect(end.helpers?.map(({ session, agent, steps }) => [session.slice(id.length), agent, steps])).toEqual(
      ["@c1.1", "@c1.2", "@c1.3"].map((name, i) => [name, `helper ${i + 1}`, steps[name]]),
    );
    expect(
      life
        .of("error")
        .map(({ session, code }) => [session.slice(id.length), code])
        .toSorted(),
    ).toEqual(["", "@c1.1", "@c1.2", "@c1.3"].map((name) => [name, "MAX_STEPS"]));
    expect(life.last("error").message).toBe(
      "the turn has taken as many steps as maxSteps lets it (8), with all its helpers",
    );
    await life.close();
    const later = await stage.resume(id);
    expect(stage.observation()).toContain(`${id}@c1.1: max_steps: `);
    expect(later.last("turn_ended")).toMatchObject({ session: id, reason: "done", text: "All done.", steps: 2 });
    await later.close();
  });

  it("begin no helper any more once they are taken", async () => {
    const stage = await openStage({
      lines: [asks(["long", "short", "short"], true), says("All done.")],
      maxSteps: 4,
      tools: [askHelpers()],
      wrapModel: apart({ long: looks(9), short: [says("Short.")] }),
    });
    const life = await stage.begin("go");
    expect(stepsIn(life)).toEqual({ "": 1, "@c1.1": 3 });
    expect(life.call("c1")).toMatchObject({
      status: "success",
      result: { output: `${life.session.id}@c1.1: max_steps: (empty folder)\n: max_steps: \n: max_steps: ` },
    });
    await life.close();
  });

  it("leave a helper those of its own, however often it is asked about or its process dies", async () => {
    const tasks = { slow: [calls(["write_file", { file_path: "a.txt", content: "a\n" }]), ...looks(9)] };
    const stage = await openStage({
      lines: [calls(["hand_over", {}]), says("All done.")],
      tools: [handsOver({ task: "slow", maxSteps: 3 })],
      wrapModel: apart(tasks),
    });
    const first = await stage.begin("go");
    const { id } = first.session;
    await first.close();
    const life = await stage.resume(id);
    await life.session.answer({ session: `${id}@c1.1`, call: "c1" }, { decision: "deny" });
    await life.session.settled();
    expect(stage.observation()).toBe("max_steps after 3");
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", helpers: [{ steps: 3 }] });
    await life.close();
  });

  it("are known, each once, wherever the process died", async () => {
    const stage = (): Promise<Stage> =>
      openStage({
        lines: [calls(["hand_over", {}]), says("All done.")],
        tools: [handsOver({ task: "slow", maxSteps: 3 })],
        wrapModel: apart({ slow: looks(9) }),
      });
    const peaceful = fateOf();
    const alive = await (await stage()).begin("go", { wrap: peaceful.wrap });
    const told = { reason: "done", steps: 2, helpers: [{ agent: "helper", steps: 3 }] };
    expect(alive.last("turn_ended")).toMatchObject(told);
    const deaths = peaceful.writes.flatMap((name, index) =>
      ["commitReply", "setTurn"].includes(name)
        ? (["before", "after"] as const).map((when) => ({ write: index + 1, when }))
        : [],
    );
    expect(deaths.length).toBeGreaterThan(10);
    for (const death of deaths) {
      const fate = fateOf(death);
      const scene = await stage();
      await scene.begin("go", { wrap: fate.wrap }).catch((error: unknown) => {
        if (!fate.dead) throw error;
      });
      const store = await openStore({ file: scene.database });
      const [row] = store.sessions.list().filter(({ parent }) => parent === undefined);
      store.close();
      const later = await scene.resume(row?.id ?? "", { takeOver: true });
      expect(later.last("turn_ended"), JSON.stringify(death)).toMatchObject(told);
      expect(stepsIn(later), JSON.stringify(death)).toEqual({ "": 2, "@c1.1": 3 });
    }
  });
});
