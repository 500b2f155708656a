import { expect, it } from "vitest";
import { z } from "zod";
import { defineTool, type Tool } from "../../src/core/tool.ts";
import { type Model, ModelFailure } from "../../src/model/port.ts";
import { askHelpers } from "../support/ask-helpers.ts";
import { gate } from "../support/gate.ts";
import { apart, firstWords } from "../support/models-apart.ts";
import { calls, type Line, openStage, says } from "../support/play.ts";

const writes = (file: string, content: string) => calls(["write_file", { file_path: file, content }]);

/** The talks of helpers, of whom those in `away` have a server that nobody reaches. */
const reaching =
  (talks: Readonly<Record<string, readonly Line[]>>, away: ReadonlySet<string>) =>
  (inner: Model): Model => {
    const model = apart(talks)(inner);
    return {
      ...model,
      async *stream(request, signal) {
        if (away.has(firstWords(request))) throw new ModelFailure("unavailable", "nobody is there");
        yield* model.stream(request, signal);
      },
    };
  };

it("what another helper asks can be answered once one has stopped the turn: the turn goes on, and both end", async () => {
  const away = new Set(["write b"]);
  const stage = await openStage({
    lines: [calls(["ask_helpers", { tasks: ["write a", "write b"] }]), says("All done.")],
    tools: [askHelpers()],
    wrapModel: reaching(
      { "write a": [writes("a.txt", "a\n"), says("Wrote a.")], "write b": [says("Nothing to write.")] },
      away,
    ),
  });
  const life = await stage.begin("go");
  const { id } = life.session;
  expect(life.last("turn_ended")).toMatchObject({ session: id, reason: "failed", exitCode: 1 });
  expect(life.store.sessions.get(id)?.state).toBe("awaiting_approval");
  away.clear();
  expect(await life.session.answer({ session: `${id}@c1.1`, call: "c1" }, { decision: "approve" })).toEqual({
    ok: true,
  });
  await life.session.settled();
  expect(life.last("turn_ended")).toMatchObject({ session: id, reason: "done", text: "All done." });
  expect(stage.observation()).toBe(`${id}@c1.1: done: Wrote a.\n${id}@c1.2: done: Nothing to write.`);
  await life.close();
});

it("a tool that keeps what stopped its helper to itself has no say, and none is begun behind it", async () => {
  const away = new Set(["look at a"]);
  const keeping: Tool = defineTool({
    name: "keep_it",
    description: "of the test",
    args: z.strictObject({}),
    risk: "low",
    effect: "child",
    execute: async (_, ctx) => {
      const first = await ctx.runChild?.({ task: "look at a" }).catch(() => undefined);
      const second = await ctx.runChild?.({ task: "look at b" }).catch(() => undefined);
      return `${first?.text} ${second?.text}`;
    },
  });
  const stage = await openStage({
    lines: [calls(["keep_it", {}]), says("All done.")],
    tools: [keeping],
    wrapModel: reaching({ "look at a": [says("A.")], "look at b": [says("B.")] }, away),
  });
  const life = await stage.begin("go");
  expect(life.call("c1")).toMatchObject({ status: "executing" });
  expect(life.store.sessions.children(life.session.id)).toHaveLength(1);
  await life.close();
  away.clear();
  const next = await stage.resume(life.session.id);
  expect(stage.observation()).toBe("A. B.");
  expect(next.last("turn_ended")).toMatchObject({ reason: "done" });
  await next.close();
});

it("of those that wait for a place none is begun behind one that stays where it is, and all go on once it can", async () => {
  const away = new Set(["look at a"]);
  const tasks = ["look at a", "look at b", "look at c"];
  const stage = await openStage({
    lines: [calls(["ask_helpers", { tasks, atOnce: 1 }]), says("All done.")],
    tools: [askHelpers()],
    wrapModel: reaching(Object.fromEntries(tasks.map((task) => [task, [says(`Did ${task}.`)]])), away),
  });
  const life = await stage.begin("go");
  const { id } = life.session;
  expect(life.last("turn_ended")).toMatchObject({ session: id, reason: "failed" });
  expect(life.store.sessions.children(id)).toHaveLength(1);
  await life.close();
  away.clear();
  const next = await stage.resume(id);
  expect(stage.observation()).toBe(tasks.map((task, at) => `${id}@c1.${at + 1}: done: Did ${task}.`).join("\n"));
  await next.close();
});

it("one that stays where it is can be stopped alone, and ends so where its call goes on", async () => {
  const away = new Set(["look at a"]);
  const stage = await openStage({
    lines: [calls(["ask_helpers", { tasks: ["look at a"] }]), says("All done.")],
    tools: [askHelpers()],
    wrapModel: reaching({ "look at a": [says("A.")] }, away),
  });
  const life = await stage.begin("go");
  const { id } = life.session;
  expect(await life.session.stopChild(`${id}@c1.1`)).toEqual({ ok: true });
  await life.close();
  const next = await stage.resume(id);
  expect(stage.observation()).toBe(`${id}@c1.1: cancelled: `);
  expect(next.last("turn_ended")).toMatchObject({ reason: "done" });
  await next.close();
});

it("the person's stop counts where it comes while another one works still, and what each came to is told", async () => {
  const [asked, never] = [gate(), gate()];
  const stage = await openStage({
    lines: [calls(["ask_helpers", { tasks: ["look at a", "look at b"] }]), says("All done.")],
    tools: [askHelpers()],
    wrapModel: (inner) => ({
      ...inner,
      async *stream(request, signal) {
        const words = firstWords(request);
        if (words === "look at a") throw new ModelFailure("unavailable", "nobody is there");
        if (words !== "look at b") return yield* inner.stream(request, signal);
        asked.open();
        await Promise.race([never.opened, new Promise((resolve) => signal.addEventListener("abort", resolve))]);
        signal.throwIfAborted();
      },
    }),
  });
  const life = await stage.begin("go", { running: true });
  await asked.opened;
  await life.until(({ type }) => type === "error");
  await life.session.stop();
  const { id } = life.session;
  expect(life.last("turn_ended")).toMatchObject({ session: id, reason: "cancelled" });
  expect(life.call("c1")).toMatchObject({ status: "error", errorCode: "CANCELLED" });
  expect(life.of("turn_ended").map(({ session, reason }) => [session, reason])).toEqual([
    [`${id}@c1.2`, "cancelled"],
    [`${id}@c1.1`, "cancelled"],
    [id, "cancelled"],
  ]);
  await life.close();
});

it("answers that are given one after another beside one that stays where it is share one budget", async () => {
  const heard: string[] = [];
  const talk = (name: string): Line[] => [
    writes(`${name}.txt`, name),
    calls(["ls", {}]),
    calls(["glob", { pattern: "*" }]),
    says(name),
  ];
  const stage = await openStage({
    lines: [calls(["ask_helpers", { tasks: ["a", "b", "c"] }]), says("All done.")],
    tools: [askHelpers()],
    maxSteps: 5,
    wrapModel: (inner) => {
      const model = reaching({ a: [], b: talk("b"), c: talk("c") }, new Set(["a"]))(inner);
      return {
        ...model,
        async *stream(request, signal) {
          heard.push(firstWords(request));
          yield* model.stream(request, signal);
        },
      };
    },
  });
  const life = await stage.begin("go");
  const { id } = life.session;
  for (const nth of [2, 3]) {
    expect(await life.session.answer({ session: `${id}@c1.${nth}`, call: "c1" }, { decision: "approve" })).toEqual({
      ok: true,
    });
    await life.session.settled();
  }
  // b and c begin side by side; of what is left b takes the two requests, for it is answered first.
  const others = heard.filter((name) => name !== "a");
  expect([others[0], others.slice(1, 3).toSorted(), others.slice(3)]).toEqual(["go", ["b", "c"], ["b", "b"]]);
  await life.close();
});
