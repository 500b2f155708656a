import { mkdir, rename } from "node:fs/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AgentEvent } from "../../src/graph/events.ts";
import { stopElsewhere } from "../../src/records/ask-driver.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { SessionState } from "../../src/store/types.ts";
import { askHelpers } from "../support/ask-helpers.ts";
import { gate } from "../support/gate.ts";
import { journalsWith } from "../support/journals-with.ts";
import { apart } from "../support/models-apart.ts";
import { calls, type Life, openStage, says } from "../support/play.ts";

const writes = (file: string, content: string) => calls(["write_file", { file_path: file, content }]);

const twoThatWrite = () =>
  openStage({
    lines: [calls(["ask_helpers", { tasks: ["write a", "write b"] }]), says("All done.")],
    tools: [askHelpers()],
    wrapModel: apart({
      "write a": [writes("a.txt", "a\n"), says("Wrote a.")],
      "write b": [writes("b.txt", "b\n"), says("Wrote b.")],
    }),
  });

/** A store in which this is done before a session's state is written down; `nested` where it is a child's. */
const beforeState = (work: (state: SessionState, nested: boolean) => Promise<unknown>) =>
  journalsWith((journal) => ({
    async setState(state) {
      await work(state, journal.session.includes("@"));
      await journal.setState(state);
    },
  }));

/** A store whose root's journal has this done before it writes down that the session waits for the person: its question is made, and not asked. */
const beforeItAsks = (work: () => Promise<unknown>) =>
  beforeState(async (state, nested) => {
    if (state === "awaiting_approval" && !nested) await work();
  });

/** Begins, and has these stopped while the root's question is made and not asked. @returns also whose was asked about from then on */
async function stoppedBeforeItAsks(children: readonly number[]): Promise<{ life: Life; asked(): string[][] }> {
  const stage = await twoThatWrite();
  const begun = gate<Life>();
  let before = 0;
  const stopping = async () => {
    const { session, of } = await begun.opened;
    // Behind what the first of them has asked while the other one worked.
    await session.takeBack();
    before = of("approval_requested").length;
    for (const nth of children) expect(await session.stopChild(`${session.id}@c1.${nth}`)).toEqual({ ok: true });
  };
  const life = await stage.begin("go", { wrap: beforeItAsks(stopping), running: true });
  begun.open(life);
  await life.session.settled();
  const asked = () =>
    life
      .of("approval_requested")
      .slice(before)
      .map(({ calls: asked }) => asked.map(({ session }) => session));
  return { life, asked };
}

describe("a child that is stopped just as its session is about to ask for it", () => {
  it("is asked about no more, and the session goes on", async () => {
    const { life, asked } = await stoppedBeforeItAsks([1, 2]);
    expect(asked()).toEqual([]);
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", session: life.session.id, text: "All done." });
    expect(life.call("c1")).toMatchObject({ status: "success" });
    await life.close();
  });

  it("leaves the question of another one, which can be answered", async () => {
    const { life, asked } = await stoppedBeforeItAsks([1]);
    const { id } = life.session;
    expect(asked().flat()).not.toContain(`${id}@c1.1`);
    // It may have been asked while the first one worked yet.
    const everAsked = life.of("approval_requested").flatMap(({ calls }) => calls.map(({ session }) => session));
    expect(everAsked).toContain(`${id}@c1.2`);
    const ref = { session: `${id}@c1.2`, call: "c1" };
    expect(await life.session.answer(ref, { decision: "approve" })).toEqual({ ok: true });
    await life.session.settled();
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", session: id });
    await life.close();
  });
});

describe("a child that is stopped while its session's run fails", () => {
  it("leaves the turn as it failed: nothing goes on unasked", async () => {
    const stage = await openStage({
      lines: [calls(["ask_helpers", { tasks: ["write a"] }]), says("All done.")],
      tools: [askHelpers()],
      wrapModel: apart({ "write a": [writes("a.txt", "a\n"), says("Wrote a.")] }),
    });
    const [begun, leaves] = [gate<Life>(), gate()];
    let stopping: Promise<unknown> | undefined;
    const isFailed = (e: AgentEvent) => e.type === "turn_ended" && !e.session.includes("@");
    const wrap = beforeState(async (state, nested) => {
      const { session, until } = await begun.opened;
      if (nested && state === "idle" && stopping !== undefined) {
        leaves.open();
        await until(isFailed);
      }
      if (nested || state !== "awaiting_approval") return;
      stopping = session.stopChild(`${session.id}@c1.1`);
      await leaves.opened;
      throw new Error("the store is broken");
    });
    const life = await stage.begin("go", { wrap, running: true });
    begun.open(life);
    await life.until(isFailed);
    expect(await stopping).toEqual({ ok: true });
    await life.session.settled();
    expect(life.of("turn_ended").filter(({ session }) => session === life.session.id)).toMatchObject([
      { reason: "failed" },
    ]);
    expect(life.call("c1")).toMatchObject({ status: "executing" });
    await life.close();
  });
});

describe("a child whose folder is another one by now", () => {
  it("is not stopped, and the turn ends with the reason, once; another process's stop is told as such only where it was one", async () => {
    const stage = await twoThatWrite();
    const life = await stage.begin("go");
    const { id } = life.session;
    const store = await openStore({ file: stage.database });
    onTestFinished(() => store.close());
    await rename(stage.workspace, `${stage.workspace}-gone`);
    await mkdir(stage.workspace);
    expect(await life.session.stopChild(`${id}@c1.1`)).toMatchObject({ ok: false });
    expect(life.of("turn_ended").filter(({ session }) => session === id)).toMatchObject([{ reason: "failed" }]);
    expect(await stopElsewhere(store, `${id}@c1.1`)).toMatchObject({ became: "idle" });
    expect(life.of("notice").filter(({ code }) => code === "stopped_elsewhere")).toEqual([]);
    await life.close();
  });
});
