import { describe, expect, it } from "vitest";
import type { Tool, ToolContext } from "../../src/core/tool.ts";
import type { Model } from "../../src/model/port.ts";
import type { ResumedSession } from "../../src/session/open-agent.ts";
import { gate } from "../support/gate.ts";
import { apart, firstWords } from "../support/models-apart.ts";
import { calls, openStage, type Stage, says, toolOf } from "../support/play.ts";

interface Scene {
  stage: Stage;
  /** The tasks whose models were asked, in their order. */
  heard: string[];
}

/** A tool that drives helpers, who say that they are done with their tasks; those that are held say nothing until then. */
async function sceneOf(
  run: (runChild: NonNullable<ToolContext["runChild"]>) => Promise<string>,
  held: Readonly<Record<string, Promise<unknown>>> = {},
): Promise<Scene> {
  const heard: string[] = [];
  const tasks = ["a", "b", "c"];
  const heldUp = (model: Model): Model => ({
    ...model,
    async *stream(request, signal) {
      const words = firstWords(request);
      heard.push(words);
      const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      if (words in held) await Promise.race([held[words], stopped]);
      signal.throwIfAborted();
      yield* model.stream(request, signal);
    },
  });
  const driving = toolOf("drive", async (_, { runChild }) => (runChild === undefined ? "no children" : run(runChild)), {
    effect: "child",
    risk: "low",
  });
  const stage = await openStage({
    lines: [calls(["drive", {}]), says("All done.")],
    tools: [driving],
    wrapModel: (model) => heldUp(apart(Object.fromEntries(tasks.map((task) => [task, [says(`Did ${task}.`)]])))(model)),
  });
  return { stage, heard };
}

/** Those are begun side by side: which of them asks its model first is not said. */
const inAnyOrder = (heard: readonly string[], from: number, to: number): string[] => [
  ...heard.slice(0, from),
  ...heard.slice(from, to).toSorted(),
  ...heard.slice(to),
];

const reason = (error: unknown): string => (error as Error).message;
const notBegun = "its call came to its end before there was a place for this child: it was not begun";

describe("a tool that ends before its children do", () => {
  it("has none begun that found no place by then, and each of them is told so", async () => {
    const ends: Promise<string>[] = [];
    const { stage, heard } = await sceneOf(async (runChild) => {
      const asked = ["a", "b", "c"].map((task) => runChild({ task, atOnce: 1 }).then(({ text }) => text));
      ends.push(...asked.map((one) => one.catch(reason)));
      return Promise.race(asked);
    });
    const life = await stage.begin("go");
    expect(stage.observation()).toBe("Did a.");
    expect(await Promise.all(ends)).toEqual(["Did a.", notBegun, notBegun]);
    expect(heard).toEqual(["go", "a", "go"]);
    expect(life.store.sessions.children(life.session.id)).toHaveLength(1);
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", text: "All done." });
    await life.close();
  });

  it("is waited for with those that found a place, also where it waits for none, and nobody hears of the others", async () => {
    const { stage, heard } = await sceneOf(async (runChild) => {
      for (const task of ["a", "b", "c"]) void runChild({ task, atOnce: 2 });
      return "they are on it";
    });
    const life = await stage.begin("go");
    expect(inAnyOrder(heard, 1, 3)).toEqual(["go", "a", "b", "go"]);
    const ends = life.of("turn_ended").map(({ session, reason: how }) => [session, how]);
    const { id } = life.session;
    expect(ends.toSorted()).toEqual([[id, "done"], ...[1, 2].map((nth) => [`${id}@c1.${nth}`, "done"])].toSorted());
    await life.close();
  });

  it("begins none any more that it asks for behind its end, also while others work", async () => {
    const late = gate<string>();
    const { stage, heard } = await sceneOf(
      async (runChild) => {
        void runChild({ task: "a" })
          .then(() => runChild({ task: "b" }))
          .then(({ text }) => text, reason)
          .then(late.open);
        void runChild({ task: "c" });
        return "they are on it";
      },
      { c: late.opened },
    );
    const life = await stage.begin("go");
    expect(await late.opened).toBe("call c1 has come to its end: it has no children any more");
    expect(inAnyOrder(heard, 1, 3)).toEqual(["go", "a", "c", "go"]);
    await life.close();
  });

  it("has what works on behind it stopped with the turn", async () => {
    const never = gate();
    const { stage, heard } = await sceneOf(
      async (runChild) => {
        void runChild({ task: "a" });
        return "a is on it";
      },
      { a: never.opened },
    );
    const life = await stage.begin("go", { running: true });
    await expect.poll(() => heard).toContain("a");
    await life.session.stop();
    await life.session.settled();
    const ends = life.of("turn_ended").map(({ session, reason: how }) => [session, how]);
    expect(ends).toEqual([
      [`${life.session.id}@c1.1`, "cancelled"],
      [life.session.id, "cancelled"],
    ]);
    await life.close();
  });
});

it("a child that has ended says so at once where its tool is run anew, while others hold all places", async () => {
  const told: string[] = [];
  const released = gate();
  let atOnce = 2;
  const { stage, heard } = await sceneOf(
    async (runChild) => {
      const asked = ["b", "a"].map((task) => runChild({ task, atOnce }));
      asked[1]?.then(({ text }) => told.push(text)).catch(() => undefined);
      return (await Promise.all(asked)).map(({ text }) => text).join(" ");
    },
    { b: released.opened },
  );
  const first = await stage.begin("go", { running: true });
  await expect.poll(() => told).toEqual(["Did a."]);
  await first.close();
  atOnce = 1;
  const life = await stage.resume(first.session.id, { still: true });
  await (life.session as ResumedSession).proceed();
  await expect.poll(() => heard.length).toBe(4);
  expect(inAnyOrder(heard, 1, 3)).toEqual(["go", "a", "b", "b"]);
  expect(told).toEqual(["Did a.", "Did a."]);
  released.open();
  await life.session.settled();
  expect(stage.observation()).toBe("Did b. Did a.");
  await life.close();
});

/** A stage whose tool drives `a`, which asks, and `b`, whose model is silent until then. */
const askedAndSilent = (driving: Tool, until: Promise<unknown>): Promise<Stage> => {
  const talks = { a: [calls(["write_file", { file_path: "a.txt", content: "a" }])], b: [says("Did b.")] };
  return openStage({
    lines: [calls(["drive", {}]), says("All done.")],
    tools: [driving],
    wrapModel: (model) => ({
      ...model,
      async *stream(request, signal) {
        if (firstWords(request) === "b") await until;
        yield* apart(talks)(model).stream(request, signal);
      },
    }),
  });
};

it("a child that waits for the person ends alone where its tool ends it, and its question with it", async () => {
  const [asked, ended] = [gate(), gate()];
  const driving = toolOf(
    "drive",
    async (_, { runChild }) => {
      const enough = new AbortController();
      const waiting = runChild?.({ task: "a" }, enough.signal);
      const other = runChild?.({ task: "b" });
      await asked.opened;
      enough.abort(new Error("enough of a"));
      const { status } = (await waiting) ?? {};
      ended.open();
      return `${status}, ${(await other)?.text}`;
    },
    { effect: "child", risk: "low" },
  );
  const stage = await askedAndSilent(driving, ended.opened);
  const life = await stage.begin("go", { running: true });
  await life.until(({ type }) => type === "approval_requested");
  asked.open();
  await life.session.settled();
  expect(stage.observation()).toBe("cancelled, Did b.");
  const note = "the call that it worked for: its tool ended this session alone";
  expect(life.store.readJournal(`${life.session.id}@c1.1`).call("c1")).toMatchObject({
    status: "cancelled",
    ended: { why: "lapsed", note },
  });
  expect(life.last("turn_ended")).toMatchObject({ session: life.session.id, reason: "done" });
  await life.close();
});

it.each([false, true])(
  "a child that waits, and is ended by a tool that returns at once, ends once, and its call with it (behind another one: %s)",
  async (behind) => {
    const [asked, other] = [gate(), gate()];
    const driving = toolOf(
      "drive",
      async (_, { runChild }) => {
        const enough = new AbortController();
        void runChild?.({ task: "a" }, enough.signal);
        const second = runChild?.({ task: "b" });
        await asked.opened;
        if (behind) await second;
        enough.abort(new Error("enough"));
        return "gone";
      },
      { effect: "child", risk: "low" },
    );
    const stage = await askedAndSilent(driving, other.opened);
    const life = await stage.begin("go", { running: true });
    await life.until(({ type }) => type === "approval_requested");
    other.open();
    asked.open();
    await life.session.settled();
    expect(stage.observation()).toBe("gone");
    const first = `${life.session.id}@c1.1`;
    expect(life.of("turn_ended").filter(({ session }) => session === first)).toHaveLength(1);
    expect(life.of("error")).toEqual([]);
    expect(life.store.readJournal(first).call("c1")).toMatchObject({ status: "cancelled" });
    expect(life.last("turn_ended")).toMatchObject({ session: life.session.id, reason: "done" });
    await life.close();
  },
);
