import { HumanMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import type { CallOf } from "../../../src/core/call.ts";
import type { ChildRow, NewTurn, SessionRow } from "../../../src/store/types.ts";
import { commitCalls, drive, executing, pendingCall, ticking } from "../support.ts";
import type { Backend } from "./backend.ts";

const of = (id: string, more: Partial<SessionRow> = {}) => ({
  id,
  workspace: "/w",
  model: "demo",
  title: "t",
  ...more,
});
const ids = (rows: SessionRow[]): string[] => rows.map((row) => row.id);

/** The table of sessions, and children in it. */
export function sessions({ open }: Backend): void {
  test("a session is a row with what it was made of, and what it has cost", async () => {
    const store = await open({ clock: () => 7 });
    await store.sessions.create(of("a-1", { title: "nul \u0000 and 😀" }));
    expect(store.sessions.get("a-1")).toEqual({
      id: "a-1",
      title: "nul \u0000 and 😀",
      workspace: "/w",
      state: "idle",
      model: "demo",
      createdAt: 7,
      updatedAt: 7,
      inputTokens: 0,
      outputTokens: 0,
    });
    expect(store.sessions.get("a-2")).toBeUndefined();
    await expect(store.sessions.create(of("a-1"))).rejects.toThrow("there is a session a-1 already");
    await expect(store.sessions.create(of("a-2", { parent: "none" }))).rejects.toThrow("there is no session none");
  });

  test("an id is matched whole, or by its beginning among root sessions", async () => {
    const { sessions } = await open({ clock: ticking() });
    for (const id of ["brisk-otter-1", "brisk-otter-12", "brisk-owl-3", "100%_sure", "a'b"])
      await sessions.create(of(id));
    await sessions.create(of("brisk-child", { parent: "brisk-owl-3" }));
    expect(ids(sessions.match("brisk-otter-1"))).toEqual(["brisk-otter-1"]);
    expect(ids(sessions.match("brisk-ot"))).toEqual(["brisk-otter-12", "brisk-otter-1"]);
    expect(ids(sessions.match("brisk-child"))).toEqual(["brisk-child"]);
    expect(ids(sessions.match("brisk-chi"))).toEqual([]);
    expect(ids(sessions.match("%"))).toEqual([]);
    expect(ids(sessions.match("100%_"))).toEqual(["100%_sure"]);
    expect(ids(sessions.match("a'"))).toEqual(["a'b"]);
    expect(ids(sessions.match(""))).toEqual([]);
    expect(ids(sessions.match("x' OR 1=1--"))).toEqual([]);
  });

  test("the list begins with what changed last, and a workspace limits it", async () => {
    const store = await open({ clock: ticking() });
    await store.sessions.create(of("one"));
    await store.sessions.create(of("two", { workspace: "/other" }));
    await store.sessions.create(of("three"));
    const journal = store.journal(await store.acquire("one"));
    await journal.setModel("openai:x");
    await journal.setState("awaiting_approval");
    expect(ids(store.sessions.list())).toEqual(["one", "three", "two"]);
    expect(ids(store.sessions.list({ workspace: "/w" }))).toEqual(["one", "three"]);
    expect(store.sessions.get("one")).toMatchObject({ model: "openai:x", state: "awaiting_approval" });
  });

  describe("a session that a call drives", () => {
    const first: NewTurn = { text: "t", message: new HumanMessage({ id: "t", content: "t" }), queued: false };
    const child = (place: number, more: Partial<ChildRow> = {}) => ({
      ...{ id: `a@c1.${place + 1}`, parent: "a", call: "c1", place, spec: { task: "t" }, workspace: "/w", model: "m" },
      ...more,
    });

    test("is found by its call and place, in their order, with its first words", async () => {
      const { store } = await drive(await open(), "a");
      await store.beginChild(child(1), first);
      await store.beginChild(child(0), first);
      await store.beginChild(child(0, { id: "a@c10.1", call: "c10" }), first);
      await store.beginChild(child(0, { id: "a@c2.1", call: "c2", spec: { task: "u", tools: ["x"] } }), first);
      expect(store.sessions.children("a").map(({ id }) => id)).toEqual(["a@c1.1", "a@c1.2", "a@c2.1", "a@c10.1"]);
      const [found] = store.sessions.children("a", "c2");
      expect(found).toEqual({ id: "a@c2.1", parent: "a", call: "c2", place: 0, spec: { task: "u", tools: ["x"] } });
      expect(store.readJournal("a@c2.1").turns()).toMatchObject([{ turn: 1, text: "t", state: "running" }]);
      expect(store.sessions.get("a@c2.1")).toMatchObject({ parent: "a", workspace: "/w", model: "m" });
      expect(store.sessions.children("b")).toEqual([]);
    });

    test("has heard what any session of its tree heard", async () => {
      const { store, journal } = await drive(await open(), "a");
      await store.beginChild(child(0), first);
      await store.beginChild(child(1), first);
      const [one, two] = await Promise.all(
        ["a@c1.1", "a@c1.2"].map(async (id) => store.journal(await store.acquire(id))),
      );
      if (one === undefined || two === undefined) throw new Error("not driven");
      const call = pendingCall("c1", { effect: "none" });
      await commitCalls(one, "1.1", [call]);
      const plan = { summary: "s", cwd: "/w", hosts: [{ host: "x.org" }] };
      await one.move([{ before: call, after: executing(call), plan }]);
      const done = { ...executing(call), status: "success", result: { output: "o" } } as CallOf<"success">;
      await one.move([{ before: executing(call), after: { ...done, times: { ...done.times, settled: 9 } } }]);
      const heard = [{ plan: { hosts: [{ host: "x.org" }] } }];
      expect([one.heardCalls(), two.heardCalls(), journal.heardCalls()]).toMatchObject([heard, heard, heard]);
      const alone = await drive(store, "b");
      expect(alone.journal.heardCalls()).toEqual([]);
    });

    test("knows of a mark of any message that was said in its tree, and of no text that looks like one", async () => {
      const { store, journal } = await drive(await open(), "a");
      await store.beginChild(child(0), first);
      const one = await store.journal(await store.acquire("a@c1.1"));
      const marks = (): boolean[] => [one, journal].map((each) => each.holdsMark("marked"));
      expect(marks()).toEqual([false, false]);
      await journal.addSteer(new HumanMessage({ content: '{"marked":true}', id: "looks" }));
      expect(marks()).toEqual([false, false]);
      await journal.addSteer(new HumanMessage({ content: "x", id: "is", additional_kwargs: { marked: true } }));
      expect(marks()).toEqual([true, true]);
      const alone = await drive(store, "b");
      expect(alone.journal.holdsMark("marked")).toBe(false);
    });

    test("that was asked for a mark hears of one that another session of its tree is told later, between messages of others", async () => {
      const { store, journal } = await drive(await open(), "a");
      await journal.addSteer(new HumanMessage({ content: "x", id: "plain" }));
      const alone = await drive(store, "b");
      const looking = store.readJournal("a");
      const marks = (): boolean[] => [journal, looking, alone.journal].map((each) => each.holdsMark("marked"));
      expect(marks()).toEqual([false, false, false]);
      await alone.journal.addSteer(new HumanMessage({ content: "y", id: "of b" }));
      await store.beginChild(child(0), first);
      expect(marks()).toEqual([false, false, false]);
      const one = await store.journal(await store.acquire("a@c1.1"));
      const message = new HumanMessage({ content: "z", id: "served", additional_kwargs: { marked: true } });
      await one.addTurn({ text: "z", message, queued: true });
      expect(marks()).toEqual([true, true, false]);
      await journal.addSteer(new HumanMessage({ content: "x", id: "after" }));
      expect(marks()).toEqual([true, true, false]);
      expect(store.readJournal("a").holdsMark("other")).toBe(false);
    });
  });
}
