import { describe, expect, it, onTestFinished } from "vitest";
import { answerElsewhere, type OutsideDecision, stopElsewhere } from "../../src/records/ask-driver.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/types.ts";
import { askHelpers } from "../support/ask-helpers.ts";
import { apart } from "../support/models-apart.ts";
import { type begins, fateOf } from "../support/mortal.ts";
import { calls, type Life, openStage, type Stage, says, toolOf } from "../support/play.ts";

const edit = (file: string, to: string) =>
  ["write_file", { file_path: file, content: to }] as [string, { file_path: string; content: string }];
const lines = [calls(edit("a.txt", "two\n")), says("Done.")];
const files = { "a.txt": "one\n", "b.txt": "one\n" };

/** The store as another process has it. */
async function elsewhere(stage: Stage): Promise<Store> {
  const store = await openStore({ file: stage.database });
  onTestFinished(() => store.close());
  return store;
}

const digestOf = (life: Life, call = "c1"): string =>
  life
    .of("approval_requested")
    .flatMap(({ calls: asked }) => asked)
    .findLast(({ callId }) => callId === call)?.digest ?? "";

const approve = (digest: string): OutsideDecision => ({ decision: "approve", digest });
const deny: OutsideDecision = { decision: "deny", reason: "not that file" };

const ended = (life: Life) => life.until(({ type }) => type === "turn_ended");
const unheard = (store: Store, id: string) => store.requests.unheard(id).length;

describe("an answer of another process", () => {
  it("is taken by the one that drives, and what was approved is done", async () => {
    const stage = await openStage({ lines, files });
    const life = await stage.begin("go");
    const store = await elsewhere(stage);
    const ref = { session: life.session.id, call: "c1" };
    expect(await answerElsewhere(store, ref, approve(digestOf(life).slice(0, 12)))).toEqual({ became: "taken" });
    await ended(life);
    expect(stage.text("a.txt")).toBe("two\n");
    expect(life.journal().answersOf("c1")).toMatchObject([{ decision: "approve", digest: digestOf(life) }]);
    expect(life.last("notice")).toMatchObject({
      code: "answered_elsewhere",
      text: `process ${process.pid} approved c1`,
    });
    expect(life.last("decision")).toMatchObject({ decision: "approve", by: "person" });
  });

  it("may deny, with the person's reason", async () => {
    const stage = await openStage({ lines, files });
    const life = await stage.begin("go");
    const ref = { session: life.session.id, call: "c1" };
    expect(await answerElsewhere(await elsewhere(stage), ref, deny)).toEqual({ became: "taken" });
    await ended(life);
    expect(stage.text("a.txt")).toBe("one\n");
    expect(life.call("c1")).toMatchObject({ status: "cancelled", reason: "not that file", ended: { why: "denied" } });
  });

  it.each([
    ["another digest", "c1", approve("f".repeat(64)), "stale"],
    ["no call", "c9", approve("f".repeat(64)), "not_waiting"],
    ["a digest of fewer characters than 12", "c1", approve(""), "stale"],
  ] as const)("that names %s decides nothing and says so", async (_what, call, decision, code) => {
    const stage = await openStage({ lines, files });
    const life = await stage.begin("go");
    const store = await elsewhere(stage);
    const outcome = await answerElsewhere(store, { session: life.session.id, call }, decision);
    expect(outcome).toMatchObject({ became: "refused", code });
    expect([stage.text("a.txt"), unheard(store, life.session.id)]).toEqual(["one\n", 0]);
    expect(life.call("c1").status).toBe("awaiting_approval");
  });

  it("of the plan before is too old where the file was saved meanwhile and the question was asked anew", async () => {
    const stage = await openStage({ lines, files });
    const first = await stage.begin("go");
    const { id } = first.session;
    const old = digestOf(first);
    await first.close();
    await stage.put("a.txt", "saved by the person\n");
    const store = await elsewhere(stage);
    // It is the question that waits, as long as nobody has looked again.
    expect(await answerElsewhere(store, { session: id, call: "c1" }, approve(old))).toMatchObject({ became: "waits" });
    const life = await stage.resume(id);
    await expect.poll(() => store.requests.get(1)?.end).toMatchObject({ became: "stale" });
    expect(stage.text("a.txt")).toBe("saved by the person\n");
    expect(digestOf(life)).not.toBe(old);
  });

  it("waits where nobody drives, and is taken at the resume where the question is the same", async () => {
    const stage = await openStage({ lines, files });
    const first = await stage.begin("go");
    const { id } = first.session;
    await first.close();
    const store = await elsewhere(stage);
    const answer = await answerElsewhere(store, { session: id, call: "c1" }, approve(digestOf(first)));
    expect(answer).toMatchObject({ became: "waits", message: expect.stringContaining("nobody drives") });
    expect(stage.text("a.txt")).toBe("one\n");
    const life = await stage.resume(id);
    // `settled` is behind it: a resume without a person ends with what was answered done.
    expect(life.last("turn_ended")).toMatchObject({ reason: "done" });
    expect([stage.text("a.txt"), unheard(store, id)]).toEqual(["two\n", 0]);
  });

  it("which denies comes before one that approves, whoever was first", async () => {
    const stage = await openStage({ lines, files });
    const first = await stage.begin("go");
    const ref = { session: first.session.id, call: "c1" };
    await first.close();
    const store = await elsewhere(stage);
    await answerElsewhere(store, ref, approve(digestOf(first)));
    await answerElsewhere(store, ref, deny);
    await stage.resume(ref.session);
    expect([1, 2].map((key) => store.requests.get(key)?.end?.became)).toEqual(["not_waiting", "taken"]);
    expect(stage.text("a.txt")).toBe("one\n");
  });

  it("of eight at once is one alone, and the others are told", async () => {
    const stage = await openStage({ lines, files });
    const life = await stage.begin("go");
    const stores = await Promise.all(Array.from({ length: 8 }, () => elsewhere(stage)));
    const ref = { session: life.session.id, call: "c1" };
    const digest = digestOf(life);
    const told = await Promise.all(
      stores.map((store, i) => answerElsewhere(store, ref, i % 2 === 0 ? approve(digest) : { ...deny, digest })),
    );
    await ended(life);
    expect(told.filter(({ became }) => became === "taken")).toHaveLength(1);
    expect(told.filter((one) => one.became === "refused" && one.code === "not_waiting")).toHaveLength(7);
    expect(life.journal().answersOf("c1")).toHaveLength(1);
    const approved = told.findIndex(({ became }) => became === "taken") % 2 === 0;
    expect(stage.text("a.txt")).toBe(approved ? "two\n" : "one\n");
  });

  it("reaches a call of a session that a call drives, and that session alone", async () => {
    const stage = await openStage({
      lines: [calls(["ask_helpers", { tasks: ["write a", "write b"] }]), says("All done.")],
      tools: [askHelpers()],
      files,
      wrapModel: apart({
        "write a": [calls(edit("a.txt", "by a\n")), says("Wrote a.")],
        "write b": [calls(edit("b.txt", "by b\n")), says("Wrote b.")],
      }),
    });
    const life = await stage.begin("go");
    const store = await elsewhere(stage);
    const { id } = life.session;
    const [a, b] = life.last("approval_requested").calls;
    expect([a?.session, b?.session]).toEqual([`${id}@c1.1`, `${id}@c1.2`]);
    const give = (session: string, digest = "") => answerElsewhere(store, { session, call: "c1" }, approve(digest));
    // "c1" of the root is the call that drives them.
    expect(await give(id, a?.digest)).toMatchObject({ became: "refused", code: "not_waiting" });
    expect(await give(`${id}@c1.2`, a?.digest)).toMatchObject({ became: "refused", code: "stale" });
    expect(await give(`${id}@c1.1`, a?.digest)).toEqual({ became: "taken" });
    expect(stage.text("b.txt")).toBe("one\n");
    expect(await give(`${id}@c1.2`, b?.digest)).toEqual({ became: "taken" });
    await life.until((event) => event.type === "turn_ended" && event.session === id);
    expect([stage.text("a.txt"), stage.text("b.txt")]).toEqual(["by a\n", "by b\n"]);
  });

  it.each(["before", "after"] as const)(
    "is neither lost nor taken twice where its driver dies just %s it heard it",
    async (when) => {
      const stage = await openStage({ lines, files });
      const first = await stage.begin("go");
      const { id } = first.session;
      const digest = digestOf(first);
      await first.close();
      const store = await elsewhere(stage);
      await answerElsewhere(store, { session: id, call: "c1" }, approve(digest));
      const isAnswer: typeof begins = (name, [, answer]) => name === "move" && answer !== undefined;
      const fate = fateOf({ write: isAnswer, when });
      const dying = await stage.resume(id, { wrap: fate.wrap });
      await expect.poll(() => fate.dead).toBe(true);
      expect(unheard(store, id)).toBe(when === "before" ? 1 : 0);
      const life = await stage.resume(id, { takeOver: true });
      await dying.session.close().catch(() => undefined);
      expect(life.last("turn_ended")).toMatchObject({ reason: "done" });
      expect(stage.text("a.txt")).toBe("two\n");
      expect(life.journal().answersOf("c1")).toHaveLength(1);
      expect(store.requests.get(1)?.end?.became).toBe("taken");
    },
  );

  it("is heard by nobody who has lost the session", async () => {
    const stage = await openStage({ lines, files });
    const old = await stage.begin("go");
    const { id } = old.session;
    const life = await stage.resume(id, { takeOver: true });
    const told = await answerElsewhere(await elsewhere(stage), { session: id, call: "c1" }, approve(digestOf(life)));
    expect(told).toEqual({ became: "taken" });
    await ended(life);
    expect(life.of("decision")).toHaveLength(1);
    expect(old.of("decision")).toEqual([]);
  });
});

describe("a stop of another process", () => {
  const sleeping = (begun: () => void) =>
    toolOf("sleep_on", async (_, { signal }) => {
      begun();
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      signal.throwIfAborted();
      return "slept";
    });

  it("ends the tool that runs, and the turn, before its process is told", async () => {
    let begun = (): void => undefined;
    const started = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const stage = await openStage({
      lines: [calls(["sleep_on", {}]), says("Slept.")],
      tools: [sleeping(begun)],
    });
    const life = await stage.begin("go", { running: true });
    await started;
    const told = await stopElsewhere(await elsewhere(stage), life.session.id);
    expect(told).toEqual({ became: "stopped", message: `session ${life.session.id} was stopped` });
    expect(life.last("turn_ended")).toMatchObject({ reason: "cancelled" });
    expect(life.call("c1")).toMatchObject({ status: "error", errorCode: "CANCELLED" });
    expect(life.of("notice").map(({ code }) => code)).toEqual(["stopped_elsewhere"]);
  });

  it("leaves the question that waits, which can be answered then", async () => {
    const stage = await openStage({ lines, files });
    const life = await stage.begin("go");
    const store = await elsewhere(stage);
    expect(await stopElsewhere(store, life.session.id)).toMatchObject({ became: "kept" });
    expect(life.call("c1").status).toBe("awaiting_approval");
    const ref = { session: life.session.id, call: "c1" };
    expect(await answerElsewhere(store, ref, approve(digestOf(life)))).toEqual({ became: "taken" });
    await life.until((event) => event.type === "turn_ended" && event.reason === "done");
    expect(stage.text("a.txt")).toBe("two\n");
  });

  it("finds that nothing runs, or that nobody is there", async () => {
    const stage = await openStage({ lines: [says("Hello.")] });
    const life = await stage.begin("go");
    const store = await elsewhere(stage);
    expect(await stopElsewhere(store, life.session.id)).toMatchObject({ became: "idle" });
    await life.close();
    expect(await stopElsewhere(store, life.session.id)).toMatchObject({ became: "not_driven" });
  });

  it("for a process that has ended stops no later one", async () => {
    const stage = await openStage({ lines, files });
    const first = await stage.begin("go");
    const { id } = first.session;
    await first.close();
    const store = await elsewhere(stage);
    // Held by a store that hears nothing, as a process that dies before it looks.
    const lease = await (await elsewhere(stage)).acquire(id);
    const asking = stopElsewhere(store, id);
    await expect.poll(() => unheard(store, id)).toBe(1);
    lease.release();
    expect(await asking).toMatchObject({ became: "ended" });
    const life = await stage.resume(id);
    await expect.poll(() => store.requests.get(1)?.end?.became).toBe("late");
    expect(life.of("notice")).toEqual([]);
    expect(life.call("c1").status).toBe("awaiting_approval");
  });

  it("is told that its driver has not heard it, where that one does nothing", async () => {
    const stage = await openStage({ lines, files });
    const store = await elsewhere(stage);
    // Held by a store that hears nothing, as a process that was suspended.
    const held = await elsewhere(stage);
    await held.sessions.create({ id: "calm-fox-0001", workspace: "/w", model: "m", title: "" });
    await held.acquire("calm-fox-0001");
    expect(await stopElsewhere(store, "calm-fox-0001", 60)).toMatchObject({ became: "unheard" });
  });
});
