import { existsSync } from "node:fs";
import { AIMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import type { ToolCallInfo } from "../../src/core/call.ts";
import type { AgentEvent } from "../../src/graph/events.ts";
import type { Model } from "../../src/model/port.ts";
import type { ResumedSession } from "../../src/session/open-agent.ts";
import type { Store } from "../../src/store/types.ts";
import { askHelpers } from "../support/ask-helpers.ts";
import { gate } from "../support/gate.ts";
import { apart, firstWords } from "../support/models-apart.ts";
import { fateOf } from "../support/mortal.ts";
import { calls, type Life, type Line, openStage, type Stage, says, toolOf } from "../support/play.ts";

const writes = (name: string): Line => calls(["write_file", { file_path: `${name}.txt`, content: `${name}\n` }]);

/** Asks for its file, and says then that it is written. */
const asking = (name: string): Line[] => [writes(name), says(`Wrote ${name}.`)];
const looking = (name: string): Line[] => [says(`Looked at ${name}.`)];

interface Places {
  stage: Stage;
  /** What was asked of models: the task, and which request of it, from 1. */
  heard: string[];
  /** Has the model of such a request answer. */
  speak(request: string): void;
}

/** Helpers with these talks, of whom so many work at once; the models of these requests say nothing until they may. */
async function placesOf(
  talks: Readonly<Record<string, readonly Line[]>>,
  { atOnce, held = [], maxSteps = 50 }: { atOnce: number; held?: string[]; maxSteps?: number },
): Promise<Places> {
  const heard: string[] = [];
  const gates = new Map(held.map((request) => [request, gate()]));
  const heldUp = (model: Model): Model => ({
    ...model,
    async *stream(request, signal) {
      const nth = request.messages.filter((message) => AIMessage.isInstance(message)).length + 1;
      const name = `${firstWords(request)} ${nth}`;
      heard.push(name);
      const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      if (!signal.aborted) await Promise.race([gates.get(name)?.opened, gates.has(name) ? stopped : undefined]);
      signal.throwIfAborted();
      yield* model.stream(request, signal);
    },
  });
  const stage = await openStage({
    lines: [calls(["ask_helpers", { tasks: Object.keys(talks), atOnce }]), says("All done.")],
    tools: [askHelpers()],
    maxSteps,
    wrapModel: (model) => heldUp(apart(talks)(model)),
  });
  return { stage, heard, speak: (request) => gates.get(request)?.open() };
}

const helper = (life: Life, nth: number, call = "c1") => ({ session: `${life.session.id}@c1.${nth}`, call });
const callOf = (life: Life, nth: number): ToolCallInfo | undefined =>
  life.store.readJournal(helper(life, nth).session).call("c1");

/** Whose questions are in the newest one. */
const askedNow = (life: Life): number[] =>
  (life.of("approval_requested").at(-1)?.calls ?? []).map(({ session }) => Number(session.split(".").at(-1)));
const asks = (life: Life, ...nths: number[]): Promise<void> =>
  life.until(() => nths.every((nth) => askedNow(life).includes(nth)));
const endOf =
  (nth: number) =>
  (event: AgentEvent): boolean =>
    event.type === "turn_ended" && event.session.endsWith(`@c1.${nth}`);
const approve = (life: Life, nth: number) => life.session.answer(helper(life, nth), { decision: "approve" });

const threeOfOne = { a: asking("a"), b: asking("b"), c: looking("c") };

describe("helpers that wait for the person take no place of those that work", () => {
  it("where one works at once: each is asked about as it comes, beside the next ones, and goes on in the next free place", async () => {
    const { stage, heard, speak } = await placesOf(threeOfOne, { atOnce: 1, held: ["c 1"] });
    const life = await stage.begin("go", { running: true });
    await asks(life, 1, 2);
    await expect.poll(() => heard.at(-1)).toBe("c 1");
    expect(await approve(life, 1)).toEqual({ ok: true });
    expect(await approve(life, 2)).toEqual({ ok: true });
    expect([callOf(life, 1)?.status, callOf(life, 2)?.status]).toEqual(["pending", "pending"]);
    expect([existsSync(stage.path("a.txt")), existsSync(stage.path("b.txt"))]).toEqual([false, false]);
    speak("c 1");
    await life.session.settled();
    expect([stage.text("a.txt"), stage.text("b.txt")]).toEqual(["a\n", "b\n"]);
    expect(heard).toEqual(["go 1", "a 1", "b 1", "c 1", "a 2", "b 2", "go 2"]);
    expect(life.last("turn_ended")).toMatchObject({ session: life.session.id, reason: "done", text: "All done." });
    await life.close();
  });

  it("where two work at once: one that is answered goes on before those that have not begun", async () => {
    const talks = { a: asking("a"), b: looking("b"), c: looking("c"), d: looking("d"), e: looking("e") };
    const { stage, heard, speak } = await placesOf(talks, { atOnce: 2, held: ["b 1", "c 1", "d 1", "a 2"] });
    const life = await stage.begin("go", { running: true });
    await asks(life, 1);
    await expect.poll(() => heard).toContain("c 1");
    expect(await approve(life, 1)).toEqual({ ok: true });
    speak("b 1");
    await expect.poll(() => heard.at(-1)).toBe("a 2");
    expect([stage.text("a.txt"), heard.includes("d 1")]).toEqual(["a\n", false]);
    for (const request of ["c 1", "d 1", "a 2"]) speak(request);
    await life.session.settled();
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", text: "All done." });
    expect(life.of("approval_requested")).toHaveLength(1);
    await life.close();
  });

  it("come to rest once none works or can begin: all that they ask is one question then", async () => {
    const { stage } = await placesOf({ a: asking("a"), b: asking("b"), c: asking("c") }, { atOnce: 1 });
    const life = await stage.begin("go");
    expect(askedNow(life)).toEqual([1, 2, 3]);
    expect(life.store.sessions.children(life.session.id).map(({ spec }) => Object.keys(spec))).toEqual([
      ...[1, 2, 3].map(() => ["task", "agent", "rights"]),
    ]);
    expect(life.store.sessions.get(life.session.id)?.state).toBe("awaiting_approval");
    for (const nth of [3, 1, 2]) {
      expect(await approve(life, nth)).toEqual({ ok: true });
      await life.session.settled();
    }
    expect(["a.txt", "b.txt", "c.txt"].map((file) => stage.text(file))).toEqual(["a\n", "b\n", "c\n"]);
    expect(life.last("turn_ended")).toMatchObject({ session: life.session.id, reason: "done" });
    await life.close();
  });

  it("are asked and answered so, too, while one that was answered at rest goes on", async () => {
    const talks = { a: asking("a"), b: asking("b") };
    const { stage, heard, speak } = await placesOf(talks, { atOnce: 1, held: ["a 2"] });
    const life = await stage.begin("go");
    await approve(life, 1);
    await expect.poll(() => heard.at(-1)).toBe("a 2");
    expect(await approve(life, 2)).toEqual({ ok: true });
    expect(callOf(life, 2)?.status).toBe("pending");
    speak("a 2");
    await life.session.settled();
    expect([stage.text("b.txt"), heard.slice(3)]).toEqual(["b\n", ["a 2", "b 2", "go 2"]]);
    expect(life.last("turn_ended")).toMatchObject({ session: life.session.id, reason: "done" });
    await life.close();
  });

  it("are waited for where one is stopped while it waits for its place, and the others go on", async () => {
    const { stage, speak, heard } = await placesOf(threeOfOne, { atOnce: 1, held: ["c 1"] });
    const life = await stage.begin("go", { running: true });
    await asks(life, 1, 2);
    await expect.poll(() => heard).toContain("c 1");
    await approve(life, 1);
    expect(await life.session.stopChild(helper(life, 1).session)).toEqual({ ok: true });
    expect(await life.session.stopChild(helper(life, 2).session)).toEqual({ ok: true });
    expect([callOf(life, 1)?.status, callOf(life, 2)?.status]).toEqual(["cancelled", "cancelled"]);
    speak("c 1");
    await life.session.settled();
    expect(
      stage
        .observation()
        .split("\n")
        .map((line) => line.split(": ")[1]),
    ).toEqual([...["cancelled", "cancelled", "done"]]);
    expect([existsSync(stage.path("a.txt")), existsSync(stage.path("b.txt"))]).toEqual([false, false]);
    await life.close();
  });

  it("end with the turn, those that are to go on too, and none begins then", async () => {
    const { stage, heard } = await placesOf({ ...threeOfOne, d: looking("d") }, { atOnce: 1, held: ["c 1"] });
    const life = await stage.begin("go", { running: true });
    await asks(life, 1, 2);
    await expect.poll(() => heard).toContain("c 1");
    await approve(life, 1);
    await life.session.stop();
    expect(life.last("turn_ended")).toMatchObject({ session: life.session.id, reason: "cancelled" });
    expect([callOf(life, 1)?.status, callOf(life, 2)?.status]).toEqual(["cancelled", "cancelled"]);
    expect(life.store.sessions.children(life.session.id)).toHaveLength(3);
    expect([existsSync(stage.path("a.txt")), heard.includes("d 1")]).toEqual([false, false]);
    await life.close();
  });

  it("are not begun where a limit of the turn is reached by then; those that were answered are ended by it", async () => {
    const { stage, speak, heard } = await placesOf(
      { ...threeOfOne, d: looking("d") },
      { atOnce: 1, held: ["c 1"], maxSteps: 4 },
    );
    const life = await stage.begin("go", { running: true });
    await asks(life, 1, 2);
    await expect.poll(() => heard).toContain("c 1");
    await approve(life, 1);
    await approve(life, 2);
    speak("c 1");
    await life.session.settled();
    expect(heard).toEqual(["go 1", "a 1", "b 1", "c 1"]);
    expect([stage.text("a.txt"), stage.text("b.txt")]).toEqual(["a\n", "b\n"]);
    const ends = life.of("turn_ended").filter(({ parent }) => parent !== undefined);
    expect(ends.map(({ reason }) => reason)).toEqual(["done", "max_steps", "max_steps"]);
    expect(life.store.sessions.children(life.session.id)).toHaveLength(3);
    await life.close();
  });

  it("are waited for no longer where the tool ends one that has not begun", async () => {
    const told = gate();
    const enough = new AbortController();
    const driving = toolOf(
      "have_two",
      async (_, { runChild }) => {
        const first = runChild?.({ task: "a", atOnce: 1 });
        const second = runChild?.({ task: "b", atOnce: 1 }, enough.signal).catch((error: Error) => error.message);
        enough.abort(new Error("enough of b"));
        const came = String(await second);
        told.open();
        return `${(await first)?.text} ${came}`;
      },
      { effect: "child", risk: "low" },
    );
    const stage = await openStage({
      lines: [calls(["have_two", {}]), says("All done.")],
      tools: [driving],
      wrapModel: (model) => ({
        ...model,
        async *stream(request, signal) {
          if (firstWords(request) === "a") await told.opened;
          yield* apart({ a: looking("a"), b: looking("b") })(model).stream(request, signal);
        },
      }),
    });
    const life = await stage.begin("go");
    expect(stage.observation()).toBe("Looked at a. enough of b");
    expect(life.store.sessions.children(life.session.id)).toHaveLength(1);
    await life.close();
  });

  it("are to be a whole number that work at once", async () => {
    for (const atOnce of [0, 1.5, -1]) {
      const { stage } = await placesOf({ a: looking("a") }, { atOnce });
      const life = await stage.begin("go");
      expect(stage.observation()).toContain("how many children work at once is a whole number above 0");
      await life.close();
    }
  });
});

describe("helpers that wait, where their session is left", () => {
  it("wait on, and one that was answered goes on, before one begins that had not", async () => {
    const talks = { ...threeOfOne, d: looking("d") };
    const { stage, speak, heard } = await placesOf(talks, { atOnce: 1, held: ["c 1"] });
    const first = await stage.begin("go", { running: true });
    await asks(first, 1, 2);
    await expect.poll(() => heard).toContain("c 1");
    expect(await approve(first, 1)).toEqual({ ok: true });
    await first.close();
    const life = await stage.resume(first.session.id, { still: true });
    expect([callOf(life, 1)?.status, callOf(life, 2)?.status]).toEqual(["pending", "awaiting_approval"]);
    await (life.session as ResumedSession).proceed();
    await asks(life, 2);
    await life.until(endOf(1));
    await expect.poll(() => heard.filter((one) => one === "c 1")).toHaveLength(2);
    expect([stage.text("a.txt"), heard.includes("d 1")]).toEqual(["a\n", false]);
    expect(await approve(life, 2)).toEqual({ ok: true });
    speak("c 1");
    await life.session.settled();
    expect(heard.slice(-3)).toEqual(["b 2", "d 1", "go 2"]);
    expect(life.last("turn_ended")).toMatchObject({ session: life.session.id, reason: "done", text: "All done." });
    await life.close();
  });

  /** Its process dies as a child is to be begun at this place. */
  const dyingAt = (place: number) => {
    const fate = fateOf();
    const wrap = (store: Store): Store =>
      new Proxy(fate.wrap(store), {
        get(target, key) {
          const value: unknown = Reflect.get(target, key);
          if (key !== "beginChild") return typeof value === "function" ? value.bind(target) : value;
          return async (...[row, turn]: Parameters<Store["beginChild"]>) =>
            row.place === place ? fate.die() : store.beginChild(row, turn);
        },
      });
    return wrap;
  };

  it("with all that have begun: the next one begins beside them all the same", async () => {
    const { stage, heard, speak } = await placesOf(threeOfOne, { atOnce: 1, held: ["c 1"] });
    const first = await stage.begin("go", { wrap: dyingAt(2) });
    expect(first.store.sessions.children(first.session.id)).toHaveLength(2);
    await first.close().catch(() => undefined);
    const life = await stage.resume(first.session.id, { still: true, takeOver: true });
    await (life.session as ResumedSession).proceed();
    await asks(life, 1, 2);
    await expect.poll(() => heard.at(-1)).toBe("c 1");
    expect(await approve(life, 2)).toEqual({ ok: true });
    speak("c 1");
    await life.until(endOf(2));
    await life.session.settled();
    expect([askedNow(life), stage.text("b.txt"), existsSync(stage.path("a.txt"))]).toEqual([[1, 2], "b\n", false]);
    await approve(life, 1);
    await life.session.settled();
    expect(life.last("turn_ended")).toMatchObject({ session: life.session.id, reason: "done", text: "All done." });
    await life.close();
  });
});
