import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { ToolContext } from "../../src/core/tool.ts";
import type { AgentEvent } from "../../src/graph/events.ts";
import { openScript } from "../../src/model/script.ts";
import { openGrantBook } from "../../src/policy/files/grant-book.ts";
import type { AgentParts } from "../../src/session/agent-parts.ts";
import { openAgent } from "../../src/session/open-agent.ts";
import type { Session } from "../../src/session/session.ts";
import { openStore } from "../../src/store/open-store.ts";
import { type Store, StoreFailure } from "../../src/store/types.ts";
import { fateOf } from "../support/mortal.ts";
import { calls, openStage, says, toolOf } from "../support/play.ts";

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function openLife(more: Partial<AgentParts> = {}) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "holdfast-life-")));
  endings.push(() => rm(folder, { recursive: true, force: true }));
  const store = await openStore({ file: join(folder, "agent.db") });
  endings.push(() => store.close());
  const lines = [calls(["tick", {}]), says("Ticked."), calls(["tick", {}]), says("Again.")];
  const script = { requests: lines.map((line, i) => ({ ...line, line: i + 1 })), person: [] };
  const agent = openAgent({
    openStore: async () => store,
    openTools: async () => ({ tools: [], services: {}, close: () => undefined }),
    openModel: async (spec) => openScript(script, { spec, name: "the test" }),
    loadPolicy: async ({ mode }) => ({ rules: [], grants: [], mode, sealed: { roots: [] } }),
    grants: { book: openGrantBook(join(folder, "grants.json")), file: join(folder, "grants.json") },
    systemPrompt: async () => "You are tested.",
    clock: Date.now,
    maxSteps: 5,
    ...more,
  });
  return { store, start: () => agent.start({ workspace: folder, model: "script", mode: "ask" }) };
}

/** All that a session says until it is closed. */
async function heard(session: Session): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of session.events()) events.push(event);
  return events;
}

describe("the tools of a session", () => {
  /** Counts what becomes of its instances, by the session they were opened for. */
  function counted(fails = false) {
    const ended: string[] = [];
    const openTools: AgentParts["openTools"] = async ({ id }) => {
      let gone = false;
      const tick = async (_: unknown, ctx: ToolContext) => {
        if (gone) throw new Error("this tool was disposed");
        return String((ctx.services["clock"] as { now(): number }).now());
      };
      const dispose = () => {
        gone = true;
        ended.push(`tick of ${id}`);
        if (fails) throw new Error("the tool would not go");
      };
      const services = { clock: { now: () => 12 } };
      return {
        tools: [toolOf("tick", tick, { dispose })],
        services,
        close: () => void ended.push(`services of ${id}`),
      };
    };
    return { ended, openTools };
  }

  it("are its own: the end of another session leaves them usable", async () => {
    const { ended, openTools } = counted();
    const { start, store } = await openLife({ openTools });
    const [one, two] = [start(), start()];
    for (const session of [one, two]) {
      await session.submit("tick");
      await session.settled();
    }
    await one.close();
    await one.close();
    expect(ended).toEqual([`tick of ${one.id}`, `services of ${one.id}`]);
    await two.submit("tick again");
    await two.settled();
    expect(store.readJournal(two.id).allCalls()).toMatchObject([
      { status: "success", result: { output: "12" } },
      { status: "success", result: { output: "12" } },
    ]);
    await two.close();
    expect(ended.slice(2)).toEqual([`tick of ${two.id}`, `services of ${two.id}`]);
  });

  it("are ended once where one of them cannot be, which is told when all are", async () => {
    const { ended, openTools } = counted(true);
    const { start } = await openLife({ openTools });
    const session = start();
    await session.submit("tick");
    await session.settled();
    await expect(session.close()).rejects.toThrow("the tool would not go");
    expect(ended).toEqual([`tick of ${session.id}`, `services of ${session.id}`]);
  });

  it("are ended where the session could not be opened, and not opened for one to which nothing is said", async () => {
    const { ended, openTools } = counted();
    const { start, store } = await openLife({
      openTools,
      openStore: async () =>
        new Proxy(store, {
          get: (target, key) =>
            key === "begin"
              ? () => Promise.reject(new StoreFailure("full", "the disk is full"))
              : Reflect.get(target, key),
        }) as Store,
    });
    const [silent, failing] = [start(), start()];
    await silent.close();
    expect(ended).toEqual([]);
    await expect(failing.submit("tick")).rejects.toThrow("the disk is full");
    await failing.close();
    expect(ended).toEqual([`tick of ${failing.id}`, `services of ${failing.id}`]);
  });
});

describe("a session's name", () => {
  it("is told when the session and its first message are stored, at whatever write its process dies", async () => {
    let told = 0;
    for (let write = 1; write <= 6; write++) {
      for (const when of ["before", "after"] as const) {
        const { store, start } = await openLife();
        const fate = fateOf({ write, when });
        const { start: dying } = await openLife({ openStore: async () => fate.wrap(store) });
        expect(start().id).not.toBe("");
        const session = dying();
        const events = heard(session);
        await session.submit("hello").catch(() => undefined);
        await session.settled();
        await session.close().catch(() => undefined);
        const started = (await events).find((event) => event.type === "session_started");
        if (started === undefined) continue;
        told += 1;
        expect(store.readJournal(started.session).turns()).toMatchObject([{ text: "hello" }]);
      }
    }
    expect(told).toBeGreaterThan(5);
  });

  /** The first try to open a session fails once its first message is stored. */
  const failsOnce = async () => {
    let fails = true;
    const stage = await openLife();
    const { start } = await openLife({
      openStore: async () =>
        new Proxy(stage.store, {
          get: (target, key) => {
            if (key === "journal" && fails)
              return () => {
                fails = false;
                throw new StoreFailure("full", "the disk is full");
              };
            const found: unknown = Reflect.get(target, key);
            return typeof found === "function" ? (found.bind(target) as unknown) : found;
          },
        }) as Store,
    });
    return { stage, start };
  };

  it("that stands for what a server gives is stored once, though the server gives another text for it by the next try", async () => {
    const { stage, start } = await failsOnce();
    const session = start();
    let given = 0;
    const finds = async () => {
      given += 1;
      const text = `/hub:greet\n\nanswer ${given}`;
      return { images: [], problems: [], stands: { text, calls: [], isServed: true as const } };
    };
    await expect(session.submit("/hub:greet", finds)).rejects.toThrow("the disk is full");
    await session.submit("/hub:greet", finds);
    await session.settled();
    await session.close();
    expect(given).toBe(2);
    expect(stage.store.readJournal(session.id).turns()).toMatchObject([
      { text: "/hub:greet\n\nanswer 1", state: "done" },
    ]);
  });

  it("is told where the rest of its opening fails, and the message is not stored again by the next try", async () => {
    const { stage, start } = await failsOnce();
    const session = start();
    const stream = session.events()[Symbol.asyncIterator]();
    await expect(session.submit("hello")).rejects.toThrow("the disk is full");
    // Told by now, not with the next try.
    const first = await Promise.race([stream.next(), new Promise((resolve) => setImmediate(resolve, "nothing told"))]);
    expect(first).toMatchObject({ value: { type: "session_started", session: session.id } });
    expect(stage.store.readJournal(session.id).turns()).toMatchObject([{ text: "hello", state: "queued" }]);
    await session.submit("hello");
    await session.settled();
    await session.close();
    expect(stage.store.readJournal(session.id).turns()).toMatchObject([{ text: "hello", state: "done" }]);
    const more: string[] = [];
    for await (const { type } of { [Symbol.asyncIterator]: () => stream }) more.push(type);
    expect(more).toContain("turn_ended");
    expect(more).not.toContain("session_started");
  });

  it("is not told where nothing can be stored", async () => {
    const { start } = await openLife({
      openStore: async () => Promise.reject(new StoreFailure("read_only", "the store cannot be written")),
    });
    const session = start();
    const events = heard(session);
    await expect(session.submit("hello")).rejects.toThrow("the store cannot be written");
    await session.close();
    expect(await events).toEqual([]);
  });

  it("without a message says so when the session is resumed", async () => {
    const stage = await openStage({ lines: [says("Hello.")] });
    const store = await openStore({ file: stage.database });
    await store.sessions.create({ id: "brave-otter-0001", workspace: stage.workspace, model: "script", title: "" });
    store.close();
    const life = await stage.resume("brave-otter-0001");
    expect(life.last("notice")).toMatchObject({ code: "nothing_said" });
    await life.session.submit("hello");
    await life.session.settled();
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", text: "Hello." });
  });
});
