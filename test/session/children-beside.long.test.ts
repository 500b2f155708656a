import { existsSync } from "node:fs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { defineTool, type Tool } from "../../src/core/tool.ts";
import type { AgentEvent } from "../../src/graph/events.ts";
import type { Model } from "../../src/model/port.ts";
import { answerElsewhere, stopElsewhere } from "../../src/records/ask-driver.ts";
import type { ResumedSession } from "../../src/session/open-agent.ts";
import { openStore } from "../../src/store/open-store.ts";
import { askHelpers } from "../support/ask-helpers.ts";
import { gate } from "../support/gate.ts";
import { journalsWith } from "../support/journals-with.ts";
import { apart, firstWords } from "../support/models-apart.ts";
import { calls, type Life, type LifeOptions, type Line, openStage, type Stage, says } from "../support/play.ts";

const writes = (file: string, content: string) => calls(["write_file", { file_path: file, content }]);

/** Its end is not seen. */
const unseenSend: Tool = defineTool({
  name: "send_it",
  description: "of the test",
  args: z.strictObject({}),
  risk: "low",
  effect: "once",
  timeoutMs: 20,
  execute: () => new Promise<never>(() => undefined),
});

/** What it would read is where the path leads now. */
const readsAt = (real: () => string): Tool =>
  defineTool({
    name: "read_it",
    description: "of the test",
    args: z.strictObject({}),
    risk: "medium",
    effect: "once",
    plan: async (_, { cwd }) => ({ summary: "read it", cwd, reads: [{ asked: "it", real: real() }] }),
    execute: async () => `read ${real()}`,
  });

interface Further {
  tools?: Tool[];
  /** What the first helper's model waits for. */
  first?: Promise<void>;
}

/** Helpers with these tasks and replies; the model answers the last of them only once it may. */
async function stageWith(talks: Readonly<Record<string, readonly Line[]>>, { tools = [], first }: Further = {}) {
  const tasks = Object.keys(talks);
  const last = tasks.at(-1);
  const may = gate();
  const heard: string[] = [];
  const held = (model: Model): Model => ({
    ...model,
    async *stream(request, signal) {
      heard.push(firstWords(request));
      const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      if (firstWords(request) === last && !signal.aborted) await Promise.race([may.opened, stopped]);
      if (firstWords(request) === tasks[0]) await first;
      signal.throwIfAborted();
      yield* model.stream(request, signal);
    },
  });
  const stage = await openStage({
    lines: [calls(["ask_helpers", { tasks }]), says("All done.")],
    tools: [askHelpers(), unseenSend, ...tools],
    wrapModel: (model) => held(apart(talks)(model)),
  });
  onTestFinished(() => may.open());
  return { stage, heard, speak: may.open };
}

const two = {
  "write a": [writes("a.txt", "a\n"), says("Wrote a.")],
  "look at b": [says("b is fine")],
};

const asksOf =
  (nth: number) =>
  (e: AgentEvent): boolean =>
    e.type === "approval_requested" && e.calls.some(({ session }) => session.endsWith(`@c1.${nth}`));
const endOf =
  (nth: number) =>
  (e: AgentEvent): boolean =>
    e.type === "turn_ended" && e.session.endsWith(`@c1.${nth}`);

const helper = (life: Life, nth: number, call = "c1") => ({ session: `${life.session.id}@c1.${nth}`, call });

/** Two that wait, with nobody at work, and a message that is said behind them. */
async function twoAtRest(options: LifeOptions = {}): Promise<{ stage: Stage; life: Life }> {
  const stage = await openStage({
    lines: [calls(["ask_helpers", { tasks: ["write a", "write c"] }]), says("All done."), says("Heard it later.")],
    tools: [askHelpers()],
    wrapModel: apart({ "write a": two["write a"], "write c": [writes("c.txt", "c\n"), says("Wrote c.")] }),
  });
  const life = await stage.begin("go", options);
  expect(life.last("approval_requested").calls).toHaveLength(2);
  await life.session.submit("later one", [], true);
  return { stage, life };
}

const queuedIn = (life: Life): string[] =>
  life
    .journal()
    .turns()
    .flatMap(({ state, text }) => (state === "queued" ? [text] : []));

describe("a stop where children wait and nobody works", () => {
  it("just behind the answer to one gives back what waits, and sends nothing", async () => {
    const { stage, life } = await twoAtRest();
    const said = life.session.answer(helper(life, 1), { decision: "approve" });
    const [, texts] = await Promise.all([said, life.session.takeBack({ atWork: true }), life.session.stop()]);
    await life.session.settled();
    expect([texts, queuedIn(life)]).toEqual([["later one"], []]);
    expect(JSON.stringify(stage.requests.map(({ messages }) => messages))).not.toContain("later one");
    await life.close();
  });

  it("just behind an answer from another process, which nothing has begun yet, does so too", async () => {
    const stopped: Promise<string[]>[] = [];
    const stop = async ({ session }: Life) => {
      const [texts] = await Promise.all([session.takeBack({ atWork: true }), session.stop()]);
      return texts;
    };
    const wrap = journalsWith((journal) => ({
      async move(moves, answer) {
        await journal.move(moves, answer);
        if (answer?.request !== undefined) stopped.push(stop(life));
      },
    }));
    const { stage, life } = await twoAtRest({ wrap });
    const store = await openStore({ file: stage.database });
    onTestFinished(() => store.close());
    const [{ digest = "" } = {}] = life.last("approval_requested").calls;
    const given = await answerElsewhere(store, helper(life, 1), { decision: "approve", digest });
    const texts = await stopped[0];
    await life.session.settled();
    expect([given.became, texts, queuedIn(life)]).toEqual(["taken", ["later one"], []]);
    expect(JSON.stringify(stage.requests.map(({ messages }) => messages))).not.toContain("later one");
    await life.close();
  });

  it.each([
    ["where nothing was answered", undefined],
    ["just behind an answer that is refused", { decision: "approve", digest: "0".repeat(64) }],
  ] as const)("leaves what waits %s, and asks on", async (_, answer) => {
    const { stage, life } = await twoAtRest();
    const asked = stage.requests.length;
    const said = answer === undefined ? undefined : life.session.answer(helper(life, 1), answer);
    const [outcome, texts] = await Promise.all([said, life.session.takeBack({ atWork: true }), life.session.stop()]);
    await life.session.settled();
    expect([outcome?.ok ?? false, texts, queuedIn(life), stage.requests.length]).toEqual([
      ...[false, [], ["later one"], asked],
    ]);
    for (const nth of [1, 2]) await life.session.answer(helper(life, nth), { decision: "approve" });
    await life.session.settled();
    expect([stage.text("a.txt"), stage.text("c.txt"), queuedIn(life)]).toEqual(["a\n", "c\n", []]);
    expect(life.last("turn_ended")).toMatchObject({ session: life.session.id, text: "Heard it later." });
    await life.close();
  });
});

/** Its tasks one after another, past those that wait. */
const inTurn = defineTool({
  name: "in_turn",
  description: "of the test",
  args: z.strictObject({ tasks: z.array(z.string()) }),
  risk: "low",
  effect: "child",
  execute: async ({ tasks }, ctx) => {
    for (const task of tasks) await ctx.runChild?.({ task }).catch(() => undefined);
    return "all of them";
  },
});

it("a child that is answered while a later one of its call works, which no one waits for, goes on before that one is asked about", async () => {
  const [begun, may] = [gate(), gate()];
  const wait = defineTool({
    name: "wait_it",
    description: "of the test",
    args: z.strictObject({}),
    risk: "low",
    effect: "none",
    execute: async () => {
      begun.open();
      await may.opened;
      return "waited";
    },
  });
  const stage = await openStage({
    lines: [calls(["in_turn", { tasks: ["write a", "write b"] }]), says("All done.")],
    tools: [inTurn, wait],
    wrapModel: apart({
      "write a": two["write a"],
      "write b": [writes("b.txt", "b\n"), calls(["wait_it", {}]), writes("c.txt", "c\n"), says("Wrote b and c.")],
    }),
  });
  const life = await stage.begin("go");
  await life.session.answer(helper(life, 2), { decision: "approve" });
  await begun.opened;
  expect(await life.session.answer(helper(life, 1), { decision: "approve" })).toEqual({ ok: true });
  may.open();
  await life.session.settled();
  expect(stage.text("a.txt")).toBe("a\n");
  expect(life.last("approval_requested").calls).toMatchObject(
    [helper(life, 2, "c3")].map(({ session }) => ({ session })),
  );
  await life.session.answer(helper(life, 2, "c3"), { decision: "approve" });
  await life.session.settled();
  expect(life.last("turn_ended")).toMatchObject({ reason: "done", text: "All done." });
  await life.close();
});

describe("a child that asks while another one of its call works", () => {
  it("is asked about at once, goes on alone once it is answered, and is asked about once", async () => {
    const { stage, speak } = await stageWith(two);
    const life = await stage.begin("go", { running: true });
    await life.until(asksOf(1));
    const [{ digest = "" } = {}] = life.last("approval_requested").calls;
    expect(await life.session.answer(helper(life, 1), { decision: "approve", digest })).toEqual({ ok: true });
    await life.until(endOf(1));
    expect(stage.text("a.txt")).toBe("a\n");
    expect(life.call("c1")).toMatchObject({ status: "executing" });
    expect(await life.session.answer(helper(life, 1), { decision: "deny" })).toEqual({
      ok: false,
      code: "not_waiting",
      message: `call ${life.session.id}@c1.1:c1 does not wait: it is success`,
    });
    speak();
    await life.session.settled();
    expect(life.last("turn_ended")).toMatchObject({ session: life.session.id, reason: "done", text: "All done." });
    expect(life.of("approval_requested")).toHaveLength(1);
    expect(stage.observation()).toBe(
      `${life.session.id}@c1.1: done: Wrote a.\n${life.session.id}@c1.2: done: b is fine`,
    );
    await life.close();
  });

  it("is not asked about anew when the others rest, and is answered then", async () => {
    const { stage, speak } = await stageWith(two);
    const life = await stage.begin("go", { running: true });
    await life.until(asksOf(1));
    speak();
    await life.session.settled();
    expect(life.of("approval_requested")).toHaveLength(1);
    expect(life.store.sessions.get(life.session.id)?.state).toBe("awaiting_approval");
    await life.session.answer(helper(life, 1), { decision: "deny", reason: "not a" });
    await life.session.settled();
    expect(life.last("turn_ended")).toMatchObject({ session: life.session.id, reason: "done" });
    expect(existsSync(stage.path("a.txt"))).toBe(false);
    await life.close();
  });

  it("holds to the digest that was shown; an edit is asked about anew", async () => {
    const { stage, speak } = await stageWith(two);
    const life = await stage.begin("go", { running: true });
    await life.until(asksOf(1));
    const [{ digest = "" } = {}] = life.last("approval_requested").calls;
    const edited = { file_path: "a.txt", content: "mine\n" };
    await life.session.answer(helper(life, 1), { decision: "edit", arguments: edited });
    expect(life.of("approval_requested")).toHaveLength(2);
    const [now] = life.last("approval_requested").calls;
    expect(now).toMatchObject({ changed: { from: digest, why: "edited by you" } });
    expect(await life.session.answer(helper(life, 1), { decision: "approve", digest })).toMatchObject({
      code: "stale",
    });
    await life.session.answer(helper(life, 1), { decision: "approve", digest: now?.digest ?? "" });
    await life.until(endOf(1));
    expect(stage.text("a.txt")).toBe("mine\n");
    speak();
    await life.session.settled();
    await life.close();
  });

  it("is one of two: each goes on when it is answered, whatever the other one waits for", async () => {
    const { stage, speak } = await stageWith({
      "write a": two["write a"],
      "write c": [writes("c.txt", "c\n"), says("Wrote c.")],
      "look at b": two["look at b"],
    });
    const life = await stage.begin("go", { running: true });
    await Promise.all([life.until(asksOf(1)), life.until(asksOf(2))]);
    expect(life.last("approval_requested").calls.map(({ agent }) => agent)).toEqual(["helper 1", "helper 2"]);
    await life.session.answer(helper(life, 2), { decision: "approve" });
    await life.until(endOf(2));
    expect([existsSync(stage.path("a.txt")), stage.text("c.txt")]).toEqual([false, "c\n"]);
    speak();
    await life.until(endOf(3));
    await life.session.settled();
    await life.session.answer(helper(life, 1), { decision: "approve" });
    await life.session.settled();
    expect(life.last("turn_ended")).toMatchObject({ session: life.session.id, reason: "done" });
    await life.close();
  });

  it("is asked what became of a call whose end was not seen, and then what it waits for", async () => {
    const { stage, speak } = await stageWith({
      "send it": [calls(["send_it", {}]), writes("a.txt", "a\n"), says("Sent.")],
      "look at b": two["look at b"],
    });
    const life = await stage.begin("go", { running: true });
    await life.until(({ type }) => type === "recovery_requested");
    expect(await life.session.recover(helper(life, 1), "done")).toEqual({ ok: true });
    await life.until(asksOf(1));
    await life.session.answer(helper(life, 1, "c2"), { decision: "approve" });
    await life.until(endOf(1));
    expect(stage.text("a.txt")).toBe("a\n");
    speak();
    await life.session.settled();
    expect(life.of("recovery_requested")).toHaveLength(1);
    await life.close();
  });

  it("is asked again what became of a call that was run again, whose end was not seen again", async () => {
    const { stage, speak } = await stageWith({
      "send it": [calls(["send_it", {}]), says("Sent.")],
      "look at b": two["look at b"],
    });
    const life = await stage.begin("go", { running: true });
    await life.until(({ type }) => type === "recovery_requested");
    expect(await life.session.recover(helper(life, 1), "retry")).toEqual({ ok: true });
    await life.until(() => life.of("recovery_requested").length === 2);
    expect(life.store.readJournal(helper(life, 1).session).call("c1")).toMatchObject({ attempt: 2 });
    expect(await life.session.recover(helper(life, 1), "done")).toEqual({ ok: true });
    await life.until(endOf(1));
    speak();
    await life.session.settled();
    expect(life.last("turn_ended")).toMatchObject({ session: life.session.id, reason: "done" });
    await life.close();
  });

  it("is asked about again, under the same digest, where what was approved would read elsewhere by now", async () => {
    let real = "/tmp/r0";
    const { stage, speak } = await stageWith(
      { "read it": [calls(["read_it", {}]), says("Read it.")], "look at b": two["look at b"] },
      { tools: [readsAt(() => real)] },
    );
    const life = await stage.begin("go", { running: true });
    await life.until(asksOf(1));
    const [{ digest = "" } = {}] = life.last("approval_requested").calls;
    real = "/tmp/r1";
    expect(await life.session.answer(helper(life, 1), { decision: "approve", digest })).toEqual({ ok: true });
    await life.until(() => life.of("approval_requested").length === 2);
    expect(life.last("approval_requested").calls).toMatchObject([{ digest, plan: { reads: [{ real: "/tmp/r1" }] } }]);
    expect(life.store.readJournal(helper(life, 1).session).call("c1")).toMatchObject({ status: "awaiting_approval" });
    await life.session.answer(helper(life, 1), { decision: "approve", digest });
    await life.until(endOf(1));
    speak();
    await life.session.settled();
    await life.close();
  });

  it("is stopped alone, and its question is taken back", async () => {
    const { stage, speak } = await stageWith(two);
    const life = await stage.begin("go", { running: true });
    await life.until(asksOf(1));
    expect(await life.session.stopChild(helper(life, 1).session)).toEqual({ ok: true });
    expect(life.store.readJournal(helper(life, 1).session).call("c1")).toMatchObject({ status: "cancelled" });
    expect(await life.session.answer(helper(life, 1), { decision: "approve" })).toMatchObject({ code: "not_waiting" });
    speak();
    await life.session.settled();
    expect(life.of("approval_requested")).toHaveLength(1);
    expect(stage.observation()).toContain("c1.1: cancelled");
    await life.close();
  });

  it("waits no more where its session's turn is stopped while an edit of its call is planned", async () => {
    const [planned, may] = [gate(), gate()];
    const slow = defineTool({
      name: "plan_it",
      description: "of the test",
      args: z.strictObject({ edited: z.boolean() }),
      risk: "medium",
      effect: "once",
      plan: async ({ edited }, { cwd }) => {
        if (edited) {
          planned.open();
          await may.opened;
        }
        return { summary: "plan it", cwd };
      },
      execute: async () => "ran",
    });
    const { stage } = await stageWith(
      { "plan it": [calls(["plan_it", { edited: false }]), says("Planned.")], "look at b": two["look at b"] },
      { tools: [slow] },
    );
    const life = await stage.begin("go", { running: true });
    await life.until(asksOf(1));
    const answered = life.session.answer(helper(life, 1), { decision: "edit", arguments: { edited: true } });
    await planned.opened;
    const stopped = life.session.stop();
    await life.until(endOf(1));
    may.open();
    expect(await answered).toMatchObject({ code: "not_waiting", message: expect.stringContaining("it is cancelled") });
    await stopped;
    await life.close();
  });

  it("is ended with its session's turn", async () => {
    const { stage } = await stageWith(two);
    const life = await stage.begin("go", { running: true });
    await life.until(asksOf(1));
    await life.session.stop();
    expect(life.last("turn_ended")).toMatchObject({ session: life.session.id, reason: "cancelled" });
    expect(life.store.readJournal(helper(life, 1).session).call("c1")).toMatchObject({ status: "cancelled" });
    await life.close();
  });

  it("waits on when its session is left, and is asked about while the other one goes on", async () => {
    const { stage, heard, speak } = await stageWith(two);
    const life = await stage.begin("go", { running: true });
    const { id } = life.session;
    await life.until(asksOf(1));
    await life.close();
    const next = await stage.resume(id, { still: true });
    await (next.session as ResumedSession).proceed();
    await next.until(asksOf(1));
    await expect.poll(() => heard.filter((words) => words === "look at b").length).toBe(2);
    await next.session.answer(helper(next, 1), { decision: "approve" });
    await next.until(endOf(1));
    expect(next.of("turn_ended")).toHaveLength(1);
    speak();
    await next.session.settled();
    expect(next.last("turn_ended")).toMatchObject({ session: id, reason: "done", text: "All done." });
    expect(stage.text("a.txt")).toBe("a\n");
    await next.close();
  });

  it("has a stop heard that another process wrote: what was queued runs to its own end then", async () => {
    // The session looks only where something asks.
    vi.useFakeTimers({ toFake: ["setInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const may = gate();
    const { stage } = await stageWith(two, { first: may.opened });
    const life = await stage.begin("go", { running: true });
    const { id } = life.session;
    await life.session.submit("second");
    const store = await openStore({ file: stage.database });
    onTestFinished(() => store.close());
    const stopped = stopElsewhere(store, id);
    await expect.poll(() => store.requests.unheard(id).length).toBe(1);
    may.open();
    expect(await stopped).toMatchObject({ became: "stopped" });
    await life.session.settled();
    const ends = life.of("turn_ended").filter(({ session }) => session === id);
    expect(ends.map(({ reason }) => reason)).toEqual(["cancelled", "done"]);
    expect(ends.at(-1)).toMatchObject({ text: "All done." });
    await life.close();
  });

  it("is answered from another process", async () => {
    const { stage, speak } = await stageWith(two);
    const life = await stage.begin("go", { running: true });
    await life.until(asksOf(1));
    const store = await openStore({ file: stage.database });
    onTestFinished(() => store.close());
    expect(await answerElsewhere(store, helper(life, 1), { decision: "deny", reason: "not a" })).toEqual({
      became: "taken",
    });
    await life.until(endOf(1));
    expect(await answerElsewhere(store, helper(life, 1), { decision: "deny" })).toMatchObject({ became: "refused" });
    speak();
    await life.session.settled();
    await life.close();
  });
});
